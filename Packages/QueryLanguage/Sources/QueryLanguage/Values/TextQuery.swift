import DataModel

/// The search words of TEXT: words that have to occur and words that must not, each whole or as a prefix.
struct TextQuery: Hashable, Sendable {
  struct Term: Hashable, Sendable {
    var word: String
    var isPrefix: Bool
  }

  /// The reason for refusing search words.
  struct Problem: Error { var reason: String }

  var required: [Term] = []
  var excluded: [Term] = []

  static func parse(_ text: String) -> Result<TextQuery, Problem> {
    var query = TextQuery()
    for part in text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }) {
      var word = part
      let isExcluded = word.hasPrefix("-")
      if isExcluded { word = word.dropFirst() }
      let isPrefix = word.hasSuffix("*")
      if isPrefix { word = word.dropLast() }
      let tokens = TextTokens.of(String(word))
      guard tokens.count == 1, let token = tokens.first, TextTokens.isOneToken(String(word)) else {
        return .failure(Problem(reason: "a search word of TEXT has to be one word of letters and digits"))
      }
      let term = Term(word: token, isPrefix: isPrefix)
      if isExcluded { query.excluded.append(term) } else { query.required.append(term) }
    }
    guard !query.required.isEmpty else {
      return .failure(Problem(reason: "TEXT needs at least one word that has to occur"))
    }
    guard !query.required.contains(where: { term in query.excluded.contains { $0.word == term.word } }) else {
      return .failure(Problem(reason: "a word of TEXT is both wanted and excluded"))
    }
    return .success(query)
  }

  func matches(_ text: String) -> Bool {
    let words = TextTokens.of(text)
    func occurs(_ term: Term) -> Bool {
      words.contains { term.isPrefix ? $0.utf8.starts(with: term.word.utf8) : $0 == term.word }
    }
    return required.allSatisfy(occurs) && !excluded.contains(where: occurs)
  }
}

/// Cuts text into words: runs of ASCII letters, digits and Latin-1 letters, lower case, without diacritics.
enum TextTokens {
  static func of(_ text: String) -> [String] {
    var words: [String] = []
    var current = ""
    for scalar in text.unicodeScalars {
      if let mapped = mapped(scalar) {
        current.unicodeScalars.append(mapped)
      } else if !current.isEmpty {
        words.append(current)
        current = ""
      }
    }
    if !current.isEmpty { words.append(current) }
    return words
  }

  /// Whether nothing in the text separates words.
  static func isOneToken(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy { mapped($0) != nil }
  }

  /// A letter or digit in its plain form; nil for a separator of words.
  private static func mapped(_ scalar: UnicodeScalar) -> UnicodeScalar? {
    switch scalar.value {
    case 0x30...0x39, 0x61...0x7A: return scalar
    case 0x41...0x5A: return UnicodeScalar(scalar.value + 0x20)
    case 0xD7, 0xF7: return nil
    case 0xC0...0xFF:
      let lower = scalar.value < 0xDF ? scalar.value + 0x20 : scalar.value
      switch lower {
      case 0xE0...0xE4: return "a"
      case 0xE7: return "c"
      case 0xE8...0xEB: return "e"
      case 0xEC...0xEF: return "i"
      case 0xF1: return "n"
      case 0xF2...0xF6: return "o"
      case 0xF9...0xFC: return "u"
      case 0xFD: return "y"
      default: return UnicodeScalar(lower)  // å æ ð ø þ ß ÿ are letters of their own.
      }
    default: return nil
    }
  }
}
