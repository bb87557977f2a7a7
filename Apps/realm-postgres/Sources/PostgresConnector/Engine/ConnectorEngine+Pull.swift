import AdapterKit
import ChangesetOT
import CommitFeed
import DataModel
import Foundation
import ObjectServer
import Permissions
import PostgresClient
import RecordStore
import Telemetry

// From the tables to the realms.

extension ConnectorEngine {
  /// The time after which the other direction has its turn. Of many changes of a realm that wait its tables get the last state alone; and
  /// a list that is written while changes of its rows wait in the slot is written once more for them. So a connector that is behind does
  /// well to take much of the slot first.
  private static let longestPull = Duration.seconds(20)

  /// Carries over what the slot has.
  ///
  /// - Returns: whether there was something.
  func pull() async throws -> Bool {
    guard let stream else { return false }
    var count = 0
    var batch = TransactionBatch()
    let end = ContinuousClock.now + Self.longestPull
    while ContinuousClock.now < end, !isStopping(), let message = try stream.next() {
      switch message {
      case .keepalive(let end, _):
        try await apply(&batch)
        if !assembler.isOpen { slot.reach(end) }
        try stream.confirm(slot.done)
      case .data(let bytes):
        guard let transaction = assembler.add(try PgOutputMessage(bytes)) else { continue }
        count += 1
        let isOwn = transaction.origin == (try database.origin)
        let isPlain = !isOwn && transaction.barrier == nil && assembler.changedTables.isEmpty
        if isPlain, batch.add(transaction, table) { continue }
        try await apply(&batch)
        if isPlain, batch.add(transaction, table) { continue }
        slot.begin()
        try await apply(transaction)
        slot.reach(transaction.end)
        slot.finish()
        try stream.confirm(slot.done)
      }
    }
    try await apply(&batch)
    return count > 0
  }

  /// Carries over everything that was committed before the call.
  ///
  /// - Throws: ``StoppedError`` when the connector is stopped meanwhile.
  func drain() async throws {
    let token = UUID().uuidString
    try database.side.query(
      "SELECT pg_logical_emit_message(true, $1, $2)", [Self.prefix(configuration) + " barrier", token])
    barriers.insert(token)
    while barriers.contains(token) {
      guard !isStopping() else { throw StoppedError() }
      if try await !pull() { stream?.wait(or: wake.descriptor, milliseconds: 50) }
      releaseWanted()
      wake.clear()
    }
  }

  private func apply(_ transaction: DatabaseTransaction) async throws {
    try note(transaction)
    if let token = transaction.barrier { barriers.remove(token) }
    let changed = assembler.takeChangedTables()
    if !changed.isEmpty { try await noteTables(changed) }
    if transaction.origin == (try database.origin) {
      if let marker = transaction.marker { try await echoed(transaction, marker) }
      return
    }
    try await carry([transaction])
  }

  /// Carries over transactions of others that wait to be written together.
  private func apply(_ batch: inout TransactionBatch) async throws {
    let transactions = batch.take()
    guard let last = transactions.last else { return }
    slot.begin()
    for transaction in transactions { try note(transaction) }
    try await carry(transactions)
    slot.reach(last.end)
    slot.finish()
    try stream?.confirm(slot.done)
  }

  /// Carries over transactions of others of which no two touch the same row.
  private func carry(_ transactions: [DatabaseTransaction]) async throws {
    var paths: [String] = []
    var parts: [String: [RealmPart]] = [:]
    for transaction in transactions where !transaction.changes.isEmpty {
      for (path, changes) in try grouped(transaction) {
        if parts[path] == nil { paths.append(path) }
        parts[path, default: []].append((changes, transaction))
      }
      progress { $0.transactions += 1 }
    }
    // A repair may wait for what the slot has next. No realm may get that before what is carried here.
    var linked: [(path: String, rows: WritesUnderWay.Written)] = []
    for path in paths { linked.append((path, try await carry(parts[path] ?? [], to: path))) }
    for (path, rows) in linked where !rows.isEmpty { try await repairLater(rows, path, try await held(path)) }
  }

  /// The table of a class, or one beside it with the class that has it.
  func table(_ name: String) -> (table: ClassTable, sub: SubTable?)? {
    for table in tables {
      if table.name == name { return (table, nil) }
      if let sub = table.subTables.first(where: { $0.name == name }) { return (table, sub) }
    }
    return nil
  }

  // MARK: Realms of rows

  /// The changes by the paths of their realms, in order.
  private func grouped(_ transaction: DatabaseTransaction) throws -> [(path: String, changes: SquashedChanges)] {
    var groups: [(path: String, changes: SquashedChanges)] = []
    /// Where the owners of lists are, as the transaction says.
    var owners: [String: String] = [:]
    for change in transaction.changes {
      guard let (table, sub) = table(change.table), sub == nil, let key = change.row[table.key.name]?.text,
        let path = table.template.path({ change.row[$0]?.text })
      else { continue }
      owners["\(table.name) \(key)"] = path
    }
    for change in transaction.changes {
      guard let (table, sub) = table(change.table) else { continue }
      for path in try paths(of: change, table, sub, owners, transaction) where follows(path) {
        let number = groups.firstIndex { $0.path == path } ?? groups.count
        if number == groups.count { groups.append((path, SquashedChanges())) }
        if let sub {
          groups[number].changes.add(change, table, sub)
        } else {
          groups[number].changes.add(Self.within(change, path, table), table)
        }
      }
    }
    return groups
  }

  /// The change as one realm sees it: a row whose path columns changed leaves one and comes to another.
  private static func within(
    _ change: DatabaseTransaction.Change, _ path: String, _ table: ClassTable
  ) -> DatabaseTransaction.Change {
    guard change.kind == .update, let old = change.old, !table.template.columns.isEmpty else { return change }
    let (was, becomes) = (table.template.path { old[$0]?.text }, table.template.path { change.row[$0]?.text })
    guard was != becomes else { return change }
    var change = change
    if becomes == path { change.kind = .insert } else { (change.kind, change.row) = (.delete, old) }
    change.old = nil
    return change
  }

  private func paths(
    of change: DatabaseTransaction.Change, _ table: ClassTable, _ sub: SubTable?, _ owners: [String: String],
    _ transaction: DatabaseTransaction
  ) throws -> [String] {
    let template = table.template
    if template.columns.isEmpty { return template.path { _ in nil }.map { [$0] } ?? [] }
    if change.kind == .truncate { return positions.keys.filter { template.columns(of: $0) != nil }.sorted() }
    if sub != nil {
      let keys = Set([change.row["oid"]?.text, change.old?["oid"]?.text].compactMap(\.self))
      return try Set(keys.compactMap { try owners["\(table.name) \($0)"] ?? path(of: $0, table) }).sorted()
    }
    let new = template.path { change.row[$0]?.text }
    let old = change.old.flatMap { old in template.path { old[$0]?.text } }
    guard new != nil || old != nil else {
      try keep(
        DeadLetter(
          direction: .toRealm, position: transaction.end.description, className: table.className,
          key: change.row[table.key.name]?.text ?? "",
          reason: "the columns \(template.columns.joined(separator: ", ")) name no realm"))
      return []
    }
    return Set([new, old].compactMap(\.self)).sorted()
  }

  /// The path of the realm of a row that the transaction did not touch.
  private func path(of key: String, _ table: ClassTable) throws -> String? {
    let names = table.template.columns
    let row = try reader.query(
      "SELECT \(names.map(PostgresConnection.quoted).joined(separator: ", ")) FROM \(table.sqlName) "
        + "WHERE \(table.sqlKey) = $1", [key])
    guard row.count == 1 else { return nil }
    return table.template.path { name in names.firstIndex(of: name).flatMap { row[0, $0] } }
  }

  /// Keeps what does not fit, with the reason.
  func keep(_ letter: DeadLetter) throws {
    if letter.direction == .toRealm { deadRows.insert("\(letter.className) \(letter.key)") }
    guard try database.keep(letter) else { return }
    progress { $0.deadLetters += 1 }
    logger.warn(
      "a row does not fit and is kept in openrealm.dead_letters",
      [
        "class": .string(letter.className), "key": .string(letter.key), "path": .string(letter.realm),
        "direction": .string(letter.direction.rawValue), "reason": .string(letter.reason),
      ])
  }
}
