import DataModel
import QueryLanguage
import StorageEngine

/// A state of a realm that can be queried and walked along its links, the present one or a past one.
///
/// Rows are those of the state: of two states of one realm, an object need not have the same row.
package protocol LinkedRows: QuerySource, AnyObject {
  /// The classes of the file.
  var catalog: Catalog { get }

  /// The row of an object; nil when it does not exist in this state. O(log *n*).
  func row(of object: ObjectReference) throws -> ClassRow?

  /// Class and key of the object in a row; nil when none lives there. Embedded objects are named by their rows. O(1).
  func object(in row: ClassRow) throws -> ObjectReference?

  /// The content of an object, what is embedded in it included; nil when it does not exist in this state.
  ///
  /// - Complexity: O(*n*) in the content.
  func fields(of object: ObjectReference) throws -> [String: StateDump.Item]?

  /// Appends the rows that the fields of one row link to, once for each link: links in collections and in mixed values,
  /// and objects embedded in the row. Links to objects that do not exist are left out.
  ///
  /// - Complexity: O(*n*) in the content of the fields that can link.
  func appendLinks(of row: ClassRow, to rows: inout [ClassRow]) throws
}

extension LinkedRows {
  /// The row of an object by its number in queries; nil when it does not exist in this state.
  package func queryRow(of object: ObjectReference) throws -> QueryRow? { try row(of: object)?.row.rawValue }
}

extension ReadViewQuerySource: LinkedRows {
  package var catalog: Catalog { readView.catalog }

  package func row(of object: ObjectReference) throws -> ClassRow? {
    guard let table = readViewTable(object.className), let row = try table.row(forKey: object.key) else {
      return nil
    }
    return ClassRow(table: table.layout.table, row: RowKey(row))
  }

  package func object(in row: ClassRow) throws -> ObjectReference? {
    guard let layout = catalog[row.table], try readView.reader.contains(row.row, in: row.table) else { return nil }
    return ObjectReference(className: layout.name, key: try readView.queryKey(row.row, layout))
  }

  package func fields(of object: ObjectReference) throws -> [String: StateDump.Item]? {
    guard let row = try row(of: object), let layout = catalog[row.table] else { return nil }
    return try readView.fields(row.row, layout)
  }

  package func appendLinks(of row: ClassRow, to rows: inout [ClassRow]) throws {
    guard let layout = catalog[row.table] else { return }
    for field in layout.fields where field.canLink { rows += try links(by: Cell(layout, row.row, field)) }
  }

  /// The objects that a cell links to.
  func links(by cell: Cell) throws -> [ClassRow] {
    var rows: [ClassRow] = []
    for value in try readView.elements(cell) { value.appendLinks(to: &rows) }
    return rows
  }
}

extension StoredValue {
  /// Appends every link to an object that exists, nested ones included.
  func appendLinks(to rows: inout [ClassRow]) {
    switch self {
    case .link(let table, let row): if row.rawValue >= 0 { rows.append(ClassRow(table: table, row: row)) }
    case .list(let elements): for element in elements { element.appendLinks(to: &rows) }
    case .dictionary(let entries): for entry in entries.values { entry.appendLinks(to: &rows) }
    default: break
    }
  }
}
