import DataModel

/// Turns a constant into the type of the property that it meets.
enum ConstantConversion {
  /// The converted value, or a mismatch with a hint for the reader.
  enum Outcome {
    case fits(Value)
    case mismatch(hint: String?)
  }

  static func convert(_ value: Value, digits: String?, to type: ValueType, _ dialect: QueryDialect) -> Outcome {
    guard let own = ValueType(value) else { return .fits(value) }
    if type == .mixed || own == type {
      return .fits(value)
    }
    switch (value, type) {
    case (.double(let number), .int), (.double(let number), .float), (.double(let number), .double),
      (.double(let number), .decimal):
      return double(number, digits: digits, to: type)
    case (.float(let number), .int):
      if number.isInfinite { return .mismatch(hint: nil) }
      return .fits(Int64(exactly: number).map { .int($0) } ?? value)
    case (.int(let number), .bool) where dialect == .nspredicate && (number == 0 || number == 1):
      return .fits(.bool(number == 1))
    case (.int(let number), .decimal): return .fits(.decimal128(Decimal128(number)))
    case (.string(let text), _) where type.isNumeric:
      return Self.number(text, for: type).map { .fits($0) } ?? .mismatch(hint: "a number is written without quotes")
    default: break
    }
    if own.isNumeric, type.isNumeric { return .fits(value) }
    return .mismatch(hint: hint(value, type))
  }

  private static func double(_ number: Double, digits: String?, to type: ValueType) -> Outcome {
    switch type {
    case .int:
      if number.isInfinite { return .mismatch(hint: "an int is never infinite") }
      return .fits(Int64(exactly: number).map { .int($0) } ?? .double(number))
    case .float: return .fits(.float(Float(number)))
    case .decimal: return .fits(decimal(number, digits: digits))
    case .bool, .double, .string, .data, .date, .objectId, .uuid, .mixed, .link, .typeName:
      return .fits(.double(number))
    }
  }

  /// A double that meets a decimal: from the digits of a literal, otherwise rounded to 15 digits.
  static func decimal(_ number: Double, digits: String?) -> Value {
    if let digits, let exact = Decimal128(validating: digits) { return .decimal128(exact) }
    return .decimal128(Decimal128(number))
  }

  /// The number that a whole string denotes.
  private static func number(_ text: String, for type: ValueType) -> Value? {
    guard text.utf8.contains(where: Lexer.isDigit), let exact = Decimal128(validating: text) else { return nil }
    if let whole = Int64(text) { return type == .decimal ? .decimal128(Decimal128(whole)) : .int(whole) }
    if type == .decimal { return .decimal128(exact) }
    guard let number = Double(Lexer.readable(text)) else { return nil }
    if case .fits(let value) = double(number, digits: text, to: type) { return value }
    return nil
  }

  private static func hint(_ value: Value, _ type: ValueType) -> String? {
    switch (value, type) {
    case (.string, .objectId): "use oid(…) with 24 hexadecimal digits"
    case (.string, .uuid): "use uuid(…)"
    case (.string, .date): "use 2017-12-04@00:00:00 or T<seconds>:<nanoseconds>"
    case (.string, .data): "use binary(\"…\")"
    case (.string, .link), (.int, .link): "use obj(\"Class\", key)"
    case (.int, .bool), (.double, .bool), (.string, .bool): "use true or false"
    case (.int, .date): "use T<seconds>:<nanoseconds>"
    case (_, .string): "strings are written in quotes"
    default: nil
    }
  }
}
