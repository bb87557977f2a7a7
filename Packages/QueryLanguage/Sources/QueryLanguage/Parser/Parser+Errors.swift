/// The errors of the parser.
extension Parser {
  func failure(_ message: String, at span: SourceSpan? = nil, hint: String? = nil) -> QueryError {
    QueryError(.syntax, message, at: span ?? token.span, hint: hint, text: lexer.text)
  }

  func unsupported(_ message: String, at span: SourceSpan) -> QueryError {
    QueryError(.operatorNotSupported, message, at: span, text: lexer.text)
  }

  /// The error for a current token that cannot stand here.
  func unexpected(_ expected: String, hint: String? = nil) -> QueryError {
    failure("expected \(expected), found \(foundText)", hint: hint ?? wordHint)
  }

  private var foundText: String {
    if case .end = token.kind { return "the end" }
    let limit = 40
    var end = min(token.span.end, token.span.start + limit)
    while end > token.span.start, end < lexer.bytes.count, lexer.bytes[end] & 0xC0 == 0x80 { end -= 1 }
    let shown = String(decoding: lexer.bytes[token.span.start..<end], as: UTF8.self)
    return "'\(shown)\(end < token.span.end ? "…" : "")'"
  }

  private var wordHint: String? {
    guard case .word(let word) = token.kind, token.keyword == nil else { return nil }
    return Self.spellingHint(word)
  }

  /// The right spelling for a word that is a keyword but for its letter case; nil for other words.
  static func spellingHint(_ word: String) -> String? {
    guard let keyword = Keyword.anySpelling(of: word), Keyword(word, dialect: .realm) == nil else { return nil }
    return "the keyword is written \(keyword.rawValue) or \(keyword.rawValue.uppercased())"
  }

  static func describe(_ expression: QueryExpression) -> String {
    switch expression {
    case .constant: "the constant"
    case .argument(let node): "$\(node.index)"
    case .list: "the list"
    case .property(let node): "'\(node.path.written)'"
    case .aggregate(let node): "'\(node.path.written).\(node.operation.rawValue)'"
    case .subquery: "the subquery"
    case .arithmetic: "the calculation"
    }
  }
}
