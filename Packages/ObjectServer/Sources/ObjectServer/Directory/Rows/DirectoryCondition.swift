/// A condition on the rows of a table of the directory.
indirect enum DirectoryCondition: Sendable {
  case all([DirectoryCondition])
  case any([DirectoryCondition])
  /// A column has a value; NULL is a value like others.
  case equals(String, DirectoryValue)
  /// A column that is never NULL has another value.
  case differs(String, DirectoryValue)
  case less(String, DirectoryValue)
  case atMost(String, DirectoryValue)
  case greater(String, DirectoryValue)
  /// A column contains a text, by bytes.
  case contains(String, String)
  case lacks(String, String)
  /// A column's value is in a column of those rows of another table that fulfil a condition.
  case isAmong(String, column: String, of: DirectoryTable, DirectoryCondition)

  static let always = DirectoryCondition.all([])

  /// The columns have these values.
  init(_ matching: KeyValuePairs<String, DirectoryValue>) {
    self = .all(matching.map { .equals($0.key, $0.value) })
  }

  /// The columns of a table's key have the first values of a row.
  static func key(of table: DirectoryTable, _ values: [DirectoryValue]) -> DirectoryCondition {
    .all(zip(table.columns, values).prefix(table.keyCount).map { .equals($0, $1) })
  }
}
