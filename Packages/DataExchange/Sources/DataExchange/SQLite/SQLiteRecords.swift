import DataModel
import RecordStore
import SQLiteDatabase

/// Reads the rows of the tables of a SQLite database as objects, table by table.
final class SQLiteRecords: RecordReader {
  private let source: SQLiteSource
  private let classes: Schema
  private let names: SQLiteNames
  private let cells: SQLiteCells
  private let connection: SQLiteConnection
  private var tables: ArraySlice<SQLiteSource.Table>
  private var reader: SQLiteClassReader?
  private var rows = 0

  init(_ source: SQLiteSource, _ classes: Schema) throws {
    self.source = source
    self.classes = classes
    names = SQLiteNames(source.schema ?? Schema())
    cells = SQLiteCells(cells: CellText(codec: JSONCodec(classes)))
    connection = try Self.connection(source.path)
    tables = source.tables(of: source.schema)[...]
  }

  private static func connection(_ path: String) throws(ExchangeError) -> SQLiteConnection {
    do { return try SQLiteConnection(path: path, mode: .readOnly) } catch {
      throw ExchangeError("\(error)", file: path)
    }
  }

  func next() throws -> IncomingRecord? {
    do {
      while true {
        if var record = try reader?.next() {
          rows += 1
          record.offset = rows
          return record
        }
        reader = nil
        guard let table = tables.popFirst() else { return nil }
        reader = try open(table)
      }
    } catch let error as SQLiteError { throw ExchangeError("\(error)", file: source.path) }
  }

  /// The reader of a table; nil for one that the database does not have.
  private func open(_ table: SQLiteSource.Table) throws -> SQLiteClassReader? {
    let known = try connection.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?")
    try known.bind(1, table.name)
    guard try known.step(), known.int(at: 0) == 1 else { return nil }
    return try SQLiteClassReader(
      try source.declared(table.object, table.isExport, classes), table.quoted, table.columns,
      table.isExport ? names : nil, cells, connection, source.path)
  }
}
