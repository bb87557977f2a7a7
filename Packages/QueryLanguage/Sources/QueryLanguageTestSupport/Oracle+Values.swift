import DataModel
import QueryLanguage

/// Single values: conversions and operators.
extension Oracle {
  // MARK: Conversions

  func converted(_ side: Side, _ expression: QueryExpression, _ type: PropertyType?) -> Side {
    switch (expression, side) {
    case (.constant(let constant, _), .one): .one(converted(constant.value ?? .null, type, digits: digits(constant)))
    case (.list(let node), .lists):
      .lists([
        node.elements.map { element in
          if case .constant(let constant) = element {
            converted(constant.value ?? .null, type, digits: digits(constant))
          } else {
            .null
          }
        }
      ])
    default: side
    }
  }

  private func digits(_ constant: QueryConstant) -> String? {
    if case .double(_, let digits) = constant { digits } else { nil }
  }

  func converted(_ value: Value, _ type: PropertyType?, digits: String? = nil) -> Value {
    switch (value, type) {
    case (.double(let number), .decimal128?):
      if let digits, let exact = Decimal128(validating: digits) { return .decimal128(exact) }
      return .decimal128(Decimal128(number))
    case (.double(let number), .float?): return .float(Float(number))
    case (.int(let number), .decimal128?): return .decimal128(Decimal128(number))
    case (.string(let text), .int?), (.string(let text), .double?), (.string(let text), .float?),
      (.string(let text), .decimal128?):
      if let whole = Int64(text) { return .int(whole) }
      if type == .decimal128 { return Decimal128(validating: text).map { .decimal128($0) } ?? value }
      return Double(text).map { type == .float ? .float(Float($0)) : .double($0) } ?? value
    default: return value
    }
  }

  // MARK: Operators

  func holds(
    _ a: Value, _ operation: ComparisonOperation, _ b: Value, _ options: ComparisonOptions, _ isLiteral: Bool
  ) -> Bool {
    switch operation {
    case .equal, .in: return equals(a, b, options)
    case .notEqual: return !equals(a, b, options)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return relates(a, operation, b)
    case .text: return false
    case .beginsWith, .endsWith, .contains, .like:
      if b == .null { return operation == .like ? a == .null : isLiteral }
      guard let text = characters(a, options), let pattern = characters(b, options), isText(a) == isText(b) else {
        return false
      }
      switch operation {
      case .beginsWith: return text.starts(with: pattern)
      case .endsWith: return text.reversed().starts(with: pattern.reversed())
      case .contains: return (0...text.count).contains { text.dropFirst($0).starts(with: pattern) }
      case .like: return like(text[...], pattern[...], isText(b))
      case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .text: return false
      }
    }
  }

  private func isText(_ value: Value) -> Bool { if case .string = value { true } else { false } }

  /// Code points of a text or bytes of a binary, folded as asked.
  private func characters(_ value: Value, _ options: ComparisonOptions) -> [UInt32]? {
    let folds = options.contains(.caseInsensitive)
    if case .string(let text) = value {
      return text.unicodeScalars.map { scalar in
        let code = scalar.value
        let isUpper = (65...90).contains(code) || (0xC0...0xDE).contains(code) && code != 0xD7
        return folds && isUpper ? code + 32 : code
      }
    }
    guard case .data(let bytes) = value else { return nil }
    return bytes.map { folds && (65...90).contains($0) ? UInt32($0) + 32 : UInt32($0) }
  }

  /// A straight reading of `?` and `*`, with a table of the positions from which the rest matches.
  private func like(_ text: ArraySlice<UInt32>, _ pattern: ArraySlice<UInt32>, _ isText: Bool) -> Bool {
    let text = Array(text)
    let pattern = Array(pattern)
    var rest = [Bool](repeating: false, count: text.count + 1)
    rest[text.count] = true
    for sign in pattern.reversed() {
      var current = [Bool](repeating: false, count: text.count + 1)
      for at in stride(from: text.count, through: 0, by: -1) {
        if sign == 42 {
          current[at] = rest[at] || at < text.count && current[at + 1]
        } else if at < text.count {
          current[at] = (sign == 63 || sign == text[at]) && rest[at + 1]
        }
      }
      rest = current
    }
    return rest[0]
  }

  func equals(_ a: Value, _ b: Value, _ options: ComparisonOptions = []) -> Bool {
    if a == .null || b == .null { return a == b }
    if let left = characters(a, options), let right = characters(b, options), isText(a) == isText(b) {
      return left == right
    }
    if let order = numericOrder(a, b) { return order == 0 }
    return a == b
  }

  /// -1, 0 or 1 for two numbers; nil for everything else.
  private func numericOrder(_ a: Value, _ b: Value) -> Int? { a.compareNumerically(b) }

  func relates(_ a: Value, _ operation: ComparisonOperation, _ b: Value) -> Bool {
    if a == .null || b == .null { return a == b && (operation == .lessOrEqual || operation == .greaterOrEqual) }
    if isNaN(a) || isNaN(b) { return false }
    let order: Int
    if let numeric = numericOrder(a, b) {
      order = numeric
    } else {
      let ordered: [PropertyType] = [.string, .data, .bool, .date, .objectId, .UUID]
      guard let type = a.propertyType, type == b.propertyType, ordered.contains(type) else { return false }
      order = compareForSort(a, b)
    }
    switch operation {
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    case .greaterOrEqual: return order >= 0
    case .equal, .notEqual, .in, .beginsWith, .endsWith, .contains, .like, .text: return false
    }
  }

  private func isNaN(_ value: Value) -> Bool {
    if case .double(let number) = value { return number.isNaN }
    if case .float(let number) = value { return number.isNaN }
    if case .decimal128(let number) = value { return number.isNaN }
    return false
  }

  func compareForSort(_ a: Value, _ b: Value) -> Int { a.compareInSortOrder(b) }

  /// Whether a value is of the named kind, whichever side the name stands on.
  func isOfType(_ a: Value, _ b: Value) -> Bool {
    // The name is the constant; the generator writes it on the right.
    guard case .string(let name) = b else { return false }
    switch (name.lowercased(), a) {
    case ("null", .null), ("string", .string), ("int", .int), ("bool", .bool), ("double", .double),
      ("date", .timestamp),
      ("decimal", .decimal128), ("float", .float), ("objectid", .objectId), ("link", .link), ("numeric", .int),
      ("numeric", .double), ("numeric", .float), ("numeric", .decimal128):
      return true
    default: return false
    }
  }
}
