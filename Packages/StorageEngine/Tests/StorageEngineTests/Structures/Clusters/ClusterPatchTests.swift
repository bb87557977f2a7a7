import TestKit
import Testing

@testable import StorageEngine

@Suite struct ClusterPatchTests {
  private struct Columns {
    var number = ColumnID(0)
    var text = ColumnID(0)
    var data = ColumnID(0)
    var real = ColumnID(0)
  }

  /// The expected content of a row; nil for a dead one.
  private struct Row: Equatable {
    var number: Int64 = 0
    var text: String?
    var data: [UInt8] = []
    var real: Double?
  }

  private func make(_ transaction: WriteTransaction) throws -> (TableID, Columns) {
    let table = try transaction.createTable("T")
    var columns = Columns()
    columns.number = try transaction.addColumn("number", .int, to: table)
    columns.text = try transaction.addColumn("text", .string, isNullable: true, to: table)
    columns.data = try transaction.addColumn("data", .data, to: table)
    columns.real = try transaction.addColumn("real", .double, isNullable: true, to: table)
    return (table, columns)
  }

  private func read(_ store: Store, _ table: TableID, _ columns: Columns) throws -> [Row?] {
    let snapshot = try store.latestSnapshot()
    var rows: [Row?] = []
    for number in 0..<snapshot.nextRow(of: table).rawValue {
      let (row, slot) = (RowKey(number), RowKey(number).slot)
      guard let cluster = try snapshot.cluster(of: row, in: table), cluster.isAlive(slot) else {
        rows.append(nil)
        continue
      }
      rows.append(
        Row(
          number: cluster.int(columns.number, slot: slot),
          text: cluster.isNull(columns.text, slot: slot) ? nil : try cluster.string(columns.text, slot: slot),
          data: try cluster.withBytes(columns.data, slot: slot) { Array($0) },
          real: cluster.isNull(columns.real, slot: slot) ? nil : cluster.double(columns.real, slot: slot)))
    }
    return rows
  }

  private func patches(_ store: Store) throws -> [[UInt8]] {
    try store.nodeContents().filter { $0[0] == NodeKind.clusterPatch.rawValue }
  }

  @Test("cells that change commit by commit equal a model, also after opening again", arguments: Seeds.some(4))
  func equalsModel(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    var model: [Row?] = []
    var made: (table: TableID, columns: Columns)?
    var wasPatched = false
    for _ in 0..<4 {
      let store = try Store.open(.file(path: folder.file()), configuration: configuration)
      for _ in 0..<60 {
        try store.write { transaction in
          let (table, columns) = try made ?? make(transaction)
          made = (table, columns)
          let writer = try transaction.writer(of: table)
          while model.count < 300 {
            _ = try writer.insertRow()
            model.append(Row())
          }
          // Mostly one column a commit, so that patches lack the others.
          let kind = Int.random(in: 0..<8, using: &random)
          for _ in 0..<Int.random(in: 1...6, using: &random) {
            let number = Int.random(in: 0..<model.count, using: &random)
            let row = RowKey(Int64(number))
            guard model[number] != nil else { continue }
            switch kind {
            case 0, 1:
              model[number]?.number = Int64.random(in: -9...9, using: &random)
              try writer.setInt(model[number]?.number ?? 0, columns.number, row: row)
            case 2:
              let text =
                Bool.random(using: &random) ? nil : String(repeating: "x", count: Int.random(in: 0..<9, using: &random))
              model[number]?.text = text
              if let text {
                try writer.setString(text, columns.text, row: row)
              } else {
                try writer.setNull(columns.text, row: row)
              }
            case 3, 4:
              // Long ones lie in nodes of their own.
              let data = [UInt8](
                repeating: .random(in: 0...9, using: &random), count: Bool.random(using: &random) ? 3 : 2000)
              model[number]?.data = data
              try writer.setData(data, columns.data, row: row)
            case 5:
              let real = Bool.random(using: &random) ? nil : Double.random(in: 0..<1, using: &random)
              model[number]?.real = real
              if let real {
                try writer.setDouble(real, columns.real, row: row)
              } else {
                try writer.setNull(columns.real, row: row)
              }
            case 6:
              model[number] = nil
              try writer.deleteRow(row)
            default:
              _ = try writer.insertRow()
              model.append(Row())
            }
          }
        }
        let (table, columns) = try #require(made)
        let isEqual = try read(store, table, columns) == model
        #expect(isEqual, "SEED=\(seed)")
        wasPatched = try wasPatched || !patches(store).isEmpty
      }
      try store.verify()
    }
    #expect(wasPatched)
  }

  @Test("a changed cell costs its own bytes, and a new row all of its own")
  func cost() throws {
    let store = try Store.open(.inMemory(name: "cluster patches"))
    let (table, columns) = try store.write { transaction in
      let (table, columns) = try make(transaction)
      let writer = try transaction.writer(of: table)
      for number in 0..<200 as Range<Int64> {
        let row = try writer.insertRow()
        try writer.setString(String(repeating: "long ", count: 20), columns.text, row: row)
        try writer.setInt(number, columns.number, row: row)
      }
      return (table, columns)
    }
    for row in 0..<20 as Range<Int64> {
      try store.write { try $0.writer(of: table).setInt(7, columns.number, row: RowKey(row)) }
    }
    #expect(try patches(store).map(\.count).max() ?? 0 < 120)
    try store.write { transaction in
      let writer = try transaction.writer(of: table)
      try writer.setString("new", columns.text, row: try writer.insertRow())
    }
    #expect(try patches(store).map(\.count).max() ?? 0 > 2000)
    try store.verify()
  }

  @Test("a patch that lacks cells of a row that it adds is damage")
  func lacking() throws {
    let store = try Store.open(.inMemory(name: "lacking patches"))
    let transaction = try store.beginWrite()
    defer { transaction.rollback() }
    let (table, columns) = try make(transaction)
    let writer = try transaction.writer(of: table)
    for number in 0..<99 as Range<Int64> {
      try writer.setInt(number, columns.number, row: try writer.insertRow())
    }
    let nodes = transaction.state.store
    let cluster = try #require(try writer.cluster(0))
    let full = try #require(try writer.write(cluster)).id
    /// A patch of one column, of a row that is there or of one that is not.
    func patch(_ slot: Int) throws -> Int64 {
      let changed = cluster.copy(shapes: writer.shapes.present)
      if slot >= 99 { changed.insertRow(slot, shapes: writer.shapes.present) }
      changed.markSet(columns.number.rawValue, slot)
      changed.fullNode = full
      changed.patchedColumns = Cluster.bit(of: columns.number.rawValue)
      return try nodes.write(changed.encodedPatch()).id
    }
    let read = try nodes.loader.node(patch(3), Cluster.self)
    #expect(read.int(columns.number, slot: 3) == 3)
    #expect(read.rowCount == 99)
    #expect(read.patchedColumns == 1)
    let error = #expect(throws: StorageError.self) { try nodes.loader.node(try patch(99), Cluster.self) }
    #expect(error?.code == .corrupt)
  }
}
