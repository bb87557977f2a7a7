import DataModel
import PostgresClient
import RecordStore

/// Tells which objects are not as the rows that the connector wrote for them.
enum RowComparison {
  /// The objects that differ with the properties that do; nil for an object or a row that is missing.
  ///
  /// - Parameter beside: the digests of rows in tables beside.
  /// - Throws: `RecordStoreError` when the realm cannot be read.
  static func differences(
    _ changes: SquashedChanges, beside: [(table: ClassTable, sub: SubTable, owner: String, digest: String)],
    _ contents: RealmContents
  ) throws -> [ObjectReference: Set<String>?] {
    var contents = contents
    contents.hidesUnresolvedLinks = true
    var different: [ObjectReference: Set<String>?] = [:]
    for (change, table) in changes.rows where change.kind != .truncate {
      guard let key = change.row[table.key.name]?.text, let object = try? table.reference(key) else { continue }
      guard let record = try contents.object(object), change.kind != .delete else {
        let exists = try contents.object(object) != nil
        if exists == (change.kind == .delete) { different[object] = .some(nil) }
        continue
      }
      let properties = table.columns.filter { !isSame($0, change.row, record) }.map(\.property.name)
      if !properties.isEmpty { different[object] = Set(properties) }
    }
    for (table, sub, owner, digest) in beside {
      guard let object = try? table.reference(owner), different[object] != .some(nil),
        let record = try contents.object(object), record[sub.property.name] != nil
      else { continue }
      if (try? ListRows.digest(sub.rows(record))) != digest {
        different[object, default: Set()]?.insert(sub.property.name)
      }
    }
    return different
  }

  private static func isSame(_ column: Column, _ row: [String: PgColumnValue], _ record: ObjectRecord) -> Bool {
    guard let value = row[column.name], value != .unchanged, let item = record[column.property.name] else {
      return true
    }
    guard let there = try? column.item(value.text) else { return false }
    return there.comparable == item.comparable
  }
}
