import PostgresClient

/// Transactions of the database that are written to their realms together, so that a connector that is behind pays for one commit of a realm
/// and not for each of them. A pure value.
struct TransactionBatch {
  /// The most transactions.
  static let limit = 64
  /// The most rows of several transactions, which are in memory, and hold the realm, together.
  static let mostRows = 1_024

  private var transactions: [DatabaseTransaction] = []
  private var rows: Set<String> = []

  /// Adds a transaction.
  ///
  /// - Parameter table: the table of a class with a name, or one beside it.
  /// - Returns: false when it has to come after the others: they are many, one of them touches a row of its own, or it empties a table.
  mutating func add(
    _ transaction: DatabaseTransaction, _ table: (_ name: String) -> (table: ClassTable, sub: SubTable?)?
  ) -> Bool {
    guard transactions.count < Self.limit else { return false }
    var touched: Set<String> = []
    for change in transaction.changes {
      guard change.kind != .truncate else { return false }
      guard let (table, sub) = table(change.table) else { continue }
      let name = sub == nil ? table.key.name : "oid"
      for key in [change.row[name]?.text, change.old?[name]?.text] {
        if let key { touched.insert("\(table.name) \(key)") }
      }
    }
    guard transactions.isEmpty || rows.count + touched.count <= Self.mostRows, rows.isDisjoint(with: touched) else {
      return false
    }
    rows.formUnion(touched)
    transactions.append(transaction)
    return true
  }

  /// Takes the transactions, in their order.
  mutating func take() -> [DatabaseTransaction] {
    defer { self = TransactionBatch() }
    return transactions
  }
}
