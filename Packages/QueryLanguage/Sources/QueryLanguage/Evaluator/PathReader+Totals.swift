import DataModel

/// Counts and aggregates.
extension PathReader {
  /// The value of `@count` for an object.
  func count(_ path: ResolvedPath, _ start: QueryRow) throws -> RowEvaluator.Operand {
    if path.steps.isEmpty, path.leaf == .objects { return .single(.int(Int64(try entryCount(path, start)))) }
    if path.steps.isEmpty, case .incomingLinks = path.leaf {
      let values = try values(path, start)
      if case .single(.null) = values { return .single(.int(0)) }
      return values
    }
    if path.steps.isEmpty, path.endsInCollection, !path.takesLength {
      guard case .lists(let lists) = try values(path, start) else { return .single(.null) }
      if path.isToMany {
        // One count for each object reached; the single empty list stands for no object at all.
        let reached = try rows(path, start).isEmpty
        return .lists([reached ? [] : lists.map { .int(Int64($0.count)) }])
      }
      return .single(.int(Int64(lists.first?.count ?? 0)))
    }
    switch try values(path, start) {
    case .single(let value): return .single(Self.byteLength(value))
    case .lists(let lists): return .lists(lists.map { $0.map(Self.byteLength) })
    }
  }

  /// The number of objects reached; of a dictionary all entries count, also those that hold no object.
  private func entryCount(_ path: ResolvedPath, _ start: QueryRow) throws -> Int {
    guard case .collection(let property, _, .all)? = path.hops.last else { return try rows(path, start).count }
    var owners = path
    owners.hops.removeLast()
    guard let reader = try execution.reader(owners.target),
      reader.table.schema.properties[property].collection == .dictionary
    else { return try rows(path, start).count }
    var entries: [QueryRow] = []
    for owner in try rows(owners, start) { try reader.appendLinkedRows(of: property, row: owner, to: &entries) }
    return entries.count
  }

  /// The value of `@min`, `@max`, `@sum` or `@avg` for an object.
  func aggregate(
    _ path: ResolvedPath, _ operation: AggregateOperation, _ property: Int?, _ start: QueryRow
  ) throws -> RowEvaluator.Operand {
    if let property {
      guard let reader = try execution.reader(path.target) else { return .single(.null) }
      let type = ValueType(reader.table.schema.properties[property])
      let values = try rows(path, start).map { try reader.value(of: property, row: $0) }
      return .single(Aggregation.apply(operation, values, type: type))
    }
    guard case .lists(let lists) = try values(path, start) else { return .single(.null) }
    let totals = lists.map { Aggregation.apply(operation, $0, type: path.type) }
    guard path.isToMany else { return .single(totals.first ?? .null) }
    return .lists([try rows(path, start).isEmpty ? [] : totals])
  }
}
