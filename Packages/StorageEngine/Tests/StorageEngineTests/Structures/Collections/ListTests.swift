import StorageEngine
import TestKit
import Testing

@Suite struct ListTests {
  @Test("a long list equals an array under random edits over many commits", arguments: Seeds.some(2))
  func equalsArray(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store.open(.inMemory(name: "list\(seed)"))
    let (table, column, row) = try store.write { transaction in
      let table = try transaction.createTable("T")
      let column = try transaction.addColumn("list", .list, to: table)
      return (table, column, try transaction.writer(of: table).insertRow())
    }
    var model = (0..<20_000).map { StoredValue.int(Int64($0)) }
    try store.write { try $0.writer(of: table).appendElements(model, column, row: row) }
    for _ in 0..<6 {
      try store.write { transaction in
        let writer = try transaction.writer(of: table)
        for _ in 0..<60 {
          let position = Int.random(in: 0..<model.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0:
            model.insert(.string("new"), at: position)
            try writer.insertElement(.string("new"), at: position, column, row: row)
          case 1:
            for _ in 0..<min(150, model.count - position) {
              model.remove(at: position)
              try writer.removeElement(at: position, column, row: row)
            }
          case 2:
            model[position] = .null
            try writer.setElement(.null, at: position, column, row: row)
          default:
            let target = Int.random(in: 0..<model.count, using: &random)
            model.insert(model.remove(at: position), at: target)
            try writer.moveElement(from: position, to: target, column, row: row)
          }
        }
      }
      let list = try store.latestSnapshot().list(column, row: row, of: table)
      #expect(list.count == model.count, "SEED=\(seed)")
      #expect(try list.elements() == model, "SEED=\(seed)")
      let position = Int.random(in: 0..<model.count, using: &random)
      #expect(try list.element(at: position) == model[position], "SEED=\(seed)")
    }
    try store.verify()
  }

  @Test("one insertion into a list of 100,000 rewrites a few pages only")
  func insertionIsLocal() throws {
    let store = try Store.open(.inMemory(name: "local"))
    let (table, column, row) = try store.write { transaction in
      let table = try transaction.createTable("T")
      let column = try transaction.addColumn("list", .list, to: table)
      let writer = try transaction.writer(of: table)
      let row = try writer.insertRow()
      try writer.appendElements((0..<100_000).lazy.map { .int(Int64($0)) }, column, row: row)
      return (table, column, row)
    }
    let before = try store.statistics().retiredNodeCount
    try store.write { try $0.writer(of: table).insertElement(.int(-1), at: 50_000, column, row: row) }
    #expect(try store.statistics().retiredNodeCount - before < 12)
    #expect(try store.latestSnapshot().list(column, row: row, of: table).element(at: 50_000) == .int(-1))
  }
}
