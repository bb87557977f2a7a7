import AdapterKit
import ChangesetOT
import CommitFeed
import DataModel
import ObjectServer
import PostgresClient
import RecordStore
import Telemetry

// Realms whose history the connector cannot follow any more.

extension ConnectorEngine {
  private static let rowsAtOnce = 2_000

  /// Makes both sides equal again after the feed has failed.
  ///
  /// A history that the connector has fallen behind is compared as a whole: the tables take the realm's state. A realm that was restored
  /// to an earlier state, or made anew, takes the rows, which are newer; what only the realm has comes to the tables.
  func catchUp(_ path: String, _ hold: RealmHold, _ error: FeedError) async throws {
    logger.warn(
      "the realm cannot be followed from where the connector was; it is compared with its tables as a whole",
      ["path": .string(path), "reason": .string(error.description)])
    switch error {
    case .fellBehind: try await compareAll(path, hold)
    case .unknownCursor, .unknownPosition:
      for table in tables(of: path) {
        try await loadRealm(table, after: nil, rows: 0, only: path, keepsState: false)
      }
      positions[path] = nil
      bases[path] = nil
      try await loadTables(fromNew: [path])
    }
  }

  /// Makes the rows of a realm equal to its objects, whatever they are. The history up to here is not told again, so its changes of the
  /// schema are dealt with, too.
  func compareAll(_ path: String, _ hold: RealmHold) async throws {
    var schema = try await hold.perform { try $0.file.contents().schema }
    _ = try noteSchemaChanges(path, schema)
    let (name, tables) = (adapterName, tables(of: path))
    try await exclusively(tables) {
      let box = try await hold.perform { history in SendableBox(try Self.adapter(name, path, history).present()) }
      let position = box.value.position
      var contents = box.value.contents
      schema = contents.schema
      contents.hidesUnresolvedLinks = true
      try begin(Self.marker(position, path, "load"))
      var different: [(object: ObjectReference, properties: Set<String>?)] = []
      for table in tables { different += try differences(table, contents, path) }
      for start in stride(from: 0, to: different.count, by: Self.rowsAtOnce) {
        let part = Array(different[start..<min(different.count, start + Self.rowsAtOnce)])
        let writes = try RowWrites(part, in: contents, at: position, tables, path: path)
        for letter in try performEach(writes, path) { try keep(letter) }
        progress { $0.rows += writes.writes.count }
      }
      try storePosition(position, path)
      try await hold.perform { history in
        var adapter = try Self.adapter(name, path, history)
        try adapter.advance(to: position)
      }
      positions[path] = position
    }
    // Properties may have come while the tables were being locked.
    if configuration.appliesSchemaChanges, try extend(by: schema) { return try await compareAll(path, hold) }
    markChanged(path)
  }

  /// The objects of a class that are not as their rows.
  private func differences(
    _ table: ClassTable, _ contents: RealmContents, _ path: String
  ) throws -> [(object: ObjectReference, properties: Set<String>?)] {
    let scope = table.scope(table.template.columns(of: path) ?? [:])
    let names = table.columns.map { PostgresConnection.quoted($0.name) }.joined(separator: ", ")
    var different: [(object: ObjectReference, properties: Set<String>?)] = []
    var known: Set<ObjectReference> = []
    var last: String?
    while true {
      let rows = try connection.query(
        "SELECT \(names) FROM \(table.sqlName) WHERE \(last == nil ? "true" : "\(table.sqlKey) > $1")\(scope) "
          + "ORDER BY \(table.sqlKey) LIMIT \(Self.rowsAtOnce)", last.map { [$0] } ?? [])
      guard rows.count > 0 else { break }
      for number in 0..<rows.count {
        let row = rows.row(number)
        guard let key = row[0], let object = try? table.reference(key) else { continue }
        known.insert(object)
        guard let record = try contents.object(object) else {
          if !deadRows.contains("\(table.className) \(key)") { different.append((object, nil)) }
          continue
        }
        var properties: Set<String> = []
        for (column, text) in zip(table.columns, row) where record[column.property.name] != nil {
          if (try? column.item(text).comparable) != record[column.property.name]?.comparable {
            properties.insert(column.property.name)
          }
        }
        for sub in table.subTables where record[sub.property.name] != nil {
          let elements = try? elements(table, sub, key).map { try sub.element($0) }
          if elements.map({ sub.item($0).comparable }) != record[sub.property.name]?.comparable {
            properties.insert(sub.property.name)
          }
        }
        if !properties.isEmpty { different.append((object, properties)) }
      }
      last = rows[rows.count - 1, 0]
    }
    guard contents.schema[table.className] != nil else { return different }
    try contents.forEachObject(of: table.className) { record in
      if !known.contains(record.reference) { different.append((record.reference, nil)) }
      return true
    }
    return different
  }
}
