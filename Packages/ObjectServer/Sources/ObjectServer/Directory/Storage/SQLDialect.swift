/// The parts of SQL that databases write differently. All else that the directory says, they read alike.
public struct SQLDialect: Sendable {
  /// The parameter of a number, counted from 1.
  public let parameter: @Sendable (_ number: Int) -> String
  /// The name of a table or column.
  public let name: @Sendable (_ name: String) -> String
  /// The condition that a column contains a text, by bytes.
  public let contains: @Sendable (_ column: String, _ parameter: String) -> String
  /// SELECT with all columns of a table and the seal, made once.
  let selections: [DirectoryTable: String]

  /// A dialect.
  public init(
    parameter: @escaping @Sendable (_ number: Int) -> String, name: @escaping @Sendable (_ name: String) -> String,
    contains: @escaping @Sendable (_ column: String, _ parameter: String) -> String
  ) {
    self.parameter = parameter
    self.name = name
    self.contains = contains
    selections = Dictionary(
      uniqueKeysWithValues: DirectoryTable.allCases.map { table in
        (table, "SELECT \(table.sealedColumns.map(name).joined(separator: ", ")) FROM \(name(table.rawValue))")
      })
  }

  // Names stand as they are: a quoted name that is no column's would be read as a text.
  static let sqlite = SQLDialect(
    parameter: { _ in "?" }, name: { $0 },
    contains: { column, parameter in "instr(CAST(\(column) AS BLOB), CAST(\(parameter) AS BLOB)) > 0" })
}
