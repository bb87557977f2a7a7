extension ParsedQuery {
  /// The query that a text stands for.
  ///
  ///     try ParsedQuery(parsing: "age > 18 AND name BEGINSWITH[c] 'a' SORT(age DESC)")
  ///
  /// Any text is safe to give: nesting is limited to 256 levels.
  ///
  /// - Complexity: O(*n*) for *n* bytes of text.
  /// - Throws: ``QueryError`` of category `syntax` (or `operatorNotSupported` for words of format strings that the
  ///   language lacks) with the place of the first mistake.
  public init(parsing text: String, dialect: QueryDialect = .realm) throws(QueryError) {
    var parser = try Parser(text, dialect: dialect)
    self = try parser.query()
  }

  /// The query that a predicate format string stands for.
  ///
  ///     let query = try ParsedQuery(format: "%K > %@", arguments: ["age", 18])
  ///     // then QueryPlan(query, …, arguments: ["age", 18])
  ///
  /// Specifiers become `$0`, `$1`, … and `$K0` in their order; the plan is given the same arguments.
  /// - Throws: ``QueryError``; category `argument` when there are more or fewer specifiers than arguments.
  public init(format text: String, arguments: [QueryArgument] = []) throws(QueryError) {
    try self.init(format: text, arguments: arguments, isAboutValues: false)
  }

  /// The query about plain values, the elements of a list of ints say, that a predicate format string stands for. In the
  /// text the value is called `SELF`, in any letter case.
  ///
  ///     try ParsedQuery(valueFormat: "SELF BETWEEN %@", arguments: [[1, 5]]).description    // self BETWEEN $0
  ///
  /// - Throws: as ``init(format:arguments:)``.
  /// - SeeAlso: ``ValueFilter``
  public init(valueFormat text: String, arguments: [QueryArgument] = []) throws(QueryError) {
    try self.init(format: text, arguments: arguments, isAboutValues: true)
  }

  private init(format text: String, arguments: [QueryArgument], isAboutValues: Bool) throws(QueryError) {
    var parser = try Parser(text, dialect: .nspredicate, formatArguments: arguments)
    parser.isAboutValues = isAboutValues
    self = try parser.query()
    let count = parser.lexer.specifierCount
    guard count == arguments.count else {
      throw QueryError(
        .argument, "the format has \(count) specifiers and was given \(arguments.count) arguments", text: text)
    }
  }
}
