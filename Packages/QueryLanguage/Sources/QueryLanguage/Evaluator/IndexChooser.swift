import DataModel

/// Chooses an index for a predicate and asks it.
struct IndexChooser {
  let table: any QueryTable

  /// A superset of the matching rows, and the condition that found it; nil when a scan is cheaper.
  ///
  /// - Complexity: O(*m* + log *n*) for *m* rows found among *n*; gives up beyond a thirty-second of the table.
  func candidates(for predicate: PlanPredicate) throws -> (rows: [QueryRow], condition: ColumnCondition)? {
    var conditions: [ColumnCondition] = []
    switch predicate {
    case .column(let condition): conditions = [condition]
    case .and(let parts):
      for part in parts { if case .column(let condition) = part { conditions.append(condition) } }
    case .always, .or, .not, .comparison, .between, .text, .geoWithin, .link: return nil
    }
    let usable = conditions.compactMap { condition in Self.probes(condition, table.schema).map { (condition, $0) } }
      .sorted { $0.1.rank < $1.1.rank }
    let limit = table.rowCount / 32 + 16
    for (condition, probes) in usable {
      guard probes.list.count <= limit else { continue }
      if let rows = try rows(condition.property, probes.list, limit: limit) { return (rows, condition) }
    }
    return nil
  }

  private func rows(_ property: Int, _ probes: [IndexProbe], limit: Int) throws -> [QueryRow]? {
    guard let index = try table.index(over: property) else { return try primaryKeyRows(property, probes) }
    var found: [QueryRow] = []
    for probe in probes {
      guard let rows = try index.rows(matching: probe, limit: limit - found.count) else { return nil }
      found += rows
    }
    return found
  }

  /// A table without an index object still finds objects by their primary key.
  private func primaryKeyRows(_ property: Int, _ probes: [IndexProbe]) throws -> [QueryRow]? {
    guard table.schema.primaryKey == table.schema.properties[property].name else { return nil }
    var found: [QueryRow] = []
    for probe in probes {
      guard case .equal(let value) = probe, let key = ObjectKey(value) else { return nil }
      if let row = try table.row(forKey: key) { found.append(row) }
    }
    return found
  }

  /// The probes that find exactly the rows of a condition, the more selective kinds with the lower rank; nil when no
  /// index can answer.
  static func probes(_ condition: ColumnCondition, _ schema: ObjectSchema) -> (rank: Int, list: [IndexProbe])? {
    let declared = schema.properties[condition.property]
    guard declared.isIndexed || declared.name == schema.primaryKey, !condition.isNegated else { return nil }
    if condition.matchesNull {
      if case .nothing = condition.test { return (2, [.equal(.null)]) }
      return nil
    }
    func value(_ bytes: [UInt8]) -> Value? {
      switch declared.type {
      case .string: String(validating: bytes, as: UTF8.self).map { .string($0) }
      case .objectId: ObjectId(bytes: bytes).map { .objectId($0) }
      case .UUID: bytes.count == 16 ? .uuid(Self.uuid(bytes)) : nil
      case .int, .bool, .data, .date, .float, .double, .object, .linkingObjects, .any, .decimal128: nil
      }
    }
    func probes(_ values: [[UInt8]]) -> [IndexProbe]? {
      let list = values.compactMap(value).map(IndexProbe.equal)
      return list.count == values.count ? list : nil
    }
    switch condition.test {
    case .integers(let range):
      if range.lowerBound == range.upperBound { return (0, [.equal(.int(range.lowerBound))]) }
      let lower: IndexProbe.Bound? = range.lowerBound == .min ? nil : .init(.int(range.lowerBound), isInclusive: true)
      let upper: IndexProbe.Bound? = range.upperBound == .max ? nil : .init(.int(range.upperBound), isInclusive: true)
      return (4, [.range(lower: lower, upper: upper)])
    case .integerSet(let set): return (1, set.sorted().map { .equal(.int($0)) })
    case .bytesSet(let set): return probes(set.values).map { (1, $0) }
    case .bytes(let test):
      if test.folds { return nil }
      switch test.operation {
      case .equal: return probes([test.needle]).map { (0, $0) }
      case .beginsWith: return declared.type == .string && !test.needle.isEmpty ? (3, [.prefix(test.needle)]) : nil
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .endsWith, .contains, .like: return nil
      }
    case .bool(let wanted): return (5, [.equal(.bool(wanted))])
    case .timestamps(let low, let lowIsInclusive, let high, let highIsInclusive):
      let lower = low.map { IndexProbe.Bound(.timestamp($0), isInclusive: lowIsInclusive) }
      let upper = high.map { IndexProbe.Bound(.timestamp($0), isInclusive: highIsInclusive) }
      return (4, [.range(lower: lower, upper: upper)])
    case .nothing, .doubles, .doubleSet, .decimalSet, .timestampSet, .links: return nil
    }
  }
}
