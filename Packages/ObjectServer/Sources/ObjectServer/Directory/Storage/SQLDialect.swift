/// The parts of SQL that databases write differently. All else that the directory says, they read alike.
public struct SQLDialect: Sendable {
  /// The parameter of a number, counted from 1.
  public var parameter: @Sendable (_ number: Int) -> String
  /// The name of a table or column.
  public var name: @Sendable (_ name: String) -> String
  /// The condition that a column contains a text, by bytes.
  public var contains: @Sendable (_ column: String, _ parameter: String) -> String

  /// A dialect.
  public init(
    parameter: @escaping @Sendable (_ number: Int) -> String, name: @escaping @Sendable (_ name: String) -> String,
    contains: @escaping @Sendable (_ column: String, _ parameter: String) -> String
  ) {
    self.parameter = parameter
    self.name = name
    self.contains = contains
  }

  // Names stand as they are: a quoted name that is no column's would be read as a text.
  static let sqlite = SQLDialect(
    parameter: { _ in "?" }, name: { $0 },
    contains: { column, parameter in "instr(CAST(\(column) AS BLOB), CAST(\(parameter) AS BLOB)) > 0" })
}
