/// SORT, DISTINCT, LIMIT, INCLUDE.
extension Parser {
  mutating func clauses() throws(QueryError) -> [QueryClause] {
    var clauses: [QueryClause] = []
    while let keyword = token.keyword {
      switch keyword {
      case .sort:
        try openClause("SORT")
        clauses.append(.sort(try commaSeparated { (parser: inout Parser) throws(QueryError) in try parser.sortKey() }))
      case .distinct:
        try openClause("DISTINCT")
        clauses.append(.distinct(try commaSeparated { (parser: inout Parser) throws(QueryError) in try parser.path() }))
      case .include:
        try openClause("INCLUDE")
        clauses.append(.include(try commaSeparated { (parser: inout Parser) throws(QueryError) in try parser.path() }))
      case .limit:
        try advance()
        // The parentheses of a LIMIT may be left out: it has one number.
        let isBare = !(try take(.leftParenthesis))
        clauses.append(.limit(try limit()))
        if isBare { continue }
      default: return clauses
      }
      try expect(.rightParenthesis, in: "to close the clause")
    }
    return clauses
  }

  private mutating func openClause(_ name: String) throws(QueryError) {
    try advance()
    try expect(.leftParenthesis, in: "after \(name)")
  }

  private mutating func commaSeparated<T>(
    _ part: (inout Parser) throws(QueryError) -> T
  ) throws(QueryError) -> [T] {
    var parts = [try part(&self)]
    while try take(.comma) { parts.append(try part(&self)) }
    return parts
  }

  private mutating func sortKey() throws(QueryError) -> SortKey {
    let path = try path()
    guard isAt(.ascending) || isAt(.descending) else {
      throw unexpected(
        "ASC or DESC after the path", hint: "a sort key needs its direction: SORT(\(path.written) ASC)")
    }
    let isAscending = isAt(.ascending)
    try advance()
    return SortKey(path, ascending: isAscending)
  }

  private mutating func limit() throws(QueryError) -> Int {
    let digits = lexer.bytes[token.span.start..<token.span.end]
    guard case .constant(.int(let value)) = token.kind, digits.allSatisfy(Lexer.isDigit) else {
      throw unexpected("a number of objects in LIMIT", hint: "digits only: LIMIT(10)")
    }
    try advance()
    return Int(value)
  }
}
