import DataModel
import PostgresClient

/// A transaction of the database, as the slot tells it.
struct DatabaseTransaction {
  /// One change of a row.
  struct Change {
    enum Kind {
      case insert, update, delete, truncate
    }

    var kind: Kind
    var table: String
    /// The new row; the old one of a deletion.
    var row: [String: PgColumnValue]
    /// The old row of an update.
    var old: [String: PgColumnValue]?
  }

  /// The low 32 bits of its number.
  var number: UInt32 = 0
  /// The position behind it.
  var end = LogPosition(0)
  /// Microseconds since 2000.
  var microseconds: Int64 = 0
  /// The replication origin; nil for a transaction that was made here.
  var origin: String?
  var changes: [Change] = []
  /// The text that the connector itself left in it.
  var marker: String?
  /// Rows that the connector wanted to delete, and that were not there: table and key.
  var gone: [(table: String, key: String)] = []
  /// Tables beside with the objects whose rows the connector wrote there, and the digests of all these rows.
  var beside: [(table: String, key: String, digest: String)] = []
  /// The token of a barrier.
  var barrier: String?
}

/// Puts messages of the slot together to transactions. A pure value.
struct TransactionAssembler {
  private let prefix: String
  private let namespace: String
  private var relations: [UInt32: PgRelation] = [:]
  private var open: DatabaseTransaction?
  /// The tables whose columns are not those of before, or that the stream has for the first time: they may have changed while nobody
  /// followed them.
  private(set) var changedTables: Set<String> = []

  /// - Parameter prefix: that of the connector's own markers; barriers have it with a further word.
  init(prefix: String, namespace: String) {
    self.prefix = prefix
    self.namespace = namespace
  }

  /// Whether a transaction has begun and not ended.
  var isOpen: Bool { open != nil }

  /// The tables whose columns have changed since the last call.
  mutating func takeChangedTables() -> Set<String> {
    defer { changedTables = [] }
    return changedTables
  }

  /// Takes a message. The rows of the connector's own loads are left out.
  ///
  /// - Returns: the transaction that it completes.
  mutating func add(_ message: PgOutputMessage) -> DatabaseTransaction? {
    switch message {
    case .begin(_, let microseconds, let number):
      open = DatabaseTransaction(number: number, microseconds: microseconds)
    case .origin(let name): open?.origin = name
    case .relation(let relation):
      let known = relations[relation.id]
      if known?.columns != relation.columns || known?.types != relation.types { changedTables.insert(relation.name) }
      relations[relation.id] = relation
    case .insert(let id, let row): change(.insert, id, row, nil)
    case .update(let id, let old, let new): change(.update, id, new, old)
    case .delete(let id, let old): change(.delete, id, old, nil)
    case .truncate(let ids): for id in ids { change(.truncate, id, [], nil) }
    case .message(let prefix, let content):
      if prefix == self.prefix { open?.marker = content }
      if prefix == self.prefix + " gone", let tab = content.firstIndex(of: "\t") {
        open?.gone.append((String(content[..<tab]), String(content[content.index(after: tab)...])))
      }
      if prefix == self.prefix + " rows" {
        let parts = content.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 3 { open?.beside.append((parts[0], parts[2], parts[1])) }
      }
      if prefix == self.prefix + " barrier" { open?.barrier = content }
    case .other: break
    case .commit(let end):
      defer { open = nil }
      open?.end = end
      return open
    }
    return nil
  }

  private mutating func change(
    _ kind: DatabaseTransaction.Change.Kind, _ id: UInt32, _ row: [PgColumnValue], _ old: [PgColumnValue]?
  ) {
    guard let relation = relations[id], relation.namespace == namespace else { return }
    if open?.origin != nil, open?.marker?.hasPrefix("load ") == true { return }
    func named(_ row: [PgColumnValue]) -> [String: PgColumnValue] {
      Dictionary(zip(relation.columns, row), uniquingKeysWith: { first, _ in first })
    }
    var new = named(row)
    let old = old.map(named)
    // A large value that did not change stands in the old row.
    for (name, value) in new where value == .unchanged { new[name] = old?[name] ?? .unchanged }
    open?.changes.append(DatabaseTransaction.Change(kind: kind, table: relation.name, row: new, old: old))
  }
}

extension PgColumnValue {
  /// The text; nil for NULL.
  var text: String? { if case .text(let text) = self { text } else { nil } }
}
