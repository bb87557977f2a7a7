import AdapterKit
import ChangesetOT
import CommitFeed
import DataModel
import ObjectServer
import PostgresClient
import RecordStore

// Realms are filled from the tables.

extension ConnectorEngine {
  private static let rowsAtOnce = 5_000

  /// Fills realms with the rows of the tables, from where an earlier load stopped. What changes meanwhile comes through the slot,
  /// which is older.
  func loadRealms() async throws {
    let states = try loadStates("")
    for table in tables where states[table.className]?.isDone != true {
      let state = states[table.className]
      try await loadRealm(table, after: state?.lastKey, rows: state?.rows ?? 0, only: nil, keepsState: true)
    }
  }

  /// Fills realms with the rows of one table.
  ///
  /// - Parameters:
  ///   - only: the realm that is filled; nil for all.
  ///   - keepsState: whether the load goes on where it was when it is interrupted.
  func loadRealm(
    _ table: ClassTable, after key: String?, rows: Int, only: String?, keepsState: Bool
  ) async throws {
    let reader = try reader
    let scope = only.map { table.scope(table.template.columns(of: $0) ?? [:]) } ?? ""
    let names = table.rowNames.map(PostgresConnection.quoted).joined(separator: ", ")
    let total =
      try reader.query("SELECT count(*) FROM \(table.sqlName) WHERE true\(scope)")[0, 0].flatMap { Int($0) } ?? 0
    var meter = LoadMeter(total, done: rows, "\(table.className) from PostgreSQL", logger)
    var (last, count) = (key, rows)
    while true {
      guard !isStopping() else { throw StoppedError() }
      let result = try reader.query(
        "SELECT \(names) FROM \(table.sqlName) WHERE \(last == nil ? "true" : "\(table.sqlKey) > $1")\(scope) "
          + "ORDER BY \(table.sqlKey) LIMIT \(Self.rowsAtOnce)", last.map { [$0] } ?? [])
      guard result.count > 0 else { break }
      var groups: [String: [[String?]]] = [:]
      for number in 0..<result.count {
        let row = result.row(number)
        let path = table.template.path { name in table.rowNames.firstIndex(of: name).flatMap { row[$0] } }
        guard let path else {
          try keep(
            DeadLetter(
              direction: .toRealm, position: "load", className: table.className, key: row[0] ?? "",
              reason: "the columns \(table.template.columns.joined(separator: ", ")) name no realm"))
          continue
        }
        if follows(path) { groups[path, default: []].append(row) }
      }
      for (path, rows) in groups.sorted(by: { $0.key < $1.key }) { try await write(rows, table, to: path) }
      last = result[result.count - 1, 0]
      count += result.count
      meter.add(result.count)
      if keepsState { try storeLoad("", table.className, key: last, rows: count, isDone: false) }
    }
    meter.end()
    if keepsState { try storeLoad("", table.className, key: last, rows: count, isDone: true) }
  }

  private func write(_ rows: [[String?]], _ table: ClassTable, to path: String) async throws {
    var beside: [[String: [[String?]]]] = []
    for sub in table.subTables {
      let names = sub.columns.map { PostgresConnection.quoted($0.name) }.joined(separator: ", ")
      let result = try reader.query(
        "SELECT oid, \(names) FROM \(table.sqlName(of: sub)) WHERE oid = ANY($1::\(table.key.sqlType)[]) ORDER BY oid"
          + (sub.isList ? ", idx" : ""), [ArrayText.text(rows.map { $0[0] })])
      var elements: [String: [[String?]]] = [:]
      for number in 0..<result.count {
        let row = result.row(number)
        if let owner = row[0] { elements[owner, default: []].append(Array(row.dropFirst())) }
      }
      beside.append(elements)
    }
    var dead: [DeadLetter] = []
    var records: [(object: ObjectReference, fields: [String: StateDump.Item])] = []
    for row in rows {
      guard let key = row[0] else { continue }
      do {
        var fields: [String: StateDump.Item] = [:]
        for (column, text) in zip(table.columns, row) where column.name != table.key.name {
          fields[column.property.name] = try column.item(text)
        }
        for (sub, elements) in zip(table.subTables, beside) {
          fields[sub.property.name] = sub.item(try (elements[key] ?? []).map { try sub.element($0) })
        }
        records.append((try table.reference(key), fields))
      } catch let error as Unfit {
        dead.append(
          DeadLetter(
            direction: .toRealm, position: "load", realm: path, className: table.className, key: key,
            reason: error.description))
      }
    }
    for letter in dead { try keep(letter) }
    try await write(records, to: path)
    let written = records.count
    progress { $0.rows += written }
  }

  private func write(
    _ records: [(object: ObjectReference, fields: [String: StateDump.Item])], to path: String
  ) async throws {
    let hold = try await held(path)
    let (name, tables, isNew) = (adapterName, tables(of: path), positions[path] == nil)
    let wanted = Self.storable(configuration.schema, tables)
    let box = SendableBox(records)
    let start = try await hold.write { history -> SaltedServerVersion? in
      let adapter = try Self.adapter(name, path, history)
      // A realm without objects has nothing for the tables: it is followed from here.
      let (position, contents) = try adapter.present()
      let isEmpty = tables.allSatisfy { contents.count(of: $0.className) == 0 }
      try history.file.edit { editor in
        editor.sign(as: adapter.ident)
        try editor.addClasses(wanted)
        for (object, _) in box.value { try editor.create(object) }
        for (object, fields) in box.value { try editor.set(fields, of: object) }
      }
      return isNew && isEmpty ? position : nil
    }
    guard let start else { return }
    try storePosition(start, path)
    positions[path] = start
  }
}
