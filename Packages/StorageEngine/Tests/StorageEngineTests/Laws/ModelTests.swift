import StorageEngine
import TestKit
import Testing

@Suite struct ModelTests {
  @Test("a store equals dictionaries after every commit, rollback and reopening", arguments: Seeds.some(6))
  func equalsModel(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    let location = seed % 5 == 0 ? StoreLocation.inMemory(name: "\(seed)") : .file(path: folder.file())
    var configuration = StoreConfiguration()
    configuration.cacheBudgetInBytes = seed % 2 == 0 ? 200_000 : 50 << 20
    configuration.isDurable = false
    if seed % 3 == 0 { configuration.key = ToySealing(key: 0x5A) }
    var store: Store? = try Store.open(location, configuration: configuration)
    var model = Model()
    var held: (Snapshot, Model)?
    for round in 0..<40 {
      let comment: Comment = "SEED=\(seed) round \(round)"
      guard let current = store else { return }
      var changed = model
      let transaction = try current.beginWrite()
      for _ in 0..<Int.random(in: 1...30, using: &random) { try changed.change(transaction, using: &random) }
      if random.oneIn(4) { try changed.expectEqual(to: transaction, comment) }
      if random.oneIn(5) {
        transaction.rollback()
      } else {
        try transaction.commit()
        model = changed
      }
      let snapshot = try current.latestSnapshot()
      try model.expectEqual(to: snapshot, comment)
      if let (older, olderModel) = held {
        try olderModel.expectEqual(to: older, "\(comment), older snapshot")
        try expectChanges(from: olderModel, older, to: model, snapshot, comment)
      }
      if random.oneIn(3) { held = random.oneIn(3) ? nil : (snapshot, model) }
      if random.oneIn(6) { try current.verify() }
      if case .file = location, random.oneIn(6) {
        held = nil
        store = nil
        store = try Store.open(location, configuration: configuration)
      }
    }
    try store?.verify()
  }

  private func expectChanges(
    from old: Model, _ older: Snapshot, to new: Model, _ newer: Snapshot, _ comment: Comment
  ) throws {
    for table in new.tables.values {
      let changes = try newer.changes(since: older, in: table.id)
      let before = old.tables[table.id]?.rows ?? [:]
      #expect(changes.insertions == table.rows.keys.filter { before[$0] == nil }.sorted(), comment)
      #expect(changes.deletions == before.keys.filter { table.rows[$0] == nil }.sorted(), comment)
      let reported = Dictionary(uniqueKeysWithValues: changes.modifications.map { ($0.row, $0.columns) })
      for (row, cells) in table.rows {
        guard let oldCells = before[row] else { continue }
        for column in table.columns {
          // A column that the old snapshot lacks reads as its initial value there.
          let oldCell = oldCells[column.id] ?? ModelTable.initial(column)
          let isReported = reported[row]?.contains(column.id) ?? false
          let isDifferent = cells[column.id].map { !$0.isIdentical(to: oldCell) } ?? true
          if isDifferent { #expect(isReported, "\(comment) \(row) \(column)") }
          let isTree = column.type == .list || column.type == .map
          if !isDifferent, !isTree, !isLong(cells[column.id]) { #expect(!isReported, "\(comment) \(row) \(column)") }
        }
      }
    }
  }

  /// Long values and collections may be rewritten with equal content.
  private func isLong(_ cell: ModelTable.Cell?) -> Bool {
    switch cell {
    case .value(.string(let text)): text.utf8.count > 1000
    case .value(.data(let bytes)): bytes.count > 1000
    default: false
    }
  }
}
