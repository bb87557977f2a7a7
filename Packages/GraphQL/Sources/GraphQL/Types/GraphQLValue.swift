public import ByteCoding

/// The value of an argument or a variable at run time, coerced to its type.
public indirect enum GraphQLValue: Hashable, Sendable {
  /// `null`.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer of up to 64 bits.
  case int(Int64)
  /// Any other number.
  case double(Double)
  /// A text: of a string, an `ID`, a custom scalar.
  case string(String)
  /// A word of an enumeration.
  case enumeration(String)
  /// A list.
  case list([GraphQLValue])
  /// The fields of an input object, in the order of the type where it has one.
  case object([Member])

  /// One field of an input object.
  public struct Member: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: GraphQLValue

    /// A field.
    public init(_ name: String, _ value: GraphQLValue) {
      self.name = name
      self.value = value
    }
  }
}

extension GraphQLValue {
  /// The field of an input object; nil when it was not given.
  public subscript(name: String) -> GraphQLValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string or a word.
  public var string: String? {
    switch self {
    case .string(let text), .enumeration(let text): text
    case .null, .bool, .int, .double, .list, .object: nil
    }
  }

  /// The integer.
  public var int: Int64? { if case .int(let value) = self { value } else { nil } }

  /// The number, integers included.
  public var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    case .null, .bool, .string, .enumeration, .list, .object: nil
    }
  }

  /// The truth value.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The elements of a list.
  public var elements: [GraphQLValue]? { if case .list(let values) = self { values } else { nil } }

  /// The value of a JSON text, without regard to a type. A number is an integer when it is written as one and fits 64
  /// bits.
  public init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let digits): self = .init(number: digits)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .list(elements.map(GraphQLValue.init))
    case .object(let members): self = .object(members.map { Member($0.key, GraphQLValue($0.value)) })
    }
  }

  init(number digits: String) {
    if let value = Int64(digits) { self = .int(value) } else { self = .double(Double(digits) ?? .nan) }
  }

  /// The JSON form; words of enumerations are strings, and numbers without a JSON form are null.
  public var json: JSONValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .number(String(value))
    case .double(let value): value.isFinite ? .number("\(value)") : .null
    case .string(let text), .enumeration(let text): .string(text)
    case .list(let values): .array(values.map(\.json))
    case .object(let members): .object(members.map { ($0.name, $0.value.json) })
    }
  }
}

extension GraphQLValue {
  /// The value of a literal without regard to a type; a missing variable is null.
  init(_ literal: ValueLiteral, variables: [String: GraphQLValue]) {
    switch literal.kind {
    case .variable(let name): self = variables[name] ?? .null
    case .int(let digits): self = .init(number: digits)
    case .float(let digits): self = .double(Double(digits) ?? .nan)
    case .string(let string): self = .string(string.value)
    case .boolean(let value): self = .bool(value)
    case .null: self = .null
    case .enumeration(let word): self = .enumeration(word)
    case .list(let elements): self = .list(elements.map { GraphQLValue($0, variables: variables) })
    case .object(let fields):
      self = .object(fields.map { Member($0.name.text, GraphQLValue($0.value, variables: variables)) })
    }
  }
}
