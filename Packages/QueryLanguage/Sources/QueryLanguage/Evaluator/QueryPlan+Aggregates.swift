public import DataModel

extension QueryPlan {
  /// The least, greatest, total or mean value of a property over the matching objects. Nulls are skipped.
  ///
  ///     try plan.aggregate(.sum, of: "age", in: source)      // .int(362)
  ///
  /// - Parameter keyPath: single links and then one value, as for SORT.
  /// - Returns: `.null` for the minimum, maximum and mean of nothing; a sum of nothing is zero.
  /// - Throws: ``QueryError`` when the path or its type is not allowed; what the source throws.
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
    let isFull = present.words == SIMD4(repeating: .max)
    let isTotal = operation == .sum || operation == .average
    switch column.layout {
    case .allNull: return
    case .int8(let values) where isTotal: addIntegers(Int8.self, values, present, isFull, batch.slotCount)
    case .int16(let values) where isTotal: addIntegers(Int16.self, values, present, isFull, batch.slotCount)
    case .int32(let values) where isTotal: addIntegers(Int32.self, values, present, isFull, batch.slotCount)
    case .int64(let values) where isTotal: addIntegers(Int64.self, values, present, isFull, batch.slotCount)
    case .double(let values) where isTotal:
      var sum = doubleSum
      present.forEach { sum += values.loadUnaligned(fromByteOffset: $0 &* 8, as: Double.self) }
      doubleSum = sum
      count += present.count
    default:
      try present.forEach { slot in
        let value: Value
        switch column.layout {
        case .int8, .int16, .int32, .int64: value = .int(ColumnKernels.integer(column, slot))
        case .double(let values): value = .double(values.loadUnaligned(fromByteOffset: slot &* 8, as: Double.self))
        default: value = try batch.cluster.value(of: property, slot: slot)
        }
        add(value)
      }
    }
  }

  private mutating func addIntegers<T: FixedWidthInteger & SignedInteger>(
    _: T.Type, _ values: UnsafeRawPointer, _ present: Selection, _ isFull: Bool, _ slots: Int
  ) {
    var sum: Int64 = 0
    if isFull {
      for at in 0..<slots {
        sum &+= Int64(truncatingIfNeeded: values.loadUnaligned(fromByteOffset: at &* MemoryLayout<T>.size, as: T.self))
      }
    } else {
      present.forEach { at in
        sum &+= Int64(truncatingIfNeeded: values.loadUnaligned(fromByteOffset: at &* MemoryLayout<T>.size, as: T.self))
      }
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
