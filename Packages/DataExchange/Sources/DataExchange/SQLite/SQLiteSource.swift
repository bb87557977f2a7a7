import DataModel
import RecordStore
import SQLiteDatabase

/// A SQLite database as ``RealmExport`` writes it, or one of another program, whose tables become classes.
struct SQLiteSource: RecordSource {
  let path: String
  /// The tables of another program; empty for an export.
  private var foreign: [ForeignTable] = []
  private(set) var schema: Schema?
  private(set) var schemaVersion: UInt64 = 0

  init(path: String) throws {
    self.path = path
    do {
      let connection = try SQLiteConnection(path: path, mode: .readOnly)
      let known = try connection.integer(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(SQLiteNames.schemaTable)'")
      guard known == 1 else {
        foreign = try ForeignTable.all(of: connection, file: path) { _ in }
        return
      }
      schemaVersion = UInt64(
        bitPattern: try connection.integer("SELECT schema_version FROM \(SQLiteNames.schemaTable)") ?? 0)
      let text = try connection.text("SELECT schema FROM \(SQLiteNames.schemaTable)") ?? "[]"
      schema = try SchemaText.schema(try JSONReader.value(of: text), file: path)
    } catch let error as SQLiteError { throw ExchangeError("\(error)", file: path) }
  }

  /// The rows of all tables.
  var size: Int {
    guard let connection = try? SQLiteConnection(path: path, mode: .readOnly) else { return 0 }
    return tables(of: schema).reduce(0) { sum, table in
      sum + Int((try? connection.integer("SELECT count(*) FROM \(table.quoted)")) ?? 0)
    }
  }

  func inferredClasses(
    beside known: Schema, _ progress: (_ offset: Int) throws -> Void
  ) throws -> [ObjectSchema] {
    foreign.map(\.object).filter { known[$0.className] == nil }
  }

  /// A table and the class of its rows.
  struct Table {
    var object: ObjectSchema
    var name: String
    var columns: [String: String]
    var isExport: Bool
    var quoted: String { SQLiteNames.quoted(name) }
  }

  func tables(of schema: Schema?) -> [Table] {
    guard let schema else {
      return foreign.map { Table(object: $0.object, name: $0.name, columns: $0.columns, isExport: false) }
    }
    let names = SQLiteNames(schema)
    return schema.objectSchema.filter { $0.kind != .embedded }.map { object in
      Table(
        object: object, name: names.tables[object.className] ?? object.className,
        columns: names.columns[object.className] ?? [:], isExport: true)
    }
  }

  func records(_ classes: Schema) throws -> any RecordReader { try SQLiteRecords(self, classes) }

  /// The class as the realm declares it, for a table of another program.
  func declared(_ object: ObjectSchema, _ isExport: Bool, _ classes: Schema) throws -> ObjectSchema {
    guard !isExport else { return object }
    guard let known = classes[object.className], known.kind != .embedded else {
      throw InferredClass.unknown(object.className, classes, file: path)
    }
    guard let missing = object.properties.first(where: { known[$0.name] == nil }) else {
      return ObjectSchema(
        className: known.className, primaryKey: known.primaryKey,
        properties: object.properties.compactMap { known[$0.name] })
    }
    throw ExchangeError("\(object.className) has no property '\(missing.name)'.", file: path)
  }
}
