import DataModel

/// A condition on the object that a single link points to.
///
/// As soon as more than one row in a hundred of the linked class has been asked for, the condition is evaluated for that
/// whole class, column by column, into a set of rows; following a link is then one look-up. Before that, each target is
/// evaluated by itself. Row `query.link-hop`.
final class LinkNode: FilterNode {
  private let property: Int
  private let target: String
  private let inner: PlanPredicate
  private let whenNull: Bool
  private let execution: Execution
  private var matching: RowSet?
  private var rowsAsked = 0

  init(_ property: Int, _ target: String, _ inner: PlanPredicate, whenNull: Bool, _ execution: Execution) {
    self.property = property
    self.target = target
    self.inner = inner
    self.whenNull = whenNull
    self.execution = execution
    super.init(cost: 8)
  }

  override func apply(_ batch: Batch, _ selection: inout Selection) throws {
    let column = try batch.cluster.column(property)
    if case .allNull = column.layout {
      if !whenNull { selection = Selection() }
      return
    }
    if matching == nil { try prepare(selection.count) }
    guard case .links(let rows) = column.layout else {
      return try selection.filter { slot in
        var found: [QueryRow] = []
        try batch.cluster.appendLinkedRows(of: property, slot: slot, to: &found)
        return try holds(found.first ?? .nullRow)
      }
    }
    if let matching {
      let whenNull = whenNull
      matching.withBits { words, count, sparse in
        selection.filter { slot in
          let row = ColumnKernels.integer(rows, slot)
          if row < 0 { return whenNull }
          let word = UInt64(bitPattern: row) >> 6
          if word < count { return words[Int(truncatingIfNeeded: word)] >> UInt64(row & 63) & 1 == 1 }
          return sparse.contains(row)
        }
      }
    } else {
      try selection.filter { try holds(ColumnKernels.integer(rows, $0)) }
    }
  }

  private func holds(_ row: QueryRow) throws -> Bool {
    if row < 0 { return whenNull }
    if let matching { return matching.contains(row) }
    return try RowEvaluator(execution: execution).holds(inner, target, row)
  }

  /// Decides for the whole class as soon as enough rows have asked.
  private func prepare(_ count: Int) throws {
    rowsAsked += count
    guard let reader = try execution.reader(target), rowsAsked * 100 > reader.table.rowCount else { return }
    let filter = try FilterCompiler(execution: execution).node(inner, target)
    let set = RowSet(reader.table)
    for position in 0..<reader.table.clusterCount {
      let batch = Batch(try reader.table.cluster(at: position))
      var selection = batch.live
      try filter.apply(batch, &selection)
      selection.forEach { set.insert(batch.row($0)) }
    }
    matching = set
  }
}

/// A set of rows of one table: a bitmap, or a hash set for sparse row keys.
final class RowSet {
  private var bitmap: [UInt64] = []
  private var sparse: Set<QueryRow> = []
  private let isDense: Bool

  init(_ table: any QueryTable) {
    isDense = table.rowKeyBound < QueryRow(table.rowCount) * 64 + 65_536
    bitmap = [UInt64](repeating: 0, count: isDense ? Int(table.rowKeyBound >> 6) + 1 : 1)
  }

  func insert(_ row: QueryRow) {
    if isDense, row >= 0, Int(row >> 6) < bitmap.count {
      bitmap[Int(row >> 6)] |= 1 << UInt64(row & 63)
    } else {
      sparse.insert(row)
    }
  }

  /// Calls a closure with the bitmap as memory and the rows that lie outside of it: no bounds check and no retain per
  /// row. Row `query.link-hop`.
  @inline(__always) func withBits(_ body: (UnsafePointer<UInt64>, UInt64, Set<QueryRow>) -> Void) {
    bitmap.withUnsafeBufferPointer { words in
      if let base = words.baseAddress { body(base, UInt64(words.count), sparse) }
    }
  }

  /// O(1).
  func contains(_ row: QueryRow) -> Bool {
    if isDense {
      let word = UInt64(bitPattern: row) >> 6
      if word < UInt64(bitmap.count) { return bitmap[Int(word)] >> UInt64(row & 63) & 1 == 1 }
    }
    return !sparse.isEmpty && sparse.contains(row)
  }
}
