extension ParsedQuery: CustomStringConvertible {
  /// The canonical text: reading it back gives an equal tree and the same text.
  ///
  ///     try ParsedQuery(parsing: "age>=18 && name = 'Ada'").canonical()     // age >= 18 and name == "Ada"
  ///
  /// - Parameter arguments: literals for `$0`, `$1`, …; nil leaves these as they are.
  /// - Throws: ``QueryError``, `argument` when one is missing, `invalidExpression` when a name cannot be written in
  ///   the language.
  public func canonical(arguments: [QueryArgument]? = nil) throws(QueryError) -> String {
    let query = if let arguments { try bound(to: arguments) } else { self }
    var printer = QueryPrinter()
    printer.write(query)
    if let name = printer.unwritable {
      throw QueryError(
        .invalidExpression, "'\(name)' cannot be written in a query", hint: "pass the key path as argument: $K0")
    }
    return printer.text
  }

  /// The canonical text, names that cannot be written as they are.
  public var description: String {
    var printer = QueryPrinter()
    printer.write(self)
    return printer.text
  }
}

extension QueryPredicate: CustomStringConvertible {
  /// The canonical text.
  public var description: String { ParsedQuery(self).description }
}

extension QueryPath: CustomStringConvertible {
  /// The canonical text.
  public var description: String {
    var printer = QueryPrinter()
    printer.write(self)
    return printer.text
  }
}
