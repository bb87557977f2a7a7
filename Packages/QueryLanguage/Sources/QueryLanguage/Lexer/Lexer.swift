import DataModel

/// Cuts the text of a query into tokens, one at a time: the longest match at each position.
///
/// `age=1OR x` gives `age`, `=`, `1`, `OR`, `x`; `aORb` is one identifier; the sign in `age -1` belongs to the number.
struct Lexer {
  let text: String
  let bytes: [UInt8]
  let dialect: QueryDialect
  var position = 0
  /// The number of specifiers of a format string before the current position.
  var specifierCount = 0

  init(_ text: String, dialect: QueryDialect) {
    self.text = text
    self.bytes = Array(text.utf8)
    self.dialect = dialect
  }

  /// The byte at a distance from the current position; 0 past the end.
  func byte(_ distance: Int = 0) -> UInt8 {
    let at = position + distance
    return at < bytes.count ? bytes[at] : 0
  }

  func failure(_ message: String, from start: Int, hint: String? = nil) -> QueryError {
    QueryError(.syntax, message, at: SourceSpan(start, max(start, position)), hint: hint, text: text)
  }

  /// The next token; ``Token/Kind/end`` at the end of the text, however often it is asked for.
  mutating func next() throws(QueryError) -> Token {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    let start = position
    guard position < bytes.count else { return Token(.end, span: SourceSpan(start, start)) }
    let first = bytes[position]
    if Self.isDigit(first) || first == UInt8(ascii: "+") || first == UInt8(ascii: "-") || first == UInt8(ascii: ".") {
      if let constant = try number() { return Token(.constant(constant), span: SourceSpan(start, position)) }
    }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return Token(.constant(.string(try quoted())), span: SourceSpan(start, position))
    case UInt8(ascii: "@"): return try collectionWord()
    case UInt8(ascii: "%") where dialect == .nspredicate: return try formatSpecifier()
    case UInt8(ascii: "#") where dialect == .nspredicate:
      position += 1
      guard Self.startsIdentifier(byte()) else { throw failure("expected a name after '#'", from: start) }
      let name = try identifier()
      return Token(.word(name), span: SourceSpan(start, position))
    default: break
    }
    if Self.startsIdentifier(first) { return try word() }
    if let symbol = try symbol() { return Token(.symbol(symbol), span: SourceSpan(start, position)) }
    throw unexpectedCharacter(first, at: start)
  }

  private func unexpectedCharacter(_ character: UInt8, at start: Int) -> QueryError {
    let shown =
      character < 0x20 || character == 0x7F
      ? "control character \(character)" : "'\(Character(UnicodeScalar(character)))'"
    let hint: String? =
      switch character {
      case UInt8(ascii: "&"): "write && or AND"
      case UInt8(ascii: "|"): "write || or OR"
      case UInt8(ascii: "#"), UInt8(ascii: ";"): "a query holds no comments and no ';'"
      case UInt8(ascii: "%"): "arguments are $0, $1, … here; %@ belongs to format strings"
      default: nil
      }
    return failure("unexpected \(shown)", from: start, hint: hint)
  }

  // MARK: Signs

  private mutating func symbol() throws(QueryError) -> Symbol? {
    let start = position
    let one = byte()
    let two = byte(1)
    func accept(_ symbol: Symbol, _ length: Int) -> Symbol {
      position = start + length
      return symbol
    }
    switch (one, two) {
    case (UInt8(ascii: "&"), UInt8(ascii: "&")): return accept(.and, 2)
    case (UInt8(ascii: "|"), UInt8(ascii: "|")): return accept(.or, 2)
    case (UInt8(ascii: "="), UInt8(ascii: "=")):
      if byte(2) == UInt8(ascii: "=") {
        position += 3
        throw failure("unexpected '==='", from: start, hint: "equality is == or =")
      }
      return accept(.equal, 2)
    case (UInt8(ascii: "="), UInt8(ascii: "<")): return accept(.lessOrEqual, 2)
    case (UInt8(ascii: "="), UInt8(ascii: ">")): return accept(.greaterOrEqual, 2)
    case (UInt8(ascii: "="), _): return accept(.equal, 1)
    case (UInt8(ascii: "!"), UInt8(ascii: "=")): return accept(.notEqual, 2)
    case (UInt8(ascii: "<"), UInt8(ascii: ">")): return accept(.notEqual, 2)
    case (UInt8(ascii: "<"), UInt8(ascii: "=")): return accept(.lessOrEqual, 2)
    case (UInt8(ascii: ">"), UInt8(ascii: "=")): return accept(.greaterOrEqual, 2)
    case (UInt8(ascii: "["), _):
      let (symbol, length) = bracket()
      return accept(symbol, length)
    default: break
    }
    guard let symbol = Symbol(rawValue: String(UnicodeScalar(one))) else { return nil }
    return accept(symbol, 1)
  }

  /// `[`, `[c]`, and in format strings `[d]` and `[cd]`, with the length.
  private func bracket() -> (Symbol, length: Int) {
    if byte(1) == UInt8(ascii: "c"), byte(2) == UInt8(ascii: "]") { return (.caseInsensitive, 3) }
    guard dialect == .nspredicate else { return (.leftBracket, 1) }
    switch (byte(1) | 0x20, byte(2), byte(3)) {
    case (UInt8(ascii: "c"), UInt8(ascii: "]"), _): return (.caseInsensitive, 3)
    case (UInt8(ascii: "d"), UInt8(ascii: "]"), _): return (.diacriticInsensitive, 3)
    case (UInt8(ascii: "c"), let second, UInt8(ascii: "]")) where second | 0x20 == UInt8(ascii: "d"):
      return (.caseAndDiacriticInsensitive, 4)
    case (UInt8(ascii: "d"), let second, UInt8(ascii: "]")) where second | 0x20 == UInt8(ascii: "c"):
      return (.caseAndDiacriticInsensitive, 4)
    default: return (.leftBracket, 1)
    }
  }

  private mutating func collectionWord() throws(QueryError) -> Token {
    let start = position
    position += 1
    while Self.continuesIdentifier(byte()) { position += 1 }
    var word = String(decoding: bytes[start..<position], as: UTF8.self)
    if dialect == .nspredicate {
      switch word.lowercased() {
      case "@allkeys": word = "@keys"
      case "@allvalues": word = "@values"
      default: word = word.lowercased()
      }
    }
    let known = ["@count", "@size", "@min", "@max", "@sum", "@avg", "@links", "@type", "@keys", "@values"]
    guard known.contains(word) else {
      if dialect == .nspredicate, word.hasPrefix("@distinctunion") || word.hasPrefix("@unionof") {
        throw QueryError(
          .operatorNotSupported, "the collection operator '\(word)' is not supported",
          at: SourceSpan(start, position), text: text)
      }
      let hint =
        known.contains(word.lowercased()) ? "write \(word.lowercased())" : "known are \(known.joined(separator: " "))"
      throw failure("unknown collection word '\(word)'", from: start, hint: hint)
    }
    return Token(.collectionWord(word), span: SourceSpan(start, position))
  }
}
