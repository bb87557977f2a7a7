import DataModel

/// Totals and extremes of many values. Nulls are skipped.
enum Aggregation {
  /// - Parameter type: the static type of the values; decides what an empty sum is.
  static func apply(_ operation: AggregateOperation, _ values: [Value], type: ValueType) -> Value {
    switch operation {
    case .min: extreme(values) { $0 < 0 }
    case .max: extreme(values) { $0 > 0 }
    case .sum: sum(values, type: type)
    case .average: average(values, type: type)
    }
  }

  private static func extreme(_ values: [Value], _ isBetter: (Int) -> Bool) -> Value {
    var best = Value.null
    for value in values where !ValueComparison.isNull(value) {
      if ValueComparison.isNull(best) || isBetter(value.compareInSortOrder(best)) { best = value }
    }
    return best
  }

  private static func numbers(_ values: [Value]) -> [Value] {
    values.filter { ValueType($0)?.isNumeric == true }
  }

  static func sum(_ values: [Value], type: ValueType) -> Value {
    let numbers = numbers(values)
    var type = type
    if type == .mixed {
      let kinds = Set(numbers.compactMap { ValueType($0) })
      type = kinds.count > 1 ? .decimal : kinds.first ?? .int
    }
    switch type {
    case .int: return numbers.reduce(.int(0)) { Arithmetic.apply(.add, $0, $1) }
    case .float:
      // Added up as doubles, so that many small numbers do not vanish.
      return .float(Float(numbers.reduce(0.0) { $0 + (Arithmetic.double($1) ?? 0) }))
    case .double: return .double(numbers.reduce(0.0) { $0 + (Arithmetic.double($1) ?? 0) })
    case .decimal, .bool, .string, .data, .date, .objectId, .uuid, .mixed, .link, .typeName:
      return .decimal128(decimalSum(numbers))
    }
  }

  private static func decimalSum(_ numbers: [Value]) -> Decimal128 {
    numbers.reduce(Decimal128(0)) { $0 + ($1.asDecimal ?? Decimal128(0)) }
  }

  static func average(_ values: [Value], type: ValueType) -> Value {
    let numbers = numbers(values)
    guard !numbers.isEmpty else { return .null }
    if type == .decimal || type == .mixed { return .decimal128(decimalSum(numbers) / Decimal128(numbers.count)) }
    let total =
      switch sum(numbers, type: type) {
      case .int(let value): Double(value)
      case .float: numbers.reduce(0.0) { $0 + (Arithmetic.double($1) ?? 0) }
      case let other: Arithmetic.double(other) ?? 0
      }
    return .double(total / Double(numbers.count))
  }
}
