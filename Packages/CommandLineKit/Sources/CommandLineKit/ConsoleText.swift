import TextWidth

/// Text for people, safe to print: what the program says itself stays as it is, everything put into it is cleaned.
///
///     console.print("added '\(title)' to \(list)")  // an escape sequence in the title is shown as ␛
///
/// Literals and styles of the program are trusted. Interpolated values go through `TextCleaning`, on one line.
public struct ConsoleText: Sendable, Equatable {
  /// The text as it is written to the terminal.
  public private(set) var printed: String

  private init(printed: String) { self.printed = printed }

  /// Text from elsewhere on one line, cleaned.
  public init(_ text: some StringProtocol) { printed = TextCleaning.line(text) }

  /// Text from elsewhere on several lines, cleaned; lines after the first are indented.
  public init(lines text: some StringProtocol, indent: Int = 4) {
    printed = TextCleaning.lines(text, indent: indent)
  }

  /// The text between the escape sequences of some styles.
  static func styled(_ text: ConsoleText, _ styles: [Console.Style]) -> ConsoleText {
    let codes = styles.map { String($0.rawValue) }.joined(separator: ";")
    return ConsoleText(printed: "\u{1B}[" + codes + "m" + text.printed + "\u{1B}[0m")
  }

  /// Two texts, one after the other.
  public static func + (left: ConsoleText, right: ConsoleText) -> ConsoleText {
    ConsoleText(printed: left.printed + right.printed)
  }

  /// Appends a text.
  public static func += (left: inout ConsoleText, right: ConsoleText) { left.printed += right.printed }
}

extension ConsoleText: ExpressibleByStringInterpolation {
  /// Collects the pieces of an interpolated text, and cleans the values among them.
  public struct StringInterpolation: StringInterpolationProtocol {
    var printed = ""

    /// An empty collection.
    public init(literalCapacity: Int, interpolationCount: Int) { printed.reserveCapacity(literalCapacity) }

    /// Text of the program itself, as it is.
    public mutating func appendLiteral(_ literal: String) { printed += literal }
    /// A text that is cleaned already, or styled.
    public mutating func appendInterpolation(_ text: ConsoleText) { printed += text.printed }
    /// A value, as `String(describing:)` puts it, cleaned.
    public mutating func appendInterpolation<Value>(_ value: Value) { printed += TextCleaning.line("\(value)") }
  }

  /// Text of the program itself.
  public init(stringLiteral value: String) { self.init(printed: value) }
  /// Text with values, cleaned.
  public init(stringInterpolation: StringInterpolation) { self.init(printed: stringInterpolation.printed) }
}

extension Sequence<ConsoleText> {
  /// The texts, one after the other.
  public func joined(separator: ConsoleText = "") -> ConsoleText {
    var result: ConsoleText = ""
    for (position, text) in enumerated() { result += position == 0 ? text : separator + text }
    return result
  }
}
