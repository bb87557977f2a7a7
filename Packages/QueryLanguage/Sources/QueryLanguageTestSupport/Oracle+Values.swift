import DataModel
import QueryLanguage

/// Single values: types, conversions, operators.
extension Oracle {
  // MARK: Types

  /// The declared type of the values of a side; nil for constants and whatever has none.
  func type(of expression: QueryExpression, _ className: String) -> PropertyType? {
    switch expression {
    case .constant, .argument, .list: return nil
    case .subquery: return .int
    case .property(let node): return node.suffix == nil ? type(of: node.path, className) : .int
    case .aggregate(let node):
      let type = typeOfAggregate(node, className)
      guard node.operation == .average else { return type }
      return type == .decimal128 || type == .any ? type : .double
    case .arithmetic(let node):
      let types = [
        type(of: node.left, className) ?? constantType(node.left),
        type(of: node.right, className) ?? constantType(node.right),
      ]
      if types.contains(.any) { return .any }
      for wide in [PropertyType.decimal128, .double, .float] where types.contains(wide) { return wide }
      return .int
    }
  }

  private func constantType(_ expression: QueryExpression) -> PropertyType? {
    if case .constant(let constant, _) = expression { constant.value?.propertyType } else { nil }
  }

  func typeOfAggregate(_ node: AggregateNode, _ className: String) -> PropertyType {
    guard let name = node.property else { return type(of: node.path, className) ?? .int }
    return type(of: QueryPath(node.path.elements + [QueryPath.Element(.name(name))]), className) ?? .int
  }

  private func type(of path: QueryPath, _ className: String) -> PropertyType? {
    var className = className
    var found: PropertyType?
    var isDictionaryOfObjects = false
    for element in path.elements {
      switch element.step {
      case .backlinks(let origin, _):
        className = origin
        found = .object
      case .keys: found = .string
      case .name(let name):
        if let property = property(name, className), found == nil || found == .object {
          found = property.type
          isDictionaryOfObjects = property.collection == .dictionary && property.type == .object
          if let target = property.objectClassName { className = target }
        } else if name.lowercased() == "length", !isDictionaryOfObjects {
          if path.elements.count > 1 { found = found == .any || found == .string || found == .data ? .int : found }
        }
      default: continue
      }
    }
    return found
  }

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
      default: return like(text[...], pattern[...], isText(b))
      }
    }
  }

  private func isText(_ value: Value) -> Bool { if case .string = value { true } else { false } }

  /// Code points of a text or bytes of a binary, folded as asked.
  private func characters(_ value: Value, _ options: ComparisonOptions) -> [UInt32]? {
    let folds = options.contains(.caseInsensitive)
    switch value {
    case .string(let text):
      return text.unicodeScalars.map { scalar in
        let code = scalar.value
        let isUpper = (65...90).contains(code) || (0xC0...0xDE).contains(code) && code != 0xD7
        return folds && isUpper ? code + 32 : code
      }
    case .data(let bytes):
      return bytes.map { folds && (65...90).contains($0) ? UInt32($0) + 32 : UInt32($0) }
    default: return nil
    }
  }

  /// A straight reading of `?` and `*`, with a table of what matches from where.
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
    switch (a, b) {
    case (.null, .null): return true
    case (.null, _), (_, .null): return false
    case (.string, .string), (.data, .data): return characters(a, options) == characters(b, options)
    default: break
    }
    if let order = numericOrder(a, b) { return order == 0 }
    return a == b
  }

  /// -1, 0, 1 for numbers; nil when one is none.
  private func numericOrder(_ a: Value, _ b: Value) -> Int? { a.compareNumerically(b) }

  func relates(_ a: Value, _ operation: ComparisonOperation, _ b: Value) -> Bool {
    if a == .null || b == .null { return a == b && (operation == .lessOrEqual || operation == .greaterOrEqual) }
    if isNaN(a) || isNaN(b) { return false }
    let order: Int
    if let numeric = numericOrder(a, b) {
      order = numeric
    } else {
      switch (a, b) {
      case (.string, .string), (.data, .data), (.bool, .bool), (.timestamp, .timestamp), (.objectId, .objectId),
        (.uuid, .uuid):
        order = compareForSort(a, b)
      default: return false
      }
    }
    switch operation {
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    default: return order >= 0
    }
  }

  private func isNaN(_ value: Value) -> Bool {
    switch value {
    case .double(let number): number.isNaN
    case .float(let number): number.isNaN
    case .decimal128(let number): number.isNaN
    default: false
    }
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
