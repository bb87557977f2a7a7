import PostgresClient
import Testing

@testable import PostgresConnector

@Suite("transactions that are written together")
struct TransactionBatchTests {
  private let tables: [ClassTable]

  init() throws {
    let settings = """
      name = "a"
      [realm]
      path = "/shop"
      [class.Item]
      primary-key = "id"
      id = "int"
      tags = "string[]"
      [class.Customer]
      primary-key = "id"
      id = "int"
      """
    tables = try TablePlan(configuration: try ConnectorConfiguration(toml: settings), found: [:]).tables()
  }

  private func table(_ name: String) -> (table: ClassTable, sub: SubTable?)? {
    for table in tables {
      if table.name == name { return (table, nil) }
      if let sub = table.subTables.first(where: { $0.name == name }) { return (table, sub) }
    }
    return nil
  }

  private func transaction(
    _ kind: DatabaseTransaction.Change.Kind, _ table: String, _ row: [String: String], old: [String: String]? = nil
  ) -> DatabaseTransaction {
    var transaction = DatabaseTransaction()
    transaction.changes = [
      .init(
        kind: kind, table: table, row: row.mapValues { .text($0) }, old: old.map { $0.mapValues { .text($0) } })
    ]
    return transaction
  }

  @Test("one that touches a row of another, its key before, or a list of it waits; those of other rows do not")
  func rows() {
    var batch = TransactionBatch()
    let added = [
      transaction(.insert, "Item", ["id": "1"]), transaction(.insert, "Customer", ["id": "1"]),
      transaction(.update, "Item", ["id": "2"], old: ["id": "3"]), transaction(.delete, "Item", ["id": "1"]),
      transaction(.insert, "Item", ["id": "3"]),
      transaction(.insert, "Item_tags", ["oid": "2", "idx": "0", "target": "x"]),
      transaction(.insert, "Item_tags", ["oid": "4", "idx": "0", "target": "x"]),
      transaction(.update, "Item", ["id": "4"]),
    ].map { batch.add($0, table) }
    #expect(added == [true, true, true, false, false, false, true, false])
    let taken = [batch.take().count, batch.take().count]
    #expect(taken == [4, 0])
    let isAdded = batch.add(transaction(.update, "Item", ["id": "4"]), table)
    #expect(isAdded)
  }

  @Test("one that empties a table is alone, and there is a limit")
  func limits() {
    var batch = TransactionBatch()
    let isAdded = batch.add(transaction(.truncate, "Item", [:]), table)
    #expect(!isAdded)
    let added = (0...TransactionBatch.limit).filter { batch.add(transaction(.insert, "Item", ["id": "\($0)"]), table) }
    #expect(added == Array(0..<TransactionBatch.limit))
  }

  @Test("one of many rows is taken alone, and what comes with it is not too many rows")
  func size() {
    var large = DatabaseTransaction()
    for number in 0...TransactionBatch.mostRows {
      large.changes += transaction(.insert, "Item", ["id": "\(number)"]).changes
    }
    var batch = TransactionBatch()
    let small = transaction(.insert, "Customer", ["id": "1"])
    let added = [large, small].map { batch.add($0, table) } + [batch.take().count == 1]
    #expect(added == [true, false, true])
    let turned = [small, large].map { batch.add($0, table) }
    #expect(turned == [true, false])
  }
}
