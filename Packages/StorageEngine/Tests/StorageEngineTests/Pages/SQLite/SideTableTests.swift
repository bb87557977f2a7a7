import SQLiteDatabase
import Testing

@testable import StorageEngine

@Suite struct SideTableTests {
  private func tables(_ path: String) throws -> [String] {
    let select = try SQLiteConnection(path: path).prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    var names: [String] = []
    while try select.step() { names.append(select.text(at: 0) ?? "") }
    return names
  }

  @Test("only a sealed file has the table of its sealing")
  func header() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    #expect(try tables(folder.file()) == ["node", "root"])
    try store.writeCopy(toPath: folder.file("sealed"), key: ToySealing(key: 7))
    #expect(try tables(folder.file("sealed")) == ["header", "node", "root"])
    // A key for a file that has no such table.
    try store.writeCopy(toPath: folder.file("plain"))
    var configuration = StoreConfiguration()
    configuration.key = ToySealing(key: 7)
    let error = #expect(throws: StorageError.self) {
      try Store.open(.file(path: folder.file("plain")), configuration: configuration)
    }
    #expect(error?.code == .wrongKey)
  }

  @Test(
    "a table created by a rolled back transaction is missing afterwards, and can be created again",
    arguments: [false, true])
  func rollback(isInMemory: Bool) throws {
    let folder = TemporaryFolder()
    let store = try Store.open(isInMemory ? .inMemory(name: "side tables") : .file(path: folder.file()))
    func retired() throws -> [UInt64] {
      try store.database.writer.with { try $0.retired(after: 0, through: .max, limit: 9).map(\.version) }
    }
    for round in 0..<3 {
      let transaction = try store.beginWrite()
      try store.database.writer.with { connection in
        #expect(try !connection.reader.tables.has(.retired))
        try connection.retire([1, 2], version: 7)
        #expect(try connection.reader.tables.has(.retired))
      }
      #expect(try retired() == [7])
      guard round < 2 else { break }
      transaction.rollback()
      #expect(try retired() == [])
    }
  }

  @Test("nodes that a snapshot needs for long are spilled to a table that is created then")
  func retired() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let (table, column) = try store.write { transaction in
      let table = try transaction.createTable("T")
      let column = try transaction.addColumn("n", .int, to: table)
      let writer = try transaction.writer(of: table)
      // Numbers without a pattern, so that the nodes do not fit the root page.
      for number in 0..<2000 as Range<Int64> {
        try writer.setInt(number * number << 20, column, row: try writer.insertRow())
      }
      return (table, column)
    }
    let pinned = try store.latestSnapshot()
    for round in 0..<200 {
      try store.write { transaction in
        let writer = try transaction.writer(of: table)
        for row in stride(from: 7, to: 2000, by: 7) { try writer.setInt(Int64(round), column, row: RowKey(Int64(row))) }
      }
    }
    #expect(try tables(folder.file()).contains("retired"))
    #expect(try pinned.cluster(0, of: table)?.int(column, slot: 7) == 49 << 20)
    try store.verify()
  }
}
