/// The values that an option or argument accepts. They are checked while parsing, so that an action
/// never meets one that it cannot use.
public enum ValueKind: Sendable, Equatable {
  /// Any text. Shells complete names of files.
  case text
  /// Text of at least one character. Shells complete nothing.
  case nonEmptyText
  /// The path of a file or folder: at least one character. Shells complete it.
  case path
  /// A decimal whole number in a range.
  case integer(ClosedRange<Int>)
  /// A finite decimal number.
  case number
  /// `true`, `yes`, `on`, `1`, or `false`, `no`, `off`, `0`.
  case boolean
  /// One of some words.
  case choice([String])

  /// The expected form of a refused value, such as "a whole number from 1 to 65535"; nil if it is accepted.
  public func expectation(violatedBy value: String) -> String? {
    switch self {
    case .text: nil
    case .nonEmptyText: value.isEmpty ? "some text" : nil
    case .path: value.isEmpty ? "a path" : nil
    case .integer(let range): Int(value).map(range.contains) == true ? nil : Self.wording(of: range)
    case .number: Double(value)?.isFinite == true ? nil : "a number"
    case .boolean: Self.boolean(value) == nil ? "yes or no" : nil
    case .choice(let words):
      words.contains(value)
        ? nil : "one of " + words.joined(separator: ", ") + NearestWord.suggestion(for: value, among: words)
    }
  }

  /// The truth value of a text; nil if it is none.
  static func boolean(_ value: String) -> Bool? {
    switch value.lowercased() {
    case "1", "true", "yes", "on": true
    case "0", "false", "no", "off": false
    default: nil
    }
  }

  private static func wording(of range: ClosedRange<Int>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (Int.min, Int.max): "a whole number"
    case (let low, Int.max): "a whole number of at least \(low)"
    case (let low, let high): "a whole number from \(low) to \(high)"
    }
  }
}
