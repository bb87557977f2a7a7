import ChangesetOT
import DataModel
import StorageEngine

extension PastQuerySource: LinkedRows {
  package var catalog: Catalog { present.readView.catalog }

  package func row(of object: ObjectReference) throws -> ClassRow? {
    guard let table = try pastTable(object.className), let row = try table.row(forKey: object.key) else { return nil }
    return ClassRow(table: table.layout.table, row: RowKey(row))
  }

  package func object(in row: ClassRow) throws -> ObjectReference? {
    guard let name = catalog[row.table]?.name, let key = try pastTable(name)?.objectKey(of: row.row.rawValue) else {
      return nil
    }
    return ObjectReference(className: name, key: key)
  }

  /// Of objects that have a key; nil for embedded ones.
  package func fields(of object: ObjectReference) throws -> [String: StateDump.Item]? {
    try past.fields(of: object, at: version, in: present.readView)
  }

  package func appendLinks(of row: ClassRow, to rows: inout [ClassRow]) throws {
    guard let layout = catalog[row.table] else { return }
    guard let change = overlay.classes[row.table]?[row.row] else {
      return try present.appendLinks(of: row, to: &rows)
    }
    for field in layout.fields where field.canLink {
      for value in try overlay.content(change, Cell(layout, row.row, field)).values { value.appendLinks(to: &rows) }
    }
  }
}
