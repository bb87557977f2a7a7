import DataModel
import PostgresClient
import RecordStore

// Links to objects that were deleted: a realm keeps them, and they come back with the object; a table has null meanwhile.

extension ConnectorEngine {
  /// The objects that link to new ones, which had been deleted before: the links come back, in tables, too.
  static func referrers(
    of made: some Sequence<ObjectReference>, in contents: RealmContents
  ) throws -> WritesUnderWay.Written {
    var linked: WritesUnderWay.Written = [:]
    for object in made {
      for (referrer, properties) in try contents.referrers(of: object) {
        linked[referrer, default: Set()]?.formUnion(properties)
      }
    }
    return linked
  }

  /// The object that a change of a row makes.
  static func made(_ change: DatabaseTransaction.Change, _ table: ClassTable) throws -> ObjectReference? {
    guard let key = change.row[table.key.name]?.text else { return nil }
    let isNew = change.kind == .insert || (change.kind == .update && change.old?[table.key.name]?.text != key)
    return isNew ? try? table.reference(key) : nil
  }

  /// The writes, and those of links to objects which the tables did not have: they come back with the object.
  func withReturningLinks(_ writes: RowWrites, _ contents: RealmContents, _ path: String) throws -> RowWrites {
    let known = writes.written()
    var referrers: WritesUnderWay.Written = [:]
    for write in writes.writes where write.row != nil && write.columns == nil {
      guard let object = writes.object(write) else { continue }
      let table = writes.tables[write.table]
      let links = try contents.referrers(of: object).filter { known[$0.key] != .some(nil) }
      guard !links.isEmpty else { continue }
      let isThere =
        try reader.query(
          "SELECT 1 FROM \(table.sqlName) WHERE \(table.sqlKey) = $1", [write.key]
        ).count > 0
      guard !isThere else { continue }
      for (referrer, properties) in links { referrers[referrer, default: Set()]?.formUnion(properties) }
    }
    guard !referrers.isEmpty else { return writes }
    var all = writes
    let more = referrers.map { (object: $0.key, properties: $0.value) }
    let extra = try RowWrites(more, in: contents, at: writes.position, writes.tables, path: path)
    all.writes.insert(contentsOf: extra.writes, at: all.writes.firstIndex { $0.row == nil } ?? all.writes.count)
    return all
  }
}
