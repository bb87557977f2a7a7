import AdapterKit
import ChangesetOT
import CommitFeed
import DataModel
import ObjectServer
import PostgresClient
import RecordStore

// One transaction of the database becomes one of a realm.

extension ConnectorEngine {
  /// Writes the changes to the realm, with their position in the log: what was written before is passed over.
  ///
  /// - Returns: the rows of objects that link to what was made, which are to be looked at again once all realms of the transaction have it.
  func carry(
    _ changes: SquashedChanges, of transaction: DatabaseTransaction, to path: String
  ) async throws -> WritesUnderWay.Written {
    let ranks = try self.ranks(changes)
    let hold = try await held(path)
    let (name, number, known) = (adapterName, transaction.end.rawValue, bases[path])
    let time = Self.time(transaction)
    let (work, dead, others) = (SendableBox((changes, ranks)), deadRows, SendableBox(othersChanges(path)))
    let wanted = Self.storable(configuration.schema, tables(of: path))
    // Nothing is written yet: dead letters are kept first, so that a crash does not lose them.
    let (isNew, realmTables) = (positions[path] == nil, tables(of: path))
    typealias Plan = (writes: RealmWrites, base: ServerVersion, position: SaltedServerVersion, isUntouched: Bool)
    let planned = try await hold.perform { history -> SendableBox<(plan: Plan?, linked: WritesUnderWay.Written)> in
      let adapter = try Self.adapter(name, path, history)
      guard try adapter.written().client.rawValue < number else {
        // A crash may have come between the objects and the rows that link to them.
        let made = try work.value.0.rows.compactMap { try Self.made($0.change, $0.table) }
        return SendableBox((nil, try Self.referrers(of: made, in: history.file.contents())))
      }
      let base = try known ?? max(adapter.written().server, adapter.storedPosition())
      let (position, contents) = try adapter.present()
      var writes = RealmWrites(
        contents, isDead: { dead.contains("\($0) \($1)") },
        othersChanged: Self.othersChanged(others.value, adapter, since: try adapter.storedPosition()))
      try writes.add(work.value.0, ranks: work.value.1)
      let plan = (writes, base, position, try adapter.storedPosition() == position.version)
      return SendableBox((plan, try Self.referrers(of: writes.made, in: contents)))
    }
    let linked = planned.value.linked
    guard let (writes, base, position, isUntouched) = planned.value.plan else { return linked }
    for var letter in writes.dead {
      (letter.realm, letter.position) = (path, transaction.end.description)
      try keep(letter)
    }
    var rest = writes
    for (object, key) in writes.revived { try revive(object, key, &rest) }
    let steps = SendableBox(rest)
    let refused = try await hold.write { history -> AdapterError? in
      let writes = steps.value
      if !writes.mergedLists.isEmpty {
        // Another author: what both sides did to a list goes back to the table as any commit of others.
        let merger = try Self.adapter(name + " lists", path, history)
        try merger.write(
          writes.mergedLists, number: number, base: position.version, time: time, sizes: writes.sizes)
      }
      let adapter = try Self.adapter(name, path, history)
      do {
        try adapter.write(
          Self.missing(wanted, in: writes.contents.schema) + writes.steps, number: number, base: base, time: time,
          sizes: writes.sizes)
        return nil
      } catch let error as AdapterError {
        return error
      }
    }
    if isNew, isUntouched, realmTables.allSatisfy({ writes.contents.count(of: $0.className) == 0 }) {
      // The realm had nothing for the tables, and no deletion that they would have to hear of: it is followed from there.
      try storePosition(position, path)
      positions[path] = position
    }
    if let refused {
      try await give(up: changes, transaction, path, hold, base, refused)
      return [:]
    }
    return linked
  }

  /// Keeps the rows of a transaction that a realm refuses, and moves past it.
  private func give(
    up changes: SquashedChanges, _ transaction: DatabaseTransaction, _ path: String, _ hold: RealmHold,
    _ base: ServerVersion, _ error: AdapterError
  ) async throws {
    for (change, table) in changes.rows {
      try keep(
        DeadLetter(
          direction: .toRealm, position: transaction.end.description, realm: path, className: table.className,
          key: change.row[table.key.name]?.text ?? "", reason: error.description))
    }
    for (table, sub, owner, _) in changes.lists {
      try keep(
        DeadLetter(
          direction: .toRealm, position: transaction.end.description, realm: path, className: table.className,
          key: owner, reason: "\(sub.name): \(error.description)"))
    }
    let (name, number, time) = (adapterName, transaction.end.rawValue, Self.time(transaction))
    try await hold.perform { history in
      try Self.adapter(name, path, history).write([], number: number, base: base, time: time)
    }
  }

  static func time(_ transaction: DatabaseTransaction) -> OriginTimestamp {
    OriginTimestamp(unixMilliseconds: transaction.microseconds / 1_000 + 946_684_800_000)
  }

  /// The changes of others to a realm since the version that the database has.
  func othersChanges(_ path: String) -> OthersChanges {
    if let changes = others[path] { return changes }
    let changes = OthersChanges()
    others[path] = changes
    return changes
  }

  /// Tells what others changed since the database's version of the realm; reads what is new of the history when it is first asked.
  static func othersChanged(
    _ changes: OthersChanges, _ adapter: RealmAdapter, since base: ServerVersion
  ) -> (_ object: ObjectReference, _ property: String?) throws -> Bool {
    var isRead = false
    return { object, property in
      if !isRead { try changes.read(adapter, since: base) }
      isRead = true
      return changes.touch(object, property, after: base)
    }
  }

  /// The places of the `idx` of each list that has new rows.
  func ranks(_ changes: SquashedChanges) throws -> [[Int: Int]] {
    try changes.lists.map { table, sub, owner, edit in
      sub.isList && !edit.added.isEmpty ? try ranks(table, sub, owner) : [:]
    }
  }

  /// The places of the `idx` of a list's rows, as they are now.
  private func ranks(_ table: ClassTable, _ sub: SubTable, _ owner: String) throws -> [Int: Int] {
    let rows = try reader.query(
      "SELECT idx FROM \(table.sqlName(of: sub)) WHERE oid = $1 ORDER BY idx", [owner])
    var ranks: [Int: Int] = [:]
    for row in 0..<rows.count { if let index = rows[row, 0].flatMap({ Int($0) }) { ranks[index] = row } }
    return ranks
  }

  /// Gives an object whose row had not fitted the rows that the tables beside have for it.
  private func revive(_ object: ObjectReference, _ key: String, _ writes: inout RealmWrites) throws {
    guard let table = tables.first(where: { $0.className == object.className }) else { return }
    for sub in table.subTables {
      let elements = try elements(table, sub, key).map { try sub.element($0) }
      let place = AdapterPlace(object, sub.property.name)
      switch sub.item(elements) {
      case .value: break
      case .embedded(let fields):
        writes.steps.append(.set(object, values: [sub.property.name: .embedded]))
        writes.fill(.embedded(fields), place)
      case let item: writes.fill(item, place)
      }
    }
  }

  /// The rows of a table beside as they are now.
  func elements(_ table: ClassTable, _ sub: SubTable, _ owner: String) throws -> [[String?]] {
    let names = sub.columns.map { PostgresConnection.quoted($0.name) }.joined(separator: ", ")
    let rows = try reader.query(
      "SELECT \(names) FROM \(table.sqlName(of: sub)) WHERE oid = $1" + (sub.isList ? " ORDER BY idx" : ""), [owner])
    return (0..<rows.count).map { rows.row($0) }
  }
}

extension RealmWrites {
  /// Adds all changes of a transaction.
  ///
  /// - Throws: `RecordStoreError` when the realm cannot be read.
  mutating func add(_ changes: SquashedChanges, ranks: [[Int: Int]]) throws {
    for (change, table) in changes.rows { try add(change, table) }
    for (table, sub) in changes.emptied { try empty(sub, of: table) }
    for ((table, sub, owner, edit), ranks) in zip(changes.lists, ranks) { try add(edit, ranks, table, sub, owner) }
  }

  /// Adds the edit of a list or an embedded object in a table beside.
  ///
  /// - Throws: `RecordStoreError` when the realm cannot be read.
  mutating func add(
    _ edit: ListEdit, _ ranks: [Int: Int], _ table: ClassTable, _ sub: SubTable, _ owner: String
  ) throws {
    do {
      let object = try table.reference(owner)
      // An object that is gone needs no list; one that is made for a known row gets all of it.
      guard try exists(object), revived[object] == nil else { return }
      let place = AdapterPlace(object, sub.property.name)
      if sub.isList {
        return try self.edit(place) { try edit.applied(to: $0, ranks: ranks) { try sub.element($0) } }
      }
      guard let new = edit.added.last else {
        if !edit.removed.isEmpty { steps.append(.set(object, values: [sub.property.name: .value(.null)])) }
        return
      }
      let item = try sub.element(new.texts)
      if let old = edit.removed.last, case .embedded? = try present(object, sub.property.name),
        let before = try? sub.element(old.texts)
      {
        return try change(item, from: before, place)
      }
      steps.append(.set(object, values: [sub.property.name: .embedded]))
      fill(item, place)
    } catch let error as Unfit {
      dead.append(
        DeadLetter(
          direction: .toRealm, className: table.className, key: owner, reason: "\(sub.name): \(error)"))
    }
  }
}
