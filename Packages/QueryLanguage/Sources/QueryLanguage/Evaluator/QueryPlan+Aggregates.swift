public import DataModel

extension QueryPlan {
  /// The least, greatest, total or mean value of a property over the matching objects. Nulls are skipped.
  ///
  ///     try plan.aggregate(.sum, of: "age", in: source)      // .int(362)
  ///
  /// - Parameter keyPath: single links and then one value, as for SORT.
  /// - Returns: `.null` for the minimum, maximum and mean of nothing; a sum of nothing is zero.
  /// - Throws: ``QueryError`` when the path or its type is not allowed; the errors of the source.
  /// - Complexity: O(*n*) for *n* rows of the class.
  public func aggregate(
    _ operation: AggregateOperation, of keyPath: String, in source: any QuerySource
  ) throws -> Value {
    var resolver = Resolver(schema: schema, arguments: [], className: className)
    let path = try resolver.resolve(QueryPath(names: keyPath))
    let isTotal = operation == .sum || operation == .average
    let isAllowed = path.type.isNumeric || path.type == .mixed || path.type == .date && !isTotal
    guard isAllowed, !path.isList, path.leaf != .incomingLinks else {
      throw QueryError(
        .operatorNotSupported, "'\(operation.rawValue)' is not defined for '\(keyPath)', a \(path.type.name)")
    }
    let execution = Execution(source)
    guard let table = try execution.reader(className)?.table else {
      return Aggregation.apply(operation, [], type: path.type)
    }
    let reader = SortKeyReader(path, isAscending: true, execution)
    if stages.isEmpty, let property = reader.ownProperty, path.type == .int || path.type == .double {
      let scan = try Scan(predicate, className, execution, table)
      return try ColumnTotals.aggregate(operation, property, reader, scan, isInteger: path.type == .int)
    }
    let values = try rows(in: source).compactMap { try reader.value($0) }
    return Aggregation.apply(operation, values, type: path.type)
  }
}

/// Aggregates over columns of integers and doubles.
struct ColumnTotals {
  private var count = 0
  private var integerSum: Int64 = 0
  private var doubleSum = 0.0
  private var least: Value = .null
  private var greatest: Value = .null

  static func aggregate(
    _ operation: AggregateOperation, _ property: Int, _ reader: SortKeyReader, _ scan: Scan, isInteger: Bool
  ) throws -> Value {
    var totals = ColumnTotals()
    try scan.forEach { batch, selection in
      let column = try batch.cluster.column(property)
      var present = selection
      if let nulls = column.nulls { present.subtract(Selection(loading: nulls)) }
      try totals.add(column, present, batch, operation, property)
      return true
    }
    switch operation {
    case .min: return totals.least
    case .max: return totals.greatest
    case .sum: return isInteger ? .int(totals.integerSum) : .double(totals.doubleSum)
    case .average:
      guard totals.count > 0 else { return .null }
      return .double((isInteger ? Double(totals.integerSum) : totals.doubleSum) / Double(totals.count))
    }
  }

  private mutating func add(
    _ column: ColumnView, _ present: Selection, _ batch: Batch, _ operation: AggregateOperation, _ property: Int
  ) throws {
    let isTotal = operation == .sum || operation == .average
    switch column.layout {
    case .allNull: return
    case .int64(let values) where isTotal: addIntegers(values, present, batch.slotCount)
    case .int64(let values): present.forEach { add(.int(ColumnKernels.integer(values, $0))) }
    case .double(let values):
      present.forEach { add(.double(values.loadUnaligned(fromByteOffset: $0 &* 8, as: Double.self))) }
    case .generic, .bits, .float, .ranges, .timestamps, .fixed, .links:
      try present.forEach { add(try batch.cluster.value(of: property, slot: $0)) }
    }
  }

  /// The sum alone, without a value for each integer. Row `query.sum-int`.
  private mutating func addIntegers(_ values: UnsafeRawPointer, _ present: Selection, _ slots: Int) {
    var sum: Int64 = 0
    if present == Selection(first: slots) {
      for slot in 0..<slots { sum &+= ColumnKernels.integer(values, slot) }
    } else {
      present.forEach { sum &+= ColumnKernels.integer(values, $0) }
    }
    integerSum &+= sum
    count += present.count
  }

  private mutating func add(_ value: Value) {
    if ValueComparison.isNull(value) { return }
    count += 1
    if case .int(let number) = value { integerSum &+= number }
    if let number = Arithmetic.double(value) { doubleSum += number }
    if ValueComparison.isNull(least) || value.compareInSortOrder(least) < 0 { least = value }
    if ValueComparison.isNull(greatest) || value.compareInSortOrder(greatest) > 0 { greatest = value }
  }
}
