import AdapterKit
import ChangesetOT
import CommitFeed
import DataModel
import ObjectServer
import Permissions
import PostgresClient
import RecordStore
import Telemetry

// The connector's own transactions, when they come through the slot.

extension ConnectorEngine {
  /// The marker of a transaction: what it carries, and the version of the realm that the database has with it.
  static func marker(_ position: SaltedServerVersion, _ path: String, _ kind: String = "rows") -> String {
    "\(kind) \(position.version.rawValue) \(position.salt) \(path)"
  }

  /// Takes note of what the connector wrote: from here on the database has that version of the realm. Where a row is not what the
  /// realm has now, both sides had changed it, and it is written again.
  func echoed(_ transaction: DatabaseTransaction, _ marker: String) async throws {
    let words = marker.split(separator: " ", maxSplits: 3).map(String.init)
    guard words.count == 4, let version = UInt64(words[1]), let salt = Int64(words[2]) else { return }
    let (kind, path) = (words[0], words[3])
    underWay.show(marker, path: path)
    guard let hold = try await hold(path) else { return }
    if kind != "load" { try await compare(transaction, path, hold, isAgain: kind == "again") }
    do {
      try await passed(SaltedServerVersion(version: ServerVersion(version), salt: salt), path, hold)
    } catch is FeedError {
      markChanged(path)
    }
  }

  /// Stores that a realm's history is not needed up to a position: every later transaction of the database is based on it.
  func passed(_ position: SaltedServerVersion, _ path: String, _ hold: RealmHold) async throws {
    guard position.version > bases[path] ?? .zero else { return }
    let name = adapterName
    try await hold.perform { history in
      var adapter = try Self.adapter(name, path, history)
      try adapter.advance(to: position)
    }
    bases[path] = position.version
  }

  /// Whether the slot has shown everything that the connector wrote from a realm. A base beyond an echo that is under way would take
  /// changes of rows before that echo for later ones.
  func isEchoed(_ path: String, _ hold: RealmHold) async throws -> Bool {
    let name = adapterName
    let shown = try await hold.perform { try Self.adapter(name, path, $0).storedPosition() }
    return max(bases[path] ?? .zero, shown) >= written[path] ?? .zero
  }

  /// Writes the rows of a transaction again that are not what their objects are.
  private func compare(
    _ transaction: DatabaseTransaction, _ path: String, _ hold: RealmHold, isAgain: Bool
  ) async throws {
    var changes = SquashedChanges()
    for change in transaction.changes {
      if let (table, sub) = table(change.table), sub == nil { changes.add(change, table) }
    }
    var beside: [(table: ClassTable, sub: SubTable, owner: String, digest: String)] = []
    for (name, owner, digest) in transaction.beside {
      if let (table, sub) = table(name), let sub { beside.append((table, sub, owner, digest)) }
    }
    let work = SendableBox((changes, beside))
    var different = try await hold.perform { history in
      try RowComparison.differences(work.value.0, beside: work.value.1, try history.file.contents())
    }
    for object in try await returned(transaction, hold) { different[object] = .some(nil) }
    different = underWay.rest(of: different, path: path)
    if isAgain {
      for (object, properties) in try await takeAltered(different, changes, transaction, path) {
        // The object has these values now; to write the row again would let the trigger alter them once more, without end.
        different[object] = different[object].flatMap { $0 }.map { $0.subtracting(properties) }
        if different[object]??.isEmpty == true { different[object] = nil }
      }
    }
    try await repairLater(different, path, hold)
  }

  /// Makes rows what their objects are, after a load that is under way.
  func repairLater(_ different: WritesUnderWay.Written, _ path: String, _ hold: RealmHold) async throws {
    guard !different.isEmpty else { return }
    guard !isExclusive else {
      // The lock of the load holds writers off. Another realm's rows wait for its end.
      if deferredRepairs.isEmpty { slot.begin() }
      return deferredRepairs[path, default: [:]].merge(different, uniquingKeysWith: WritesUnderWay.joined)
    }
    try await repair(different, path, hold)
  }

  /// The objects that are gone, had no row when the connector looked for it, and have one now: another transaction made it meanwhile.
  private func returned(_ transaction: DatabaseTransaction, _ hold: RealmHold) async throws -> [ObjectReference] {
    var objects: [ObjectReference] = []
    for (name, key) in transaction.gone {
      guard let (table, sub) = table(name), sub == nil, let object = try? table.reference(key) else { continue }
      let rows = try reader.query("SELECT 1 FROM \(table.sqlName) WHERE \(table.sqlKey) = $1", [key])
      guard rows.count > 0 else { continue }
      if try await hold.perform({ try $0.file.contents().object(object) }) == nil { objects.append(object) }
    }
    return objects
  }

  /// Writes the repairs that waited for a load.
  func repairDeferred() async throws {
    let waiting = deferredRepairs
    guard !waiting.isEmpty else { return }
    deferredRepairs = [:]
    for (path, objects) in waiting.sorted(by: { $0.key < $1.key }) {
      guard let hold = try await hold(path) else { continue }
      try await repair(objects, path, hold)
    }
    slot.finish()
  }

  /// Makes rows what their objects are.
  private func repair(
    _ objects: [ObjectReference: Set<String>?], _ path: String, _ hold: RealmHold
  ) async throws {
    // Newer changes of the realm are on their way anyway.
    try await push(path)
    let rest = underWay.rest(of: objects, path: path)
    guard !rest.isEmpty else { return }
    for (object, properties) in rest.prefix(16) {
      logger.info(
        "both sides changed a row; it takes the merged state",
        [
          "path": .string(path), "class": .string(object.className), "key": .string("\(object.key)"),
          "properties": .string(properties?.sorted().joined(separator: ", ") ?? "all"),
        ])
    }
    let (tables, box) = (tables(of: path), SendableBox(rest))
    for attempt in 0... {
      guard let position = positions[path] else { return }
      let read = try await hold.perform { history in
        let contents = try history.file.contents()
        let writes = try RowWrites(
          box.value.map { ($0.key, $0.value) }, in: contents, at: position, tables, path: path)
        return SendableBox((writes, contents))
      }
      let (found, contents) = read.value
      let writes = try withReturningLinks(withTargets(found, attempt, contents, path), contents, path)
      let written: WritesUnderWay.Written
      do {
        written = try await store(writes, path, marker: Self.marker(position, path, "again"))
      } catch let error as PostgresError where error.isForeignKeyViolation {
        guard attempt < Self.mostTargets else { return try await compareAll(path, hold) }
        continue
      }
      progress { $0.conflicts += writes.writes.count }
      for write in writes.writes {
        // A row that was given up does not come back through the slot.
        guard let object = writes.object(write), written[object] != nil, let row = write.row,
          write.columns?.isEmpty != true
        else { continue }
        let table = tables[write.table]
        // Other columns may have what others wrote before.
        let values = (write.columns ?? Array(table.columns.indices)).compactMap { index in
          (try? table.columns[index].item(row[index])).map { (table.columns[index].property.name, $0.comparable) }
        }
        rewritten[object, default: []].append(Dictionary(values, uniquingKeysWith: { first, _ in first }))
      }
      return
    }
  }

  /// Gives objects what the database made of rows that were written again: a trigger, or the form in which a column keeps its values.
  ///
  /// - Returns: the properties that took such values.
  private func takeAltered(
    _ different: [ObjectReference: Set<String>?], _ changes: SquashedChanges, _ transaction: DatabaseTransaction,
    _ path: String
  ) async throws -> [ObjectReference: Set<String>] {
    var taken = SquashedChanges()
    var properties: [ObjectReference: Set<String>] = [:]
    for (change, table) in changes.rows {
      guard let object = try change.row[table.key.name]?.text.map(table.reference),
        var writes = rewritten[object], !writes.isEmpty
      else { continue }
      let written = writes.removeFirst()
      rewritten[object] = writes.isEmpty ? nil : writes
      // Of several writes on their way the last one counts.
      guard writes.isEmpty, change.kind != .delete, let differing = different[object] ?? nil else { continue }
      let altered = table.columns.filter { column in
        guard differing.contains(column.property.name), let there = try? column.item(change.row[column.name]?.text)
        else {
          return false
        }
        return written[column.property.name].map { $0 != there.comparable } ?? false
      }
      guard !altered.isEmpty else { continue }
      properties[object] = Set(altered.map(\.property.name))
      let names = Set(altered.map(\.name))
      var change = change
      change.kind = .update
      // The altered columns alone count as changed.
      change.old = change.row.filter { !names.contains($0.key) }
      taken.add(change, table)
    }
    guard !taken.rows.isEmpty else { return [:] }
    logger.info(
      "the database keeps other values than those that were written, as by a trigger; the objects take them",
      ["path": .string(path), "rows": LogValue(taken.rows.count)])
    let linked = try await carry(taken, of: transaction, to: path)
    if let hold = try await hold(path) { try await repairLater(linked, path, hold) }
    return properties
  }
}
