/// One token: its kind, and the bytes that it covers.
struct Token: Equatable, Sendable {
  enum Kind: UInt8, Sendable {
    case end, bang, dollar, ampersand, leftParenthesis, rightParenthesis, spread, colon, equals, at
    case leftBracket, rightBracket, leftBrace, pipe, rightBrace
    case name, int, float, string, blockString
  }

  var kind: Kind
  var start: Int32
  var end: Int32
  /// True when the token is a string whose value is not simply the bytes between its quotes.
  var hasEscapes = false
}

extension Token.Kind {
  /// The kind in messages: a sign in quotes, or a word.
  var described: String {
    switch self {
    case .end: "the end of the document"
    case .bang: "\"!\""
    case .dollar: "\"$\""
    case .ampersand: "\"&\""
    case .leftParenthesis: "\"(\""
    case .rightParenthesis: "\")\""
    case .spread: "\"...\""
    case .colon: "\":\""
    case .equals: "\"=\""
    case .at: "\"@\""
    case .leftBracket: "\"[\""
    case .rightBracket: "\"]\""
    case .leftBrace: "\"{\""
    case .pipe: "\"|\""
    case .rightBrace: "\"}\""
    case .name: "a name"
    case .int: "an integer"
    case .float: "a decimal number"
    case .string, .blockString: "a string"
    }
  }
}
