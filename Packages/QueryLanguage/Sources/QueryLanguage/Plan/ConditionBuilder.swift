import DataModel

/// Makes the column condition for `property operation constant`.
struct ConditionBuilder {
  let property: Int
  let name: String
  let type: ValueType
  let options: ComparisonOptions

  /// The condition, or what it always is; nil when columns cannot answer it.
  func predicate(_ operation: ComparisonOperation, _ other: PlanSide) -> PlanPredicate? {
    switch other.expression {
    case .constant(let value): return constant(operation, value)
    case .list(let values): return list(operation, values, other.quantifier)
    case .path, .count, .type, .aggregate, .subquery, .arithmetic: return nil
    }
  }

  /// Whether `null operation constant` holds; nil when the other side is no constant.
  static func holdsForNull(
    _ operation: ComparisonOperation, _ options: ComparisonOptions, _ other: PlanSide
  ) -> Bool? {
    func holds(_ value: Value) -> Bool {
      ValueComparison.holds(.null, operation, value, options, needleIsLiteral: true)
    }
    switch other.expression {
    case .constant(let value): return holds(value)
    case .list(let values):
      return switch other.quantifier {
      case .any?, nil: values.contains(where: holds)
      case .all?: values.allSatisfy(holds)
      case .some(.none): !values.contains(where: holds)
      }
    case .path, .count, .type, .aggregate, .subquery, .arithmetic: return nil
    }
  }

  private func condition(_ test: ColumnTest, negated: Bool = false, matchesNull: Bool = false) -> PlanPredicate {
    .column(ColumnCondition(property: property, name: name, test: test, isNegated: negated, matchesNull: matchesNull))
  }

  // MARK: One constant

  private func constant(_ operation: ComparisonOperation, _ value: Value) -> PlanPredicate? {
    if ValueComparison.isNull(value) { return null(operation) }
    let isNegated = operation == .notEqual
    let relation = isNegated || operation == .in ? .equal : operation
    guard let test = test(relation, value) else { return nil }
    return condition(test, negated: isNegated, matchesNull: isNegated)
  }

  private func null(_ operation: ComparisonOperation) -> PlanPredicate {
    switch operation {
    case .equal, .in, .lessOrEqual, .greaterOrEqual, .like: condition(.nothing, matchesNull: true)
    case .notEqual: condition(.nothing, negated: true)
    case .beginsWith, .endsWith, .contains: .always(true)
    case .less, .greater, .text: .always(false)
    }
  }

  /// The test for a constant that is not null.
  private func test(_ operation: ComparisonOperation, _ value: Value) -> ColumnTest? {
    switch type {
    case .int:
      if case .int(let number) = value { return integers(operation, number) }
      if case .double(let number) = value { return integers(operation, number) }
      if case .float(let number) = value { return integers(operation, Double(number)) }
    case .double, .float: return Self.exactDouble(value).flatMap { doubles(operation, $0) }
    case .bool: if case .bool(let flag) = value { return operation == .equal ? .bool(flag) : nil }
    case .string:
      if case .string(let text) = value { return bytes(operation, CaseFolding.bytes(of: text, options), isText: true) }
    case .data:
      if case .data(let data) = value { return bytes(operation, CaseFolding.bytes(of: data, options), isText: false) }
    case .objectId, .uuid:
      if ValueType(value) == type { return ColumnBytes.of(value).flatMap { bytes(operation, $0, isText: false) } }
    case .date: if case .timestamp(let time) = value { return dates(operation, time) }
    case .link: if case .link(let reference) = value { return operation == .equal ? .links([reference]) : nil }
    case .decimal, .mixed, .typeName: break
    }
    return nil
  }

  private func integers(_ operation: ComparisonOperation, _ value: Int64) -> ColumnTest? {
    switch operation {
    case .equal: .integers(value...value)
    case .less: value == .min ? .nothing : .integers(.min...(value - 1))
    case .lessOrEqual: .integers(.min...value)
    case .greater: value == .max ? .nothing : .integers((value + 1) ... .max)
    case .greaterOrEqual: .integers(value ... .max)
    case .notEqual, .in, .beginsWith, .endsWith, .contains, .like, .text: nil
    }
  }

  /// An integer against a number with a fraction, or one that no integer reaches.
  private func integers(_ operation: ComparisonOperation, _ value: Double) -> ColumnTest? {
    if value.isNaN { return .nothing }
    if let whole = Int64(exactly: value) { return integers(operation, whole) }
    let isBelow = operation == .less || operation == .lessOrEqual
    guard isBelow || operation == .greater || operation == .greaterOrEqual else {
      return operation == .equal ? .nothing : nil
    }
    if value >= 0x1p63 { return isBelow ? .integers(.min ... .max) : .nothing }
    if value < -0x1p63 { return isBelow ? .nothing : .integers(.min ... .max) }
    let floor = Int64(value.rounded(.down))
    return isBelow ? .integers(.min...floor) : .integers((floor + 1) ... .max)
  }

  /// The constant as a double that equals it exactly; nil when there is none.
  private static func exactDouble(_ value: Value) -> Double? {
    switch value {
    case .int(let value): Int64(exactly: Double(value)) == value ? Double(value) : nil
    case .double(let value): value
    case .float(let value): Double(value)
    case .null, .bool, .string, .data, .timestamp, .decimal128, .objectId, .uuid, .link, .list, .dictionary: nil
    }
  }

  private func doubles(_ operation: ComparisonOperation, _ value: Double) -> ColumnTest? {
    if value.isNaN { return operation == .equal ? nil : .nothing }
    switch operation {
    case .equal: return .doubles(low: value, high: value)
    case .less: return value == -.infinity ? .nothing : .doubles(low: -.infinity, high: value.nextDown)
    case .lessOrEqual: return .doubles(low: -.infinity, high: value)
    case .greater: return value == .infinity ? .nothing : .doubles(low: value.nextUp, high: .infinity)
    case .greaterOrEqual: return .doubles(low: value, high: .infinity)
    case .notEqual, .in, .beginsWith, .endsWith, .contains, .like, .text: return nil
    }
  }

  private func bytes(_ operation: ComparisonOperation, _ needle: [UInt8], isText: Bool) -> ColumnTest? {
    guard !options.contains(.diacriticInsensitive) else { return nil }
    guard let operation = Self.bytesOperation(operation) else { return nil }
    return .bytes(
      BytesTest(operation: operation, needle: needle, folds: options.contains(.caseInsensitive), isText: isText))
  }

  private static func bytesOperation(_ operation: ComparisonOperation) -> BytesTest.Operation? {
    switch operation {
    case .equal: .equal
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .contains: .contains
    case .like: .like
    case .notEqual, .in, .text: nil
    }
  }

  private func dates(_ operation: ComparisonOperation, _ value: Timestamp) -> ColumnTest? {
    switch operation {
    case .equal: .timestamps(low: value, lowIsInclusive: true, high: value, highIsInclusive: true)
    case .less: .timestamps(low: nil, lowIsInclusive: true, high: value, highIsInclusive: false)
    case .lessOrEqual: .timestamps(low: nil, lowIsInclusive: true, high: value, highIsInclusive: true)
    case .greater: .timestamps(low: value, lowIsInclusive: false, high: nil, highIsInclusive: true)
    case .greaterOrEqual: .timestamps(low: value, lowIsInclusive: true, high: nil, highIsInclusive: true)
    case .notEqual, .in, .beginsWith, .endsWith, .contains, .like, .text: nil
    }
  }

  // MARK: Lists

  /// Equality with some or none of a list of constants.
  private func list(_ operation: ComparisonOperation, _ values: [Value], _ quantifier: Quantifier?) -> PlanPredicate? {
    guard operation == .equal || operation == .in, options == [], quantifier != .all else { return nil }
    let containsNull = values.contains(where: ValueComparison.isNull)
    let isNegated = quantifier == Quantifier.none
    guard let test = set(values.filter { !ValueComparison.isNull($0) }) else { return nil }
    return condition(test, negated: isNegated, matchesNull: containsNull != isNegated)
  }

  /// The set of the constants that fit the type; nil when hashing cannot decide equality.
  private func set(_ values: [Value]) -> ColumnTest? {
    switch type {
    case .int:
      if values.contains(where: { ValueType($0) == .decimal }) { return nil }
      // Whole doubles and floats were converted; the others equal no integer.
      return .integerSet(Set(values.compactMap { if case .int(let number) = $0 { number } else { nil } }))
    case .string, .data, .objectId, .uuid:
      return .bytesSet(BytesSet(values.filter { ValueType($0) == type }.compactMap(ColumnBytes.of)))
    case .double, .float:
      let numbers = values.filter { ValueType($0)?.isNumeric == true }
      let exact = numbers.compactMap(Self.exactDouble)
      return exact.count == numbers.count ? .doubleSet(Set(exact.map(ColumnTest.bits))) : nil
    case .decimal:
      if values.contains(where: { ValueType($0) == .float }) { return nil }
      return .decimalSet(
        Set(values.compactMap { if case .decimal128(let number) = $0 { number.normalized } else { nil } }))
    case .date:
      return .timestampSet(Set(values.compactMap { if case .timestamp(let value) = $0 { value } else { nil } }))
    case .link:
      return .links(values.compactMap { if case .link(let reference) = $0 { reference } else { nil } })
    case .bool, .mixed, .typeName: return nil
    }
  }
}
