import DataModel

/// Follows resolved paths from one object.
struct PathReader {
  let execution: Execution

  /// The objects that the hops of a path reach, duplicates counted. Null links contribute nothing.
  func rows(_ path: ResolvedPath, _ start: QueryRow) throws -> [QueryRow] {
    var rows = [start]
    var className = path.className
    for hop in path.hops {
      guard !rows.isEmpty, let reader = try execution.reader(className) else { return [] }
      var next: [QueryRow] = []
      for row in rows { try follow(hop, from: row, reader, to: &next) }
      next.removeAll { $0 < 0 }
      rows = next
      className = hop.target
    }
    return rows
  }

  private func follow(
    _ hop: ResolvedPath.Hop, from row: QueryRow, _ reader: TableReader, to next: inout [QueryRow]
  ) throws {
    switch hop {
    case .link(let property, _): try reader.appendLinkedRows(of: property, row: row, to: &next)
    case .keyed(let property, let key, let target):
      guard case .dictionary(let entries) = try reader.value(of: property, row: row),
        case .link(let reference)? = entries[key],
        let found = try execution.reader(target)?.table.row(forKey: reference.key)
      else { return }
      next.append(found)
    case .collection(let property, _, let selector):
      var all: [QueryRow] = []
      try reader.appendLinkedRows(of: property, row: row, to: &all)
      // Sets are compared in ascending order; of objects that is the order of their rows.
      if reader.table.schema.properties[property].collection == .set { all.sort() }
      switch selector {
      case .index(let index): if index < all.count { next.append(all[index]) }
      case .last: if let last = all.last { next.append(last) }
      case .all, .key, .keys: next += all
      }
    case .backlinks(let origin, let property):
      try reader.table.appendBacklinks(of: row, from: origin, property: property, to: &next)
    }
  }

  /// The value, or the lists of values, that a path gives for an object.
  func values(_ path: ResolvedPath, _ start: QueryRow) throws -> RowEvaluator.Operand {
    let reached = try rows(path, start)
    guard let reader = try execution.reader(path.target) else { return path.isList ? .lists([[]]) : .single(.null) }
    if path.isToMany {
      if path.leafIsList {
        let lists = try reached.map { try list(path, reader, $0) }
        return .lists(lists.isEmpty ? [[]] : lists)
      }
      return .lists([try reached.map { try single(path, reader, $0) }])
    }
    if path.leafIsList {
      return .lists([try reached.first.map { try list(path, reader, $0) } ?? []])
    }
    return .single(try reached.first.map { try single(path, reader, $0) } ?? .null)
  }

  /// The one value of a leaf that is no collection.
  private func single(_ path: ResolvedPath, _ reader: TableReader, _ row: QueryRow) throws -> Value {
    var value: Value
    switch path.leaf {
    case .objects: return try reader.reference(to: row)
    case .incomingLinks: return .int(Int64(try reader.table.incomingLinkCount(of: row)))
    case .scalar(let property, _): value = try reader.value(of: property, row: row)
    case .collection(let property, _, _, let selector):
      value = Self.select(selector, in: try reader.value(of: property, row: row))
    }
    for step in path.steps { value = Self.select(step, in: value).first ?? .null }
    return value
  }

  /// All values of a leaf that is a collection.
  private func list(_ path: ResolvedPath, _ reader: TableReader, _ row: QueryRow) throws -> [Value] {
    var values: [Value]
    switch path.leaf {
    case .objects, .incomingLinks: return []
    case .scalar(let property, _): values = [try reader.value(of: property, row: row)]
    case .collection(let property, let kind, _, let selector):
      let collection = try reader.value(of: property, row: row)
      switch selector {
      case .all: values = Self.elements(collection, isSet: kind == .set)
      case .keys: values = Self.keys(collection)
      default: values = [Self.select(selector, in: collection)]
      }
    }
    for step in path.steps { values = values.flatMap { Self.select(step, in: $0) } }
    return path.takesLength ? values.map(Self.byteLengthOrZero) : values
  }

  // MARK: Collections

  /// Lists in order, sets in ascending order, dictionaries in the order of their keys.
  static func elements(_ collection: Value, isSet: Bool = false) -> [Value] {
    switch collection {
    case .list(let values): isSet ? values.sorted { $0.compareInSortOrder($1) < 0 } : values
    case .dictionary(let entries): sortedKeys(entries).map { entries[$0] ?? .null }
    default: []
    }
  }

  static func keys(_ collection: Value) -> [Value] {
    if case .dictionary(let entries) = collection { sortedKeys(entries).map { .string($0) } } else { [] }
  }

  private static func sortedKeys(_ entries: [String: Value]) -> [String] {
    entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  static func select(_ selector: ResolvedPath.Selector, in collection: Value) -> Value {
    switch (selector, collection) {
    case (.index(let index), .list(let values)): values.indices.contains(index) ? values[index] : .null
    case (.last, .list(let values)): values.last ?? .null
    case (.key(let key), .dictionary(let entries)): entries[key] ?? .null
    default: .null
    }
  }

  /// What a step selects in a nested collection; nothing when it does not fit.
  static func select(_ step: ResolvedPath.MixedStep, in value: Value) -> [Value] {
    switch (step, value) {
    case (.index(let index), .list(let values)): values.indices.contains(index) ? [values[index]] : []
    case (.last, .list(let values)): values.suffix(1)
    case (.key(let key), .dictionary(let entries)): entries[key].map { [$0] } ?? []
    case (.all, .list), (.all, .dictionary): elements(value)
    case (.keys, .dictionary): keys(value)
    default: []
    }
  }

  static func byteLengthOrZero(_ value: Value) -> Value {
    let length = byteLength(value)
    return ValueComparison.isNull(length) ? .int(0) : length
  }

  /// The bytes of a string or binary; null for everything else.
  static func byteLength(_ value: Value) -> Value {
    switch value {
    case .string(let text): .int(Int64(text.utf8.count))
    case .data(let bytes): .int(Int64(bytes.count))
    default: .null
    }
  }

  // MARK: Counts and aggregates

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
