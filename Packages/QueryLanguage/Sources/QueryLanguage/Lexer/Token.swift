import DataModel
import FoundationEssentials

/// One word, sign or literal of a query.
struct Token {
  enum Kind: Equatable {
    case symbol(Symbol)
    /// An identifier, or a keyword when ``Token/keyword`` says so. Escapes are decoded.
    case word(String)
    /// A collection word with its sign: `@count`.
    case collectionWord(String)
    case constant(QueryConstant)
    /// `$3`.
    case argument(Int)
    /// `$K3`.
    case keyPathArgument(Int)
    case end
  }

  var kind: Kind
  var keyword: Keyword?
  var span: SourceSpan

  init(_ kind: Kind, keyword: Keyword? = nil, span: SourceSpan) {
    self.kind = kind
    self.keyword = keyword
    self.span = span
  }
}

/// The signs.
enum Symbol: String, CaseIterable {
  case and = "&&"
  case or = "||"
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
  case not = "!"
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divide = "/"
  case leftBracket = "["
  case rightBracket = "]"
  case comma = ","
  case leftParenthesis = "("
  case rightParenthesis = ")"
  case leftBrace = "{"
  case rightBrace = "}"
  case dot = "."
  /// `[c]`.
  case caseInsensitive = "[c]"
  /// `[d]`, format strings only.
  case diacriticInsensitive = "[d]"
  /// `[cd]`, format strings only.
  case caseAndDiacriticInsensitive = "[cd]"
}
