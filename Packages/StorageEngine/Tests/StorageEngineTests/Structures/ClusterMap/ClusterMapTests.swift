import StorageEngine
import Testing

@Suite struct ClusterMapTests {
  @Test("a table of more than a million rows is found, changed and compared through branch pages")
  func branches() throws {
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    configuration.cacheBudgetInBytes = 4 << 20
    let count = 64 * 64 * 256 + 70_000
    do {
      let store = try Store.open(.file(path: folder.file()), configuration: configuration)
      try store.write { transaction in
        let table = try transaction.createTable("T")
        _ = try transaction.addColumn("flag", .bool, to: table)
        let writer = try transaction.writer(of: table)
        for _ in 0..<count { _ = try writer.insertRow() }
      }
    }
    let store = try Store.open(.file(path: folder.file()), configuration: configuration)
    let before = try store.latestSnapshot()
    let table = try #require(before.table(named: "T"))
    let flag = try #require(table.column(named: "flag")).id
    #expect(before.rowCount(of: table.id) == count)
    let changed = [RowKey(3), RowKey(600_000), RowKey(Int64(count) - 1)]
    try store.write { transaction in
      let writer = try transaction.writer(of: table.id)
      for row in changed { try writer.setBool(true, flag, row: row) }
      try writer.deleteRow(RowKey(1_000_000))
      _ = try writer.insertRow()
    }
    let after = try store.latestSnapshot()
    let changes = try after.changes(since: before, in: table.id)
    #expect(changes.modifications.map(\.row) == changed)
    #expect(changes.deletions == [RowKey(1_000_000)])
    #expect(changes.insertions == [RowKey(Int64(count))])
    #expect(try after.cluster(of: changed[1], in: table.id)?.bool(flag, slot: changed[1].slot) == true)
    #expect(try before.cluster(of: changed[1], in: table.id)?.bool(flag, slot: changed[1].slot) == false)
    #expect(try store.verify().rows == count)
    try store.write { try $0.dropTable(table.id) }
    try store.verify()
  }
}
