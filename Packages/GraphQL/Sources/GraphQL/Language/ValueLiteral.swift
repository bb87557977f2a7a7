/// A value as written, or a variable in its place.
public struct ValueLiteral: Sendable {
  /// The value.
  public var kind: Kind
  /// Where it begins.
  public var offset: SourceOffset

  /// The kinds of values.
  public enum Kind: Sendable {
    /// `$name`.
    case variable(String)
    /// An integer, digit by digit.
    case int(String)
    /// A number with a point or an exponent, digit by digit.
    case float(String)
    /// A string.
    case string(StringLiteral)
    /// `true` or `false`.
    case boolean(Bool)
    /// `null`.
    case null
    /// A word.
    case enumeration(String)
    /// `[1, 2]`.
    case list([ValueLiteral])
    /// `{name: "Ada"}`.
    case object([Argument])
  }

  /// A value.
  public init(_ kind: Kind, at offset: SourceOffset = .none) {
    self.kind = kind
    self.offset = offset
  }

  /// Whether it is the literal `null`.
  var isNull: Bool { if case .null = kind { true } else { false } }

  /// The name of the variable, when it is one.
  var variable: String? { if case .variable(let name) = kind { name } else { nil } }
}

extension ValueLiteral {
  /// Whether two literals mean the same: fields of objects in any order, strings by their values.
  func isSame(as other: ValueLiteral) -> Bool {
    switch (kind, other.kind) {
    case (.variable(let left), .variable(let right)), (.int(let left), .int(let right)),
      (.float(let left), .float(let right)), (.enumeration(let left), .enumeration(let right)):
      return left == right
    case (.string(let left), .string(let right)): return left.value == right.value
    case (.boolean(let left), .boolean(let right)): return left == right
    case (.null, .null): return true
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    case (.object(let left), .object(let right)): return [Argument].areSame(left, right)
    case (.variable, _), (.int, _), (.float, _), (.string, _), (.boolean, _), (.null, _), (.enumeration, _),
      (.list, _), (.object, _):
      return false
    }
  }
}

extension [Argument] {
  /// Whether two lists give the same names the same values, in any order. O(*n* log *n*).
  static func areSame(_ left: [Argument], _ right: [Argument]) -> Bool {
    guard left.count == right.count else { return false }
    if left.isEmpty { return true }
    let first = left.sorted { $0.name.text < $1.name.text }
    let second = right.sorted { $0.name.text < $1.name.text }
    return zip(first, second).allSatisfy { $0.name == $1.name && $0.value.isSame(as: $1.value) }
  }
}
