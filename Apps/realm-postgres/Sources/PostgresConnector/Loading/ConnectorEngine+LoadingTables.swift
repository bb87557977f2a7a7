import AdapterKit
import ChangesetOT
import CommitFeed
import DataModel
import ObjectServer
import Permissions
import PostgresClient
import RecordStore

// Tables are filled from realms that the connector sees for the first time.

extension ConnectorEngine {
  /// The objects of one transaction of a load.
  private static let portion = 20_000

  /// Fills the tables from realms, from where an earlier load stopped. Rows that are there take the realm's values; rows that no realm
  /// has stay.
  func loadTables(fromNew paths: [String]) async throws {
    for path in paths {
      guard let hold = try await hold(path) else { continue }
      try await loadTables(from: path, hold)
    }
  }

  private func loadTables(from path: String, _ hold: RealmHold) async throws {
    let name = adapterName
    let box = try await hold.perform { history in
      SendableBox(try Self.adapter(name, path, history).present())
    }
    var contents = box.value.contents
    // The history does not tell again of what is loaded.
    _ = try noteSchemaChanges(path, contents.schema)
    let tables = tables(of: path)
    contents.hidesUnresolvedLinks = true
    var load = TableLoad(path: path, contents: contents, position: try loadStart(path) ?? box.value.position)
    let total = tables.reduce(0) { $0 + contents.count(of: $1.className) }
    let states = try loadStates(path)
    load.meter = LoadMeter(total, done: states.values.reduce(0) { $0 + $1.rows }, "tables from \(path)", logger)
    try storeLoad(path, "", rows: 0, isDone: false, position: load.position)
    // Rows first, then what links to rows that come later, and what stands in tables beside.
    for table in tables where states[table.className]?.isDone != true {
      try await loadRows(of: table, tables, &load, isResumed: (states[table.className]?.rows ?? 0) > 0, hold)
    }
    for table in tables where states[table.className + " links"]?.isDone != true {
      try await loadLinks(of: table, tables, load, hold)
    }
    try await endLoad(load, tables, hold)
    load.meter?.end()
    positions[path] = load.position
    try warnOfRows(without: load, tables)
    // Changes of the realm since the load began.
    markChanged(path)
  }

  private func loadRows(
    of table: ClassTable, _ tables: [ClassTable], _ load: inout TableLoad, isResumed: Bool, _ hold: RealmHold
  ) async throws {
    guard load.contents.schema[table.className] != nil else { return }
    let late = Self.late(table, tables)
    let columns = table.template.columns(of: load.path) ?? [:]
    var known: Set<String> = []
    if isResumed {
      let keys = try reader.query(
        "SELECT \(table.sqlKey) FROM \(table.sqlName) WHERE true\(table.scope(columns))")
      known = Set((0..<keys.count).compactMap { keys[$0, 0] })
    }
    let total = load.contents.count(of: table.className)
    let names = table.rowNames.map(PostgresConnection.quoted).joined(separator: ", ")
    for start in stride(from: 0, to: total, by: Self.portion) {
      guard !isStopping() else { throw StoppedError() }
      let records = try load.contents.page(of: table.className, from: start, count: Self.portion).records
      var rows: [(record: ObjectRecord, texts: [String?])] = []
      for record in records {
        do {
          var texts = try table.row(record)
          if let key = texts[0], known.contains(key) { continue }
          for index in late { texts[index] = nil }
          rows.append((record, texts + table.pathColumns.map { columns[$0] }))
        } catch let error as Unfit {
          try keep(load.letter(record, error.description))
        }
      }
      let path = load.path
      try await exclusively(tables) {
        try begin(Self.portionMarker(path))
        try copy(rows.map(\.texts), "\(table.sqlName) (\(names))") {
          try writeEach(rows.map(\.record), properties: nil, load, tables)
        }
        try storeLoad(path, table.className, rows: start + records.count, isDone: start + Self.portion >= total)
      }
      let count = rows.count
      progress { $0.rows += count }
      load.meter?.add(records.count)
    }
  }

  private func loadLinks(
    of table: ClassTable, _ tables: [ClassTable], _ load: TableLoad, _ hold: RealmHold
  ) async throws {
    let late = Self.late(table, tables)
    guard load.contents.schema[table.className] != nil, !late.isEmpty || !table.subTables.isEmpty else { return }
    let columns = table.template.columns(of: load.path) ?? [:]
    let total = load.contents.count(of: table.className)
    for start in stride(from: 0, to: total, by: Self.portion) {
      guard !isStopping() else { throw StoppedError() }
      let records = try load.contents.page(of: table.className, from: start, count: Self.portion).records
      let linking = records.filter { record in
        guard !late.isEmpty, let row = try? table.row(record) else { return false }
        return late.contains { row[$0] != nil }
      }
      try await exclusively(tables) {
        try begin(Self.portionMarker(load.path))
        try writeEach(linking, properties: Set(late.map { table.columns[$0].property.name }), load, tables)
        for sub in table.subTables {
          if start == 0 {
            try connection.query(
              "DELETE FROM \(table.sqlName(of: sub)) s USING \(table.sqlName) t WHERE s.oid = t.\(table.sqlKey)"
                + table.scope(columns, alias: "t."))
          }
          var rows: [[String?]] = []
          for record in records {
            // An object that does not fit has been kept with the reason, and has no row.
            guard (try? table.row(record)) != nil, let key = try? ScalarText.text(record.key),
              let elements = try? sub.rows(record)
            else { continue }
            for (index, texts) in elements.enumerated() {
              rows.append([key] + (sub.isList ? ["\(index)"] : []) + texts)
            }
          }
          let names = sub.rowNames.map(PostgresConnection.quoted).joined(separator: ", ")
          try copy(rows, "\(table.sqlName(of: sub)) (\(names))") {
            try writeEach(records, properties: [sub.property.name], load, tables)
          }
        }
        try storeLoad(load.path, table.className + " links", rows: 0, isDone: start + Self.portion >= total)
      }
    }
  }

  /// The columns that link to rows which are loaded later.
  private static func late(_ table: ClassTable, _ tables: [ClassTable]) -> [Int] {
    let place = tables.firstIndex { $0.name == table.name } ?? 0
    return table.columns.indices.filter { index in
      guard case .link(let target, _) = table.columns[index].form,
        let other = tables.firstIndex(where: { $0.className == target })
      else { return false }
      return other >= place
    }
  }

  /// Copies rows; where one of them does not fit, does it otherwise.
  private func copy(_ rows: [[String?]], _ target: String, otherwise: () throws -> Void) throws {
    guard !rows.isEmpty else { return }
    let connection = try connection
    try connection.query("SAVEPOINT copied")
    do {
      try connection.copyIn("COPY \(target) FROM STDIN") { send in
        var lines: [UInt8] = []
        for row in rows {
          PostgresConnection.addCopyLine(row, to: &lines)
          guard lines.count > 1 << 18 else { continue }
          try send(lines)
          lines.removeAll(keepingCapacity: true)
        }
        try send(lines)
      }
      try connection.query("SET CONSTRAINTS ALL IMMEDIATE")
      try connection.query("SET CONSTRAINTS ALL DEFERRED")
    } catch let error as PostgresError where !error.isConnectionLost {
      try connection.query("ROLLBACK TO SAVEPOINT copied")
      logger.debug("rows are written one by one", ["reason": .string(error.description)])
      try otherwise()
    }
    try connection.query("RELEASE SAVEPOINT copied")
  }

  private func writeEach(
    _ records: [ObjectRecord], properties: Set<String>?, _ load: TableLoad, _ tables: [ClassTable]
  ) throws {
    guard !records.isEmpty else { return }
    var writes = try RowWrites(
      records.map { ($0.reference, properties) }, in: load.contents, at: load.position, tables, path: load.path)
    if properties == nil { for index in writes.writes.indices { writes.writes[index].beside = [] } }
    for letter in try performEach(writes, load.path) { try keep(letter) }
  }
}
