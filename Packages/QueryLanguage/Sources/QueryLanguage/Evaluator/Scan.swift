import DataModel

/// The matches of a predicate over one table, cluster by cluster: of all rows, or of the candidates of an index.
struct Scan {
  let execution: Execution
  let table: any QueryTable
  let filter: FilterNode
  /// The rows that an index found, in the order of the table; nil for a scan of everything.
  let candidates: [RowLocation]?

  init(_ predicate: PlanPredicate, _ className: String, _ execution: Execution, _ table: any QueryTable) throws {
    self.execution = execution
    self.table = table
    filter = try FilterCompiler(execution: execution).node(predicate, className)
    candidates = try IndexChooser(table: table).candidates(for: predicate)?.rows.compactMap { row in
      try table.location(of: row)
    }.sorted { ($0.cluster, $0.slot) < ($1.cluster, $1.slot) }
  }

  /// Calls a closure with every cluster that holds matches, in order, until it returns false.
  func forEach(_ body: (Batch, Selection) throws -> Bool) throws {
    guard let candidates else {
      for position in 0..<table.clusterCount {
        let batch = Batch(try table.cluster(at: position))
        var selection = batch.live
        try filter.apply(batch, &selection)
        if !selection.isEmpty, try !body(batch, selection) { return }
      }
      return
    }
    _ = try Self.forEachRun(of: candidates, in: table, filter, body)
  }

  /// Calls a closure with the matches among some rows. Ascending neighbours in one cluster are filtered together.
  ///
  /// - Returns: false as soon as the closure does.
  @discardableResult
  static func forEachRun(
    of locations: [RowLocation], in table: any QueryTable, _ filter: FilterNode,
    _ body: (Batch, Selection) throws -> Bool
  ) throws -> Bool {
    var at = 0
    while at < locations.count {
      let cluster = locations[at].cluster
      var selection = Selection()
      var last = -1
      while at < locations.count, locations[at].cluster == cluster, locations[at].slot > last {
        last = locations[at].slot
        selection.insert(last)
        at += 1
      }
      let batch = Batch(try table.cluster(at: cluster))
      try filter.apply(batch, &selection)
      if !selection.isEmpty, try !body(batch, selection) { return false }
    }
    return true
  }
}
