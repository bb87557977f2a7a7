import DataModel

extension QueryPlan {
  /// The rows of the matching objects, in the order that the clauses ask for, otherwise in the order of the table.
  ///
  /// - Throws: the errors of the source.
  /// - Complexity: O(*n*) for *n* rows of the class; O(*m*) for *m* candidates when an index answers; a SORT adds
  ///   O(*m* log *m*) for *m* matches. The first rows in the order of the primary key from a bound on are read from its index.
  public func rows(in source: any QuerySource) throws -> [QueryRow] {
    let execution = Execution(source)
    guard let table = try execution.reader(className)?.table else { return [] }
    if let rows = try soughtRows(execution, table) { return rows }
    let scan = try Scan(predicate, className, execution, table)
    return try ordered(execution) { body in try scan.forEach(body) }
  }

  /// The matches among the rows of a collection: a list, a set, or an earlier result. The order of the collection
  /// takes the place of that of the table; rows that no longer exist are left out.
  ///
  /// - Throws: the errors of the source.
  /// - Complexity: O(*n*) for *n* rows of the collection; a SORT adds O(*m* log *m*) for *m* matches.
  public func rows(in source: any QuerySource, among rows: [QueryRow]) throws -> [QueryRow] {
    let execution = Execution(source)
    guard let table = try execution.reader(className)?.table else { return [] }
    let filter = try FilterCompiler(execution: execution).node(predicate, className)
    let locations = try rows.compactMap { try table.location(of: $0) }
    return try ordered(execution) { body in try Scan.forEachRun(of: locations, in: table, filter, body) }
  }

  /// The number of matching objects.
  ///
  /// - Throws: the errors of the source.
  /// - Complexity: O(log *n*) for *n* rows when one index decides alone, otherwise O(*n*).
  public func count(in source: any QuerySource) throws -> Int {
    let orders = stages.allSatisfy { if case .distinct = $0 { false } else { true } }
    guard orders else { return try rows(in: source).count }
    guard let table = try source.table(className) else { return 0 }
    let limit = limit ?? .max
    if case .always(let value) = predicate { return value ? min(limit, table.rowCount) : 0 }
    if let count = try indexedCount(table) { return min(count, limit) }
    var count = 0
    try Scan(predicate, className, Execution(source), table).forEach { _, selection in
      count += selection.count
      return count < limit
    }
    return min(count, limit)
  }

  /// The count that an index alone knows; nil when the predicate has more to decide, or the index would have to gather.
  private func indexedCount(_ table: any QueryTable) throws -> Int? {
    guard case .column(let condition) = predicate,
      let probes = IndexChooser.probes(condition, table.schema)?.list, probes.count <= 1_024,
      let index = try table.index(over: condition.property)
    else { return nil }
    var total = 0
    for probe in probes {
      guard let count = try index.count(matching: probe) else { return nil }
      total += count
    }
    return total
  }

  /// The first matching object.
  ///
  /// - Throws: the errors of the source.
  /// - Complexity: O(*n*) for the *n* rows before the match; all rows when the query sorts.
  public func first(in source: any QuerySource) throws -> QueryRow? {
    try QueryPlan(self, adding: .limit(1)).rows(in: source).first
  }

  /// Whether the predicate holds for one object; the clauses play no part.
  ///
  /// - Throws: the errors of the source.
  public func matches(_ row: QueryRow, in source: any QuerySource) throws -> Bool {
    try RowEvaluator(execution: Execution(source)).holds(predicate, className, row)
  }

  /// For each INCLUDE path, the objects found at its backlink steps, starting from one match.
  ///
  /// - Throws: the errors of the source.
  public func includedObjects(
    of row: QueryRow, in source: any QuerySource
  ) throws -> [(className: String, row: QueryRow)] {
    let execution = Execution(source)
    var found: [(className: String, row: QueryRow)] = []
    for path in includes {
      for (position, hop) in path.hops.enumerated() {
        guard case .backlinks(let origin, _) = hop else { continue }
        var prefix = path
        prefix.hops = Array(path.hops[...position])
        for included in try PathReader(execution: execution).rows(prefix, row) { found.append((origin, included)) }
      }
    }
    return found
  }

  private init(_ plan: QueryPlan, adding stage: Stage) {
    className = plan.className
    query = plan.query
    propertiesRead = plan.propertiesRead
    followsLinks = plan.followsLinks
    countsAllLinks = plan.countsAllLinks
    originsRead = plan.originsRead
    classesReached = plan.classesReached
    schema = plan.schema
    predicate = plan.predicate
    stages = plan.stages + [stage]
    includes = plan.includes
  }

  // MARK: Clauses

  /// Gathers matches and sends them through the clauses.
  private func ordered(
    _ execution: Execution, _ forEach: ((Batch, Selection) throws -> Bool) throws -> Void
  ) throws -> [QueryRow] {
    var rows: [QueryRow] = []
    var rest = stages[...]
    if case .limit(let limit)? = rest.first {
      rest = rest.dropFirst()
      if limit > 0 {
        try forEach { batch, selection in
          selection.forEach { rows.append(batch.row($0)) }
          return rows.count < limit
        }
      }
      rows = Array(rows.prefix(limit))
    } else if case .sort(let keys)? = rest.first, case .limit(let limit)? = rest.dropFirst().first, limit <= 65_536 {
      rest = rest.dropFirst(2)
      rows = try top(keys, limit, execution, forEach)
    } else {
      try forEach { batch, selection in
        selection.forEach { rows.append(batch.row($0)) }
        return true
      }
    }
    for stage in rest { rows = try apply(stage, to: rows, execution) }
    return rows
  }

  /// SORT directly before a LIMIT: a heap of the best rows instead of a full sort. Row `query.sort-limit`.
  private func top(
    _ keys: [ResolvedSortKey], _ limit: Int, _ execution: Execution,
    _ forEach: ((Batch, Selection) throws -> Bool) throws -> Void
  ) throws -> [QueryRow] {
    let scratch = ColumnKernels.Flags.allocate(capacity: 264)
    defer { scratch.deallocate() }
    let readers = keys.map { SortKeyReader($0.path, isAscending: $0.isAscending, execution) }
    var top = TopRows(readers, capacity: limit, scratch: scratch)
    try forEach { batch, selection in
      try top.offer(batch, selection)
      return true
    }
    return top.sorted()
  }

  private func apply(_ stage: Stage, to rows: [QueryRow], _ execution: Execution) throws -> [QueryRow] {
    switch stage {
    case .limit(let limit): return Array(rows.prefix(limit))
    case .sort(let keys):
      let readers = keys.map { SortKeyReader($0.path, isAscending: $0.isAscending, execution) }
      return try Sorting.sorted(rows, by: readers, execution, className)
    case .distinct(let paths):
      let readers = paths.map { SortKeyReader($0, isAscending: true, execution) }
      var seen: Set<DistinctKey> = []
      return try rows.filter { row in
        var key = DistinctKey()
        for reader in readers {
          guard let value = try reader.value(row) else { return false }
          key.append(value)
        }
        return seen.insert(key).inserted
      }
    }
  }
}
