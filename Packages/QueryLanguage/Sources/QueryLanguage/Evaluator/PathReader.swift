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
      case .index, .last, .key: values = [Self.select(selector, in: collection)]
      }
    }
    for step in path.steps { values = values.flatMap { Self.select(step, in: $0) } }
    return path.takesLength ? values.map(Self.byteLengthOrZero) : values
  }
}
