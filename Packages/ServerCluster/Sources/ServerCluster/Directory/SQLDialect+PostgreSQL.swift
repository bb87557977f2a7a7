import ObjectServer

extension SQLDialect {
  /// PostgreSQL's. Names are quoted, because one of them is a word of its own.
  static let postgresql = SQLDialect(
    parameter: { "$\($0)" }, name: { "\"\($0)\"" },
    // By bytes: the columns are ordered by bytes, and a part of a text in UTF-8 begins where a character does.
    contains: { column, parameter in "strpos(\(column), \(parameter)) > 0" })
}
