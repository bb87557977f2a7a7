/// The refusal of a query: the kind of mistake, a message, and the place in the text.
///
///     do { _ = try ParsedQuery(parsing: "age > 18 SORT(name)") } catch { print(error) }
///     // line 1, column 19: expected ASC or DESC after the path, found ')'
///     //   age > 18 SORT(name)
///     //                     ^
///     // hint: a sort key needs its direction: SORT(name ASC)
public struct QueryError: Error, Hashable, Sendable {
  /// The kinds of mistakes.
  public enum Category: String, Hashable, Sendable, CaseIterable {
    /// The text is not a query.
    case syntax
    /// A class, property or mapped name does not exist.
    case unknownName
    /// Two sides can never be compared.
    case typeMismatch
    /// An operator, index, aggregate, quantifier or sort key is not defined for a type.
    case operatorNotSupported
    /// The parts are right and their combination means nothing.
    case invalidExpression
    /// An argument is missing or of the wrong type.
    case argument
  }

  /// The kind of mistake.
  public var category: Category
  /// One sentence without a full stop, naming the offending word. Never contains values of arguments.
  public var message: String
  /// The place in ``text``, in UTF-8 offsets.
  public var span: SourceSpan
  /// A correct spelling, when one can be guessed.
  public var hint: String?
  /// The text of the query; empty when the tree was not read from a text.
  public var text: String

  /// A refusal; over-long messages and hints are cut.
  public init(
    _ category: Category, _ message: String, at span: SourceSpan = .none, hint: String? = nil, text: String = ""
  ) {
    self.category = category
    self.message = Self.shortened(message)
    self.span = span
    self.hint = hint.map(Self.shortened)
    self.text = text
  }

  /// The sentence, cut to 200 characters when a name in it is of absurd length.
  private static func shortened(_ sentence: String) -> String {
    sentence.utf8.count <= 400 ? sentence : String(sentence.prefix(200)) + " …"
  }

  /// The line of the mistake, from 1.
  public var line: Int { 1 + text.utf8.prefix(span.start).count { $0 == 0x0A } }

  /// The column of the mistake in characters (code points), from 1.
  public var column: Int {
    let before = text.utf8.prefix(span.start)
    let lineBytes = before.suffix(from: before.lastIndex(of: 0x0A).map { before.index(after: $0) } ?? before.startIndex)
    return 1 + lineBytes.count { $0 & 0xC0 != 0x80 }
  }
}

extension QueryError: CustomStringConvertible {
  /// The message with line and column, the line of the query with a caret below the mistake, and the hint.
  public var description: String {
    var lines: [String] = []
    if text.isEmpty {
      lines.append(message)
    } else {
      lines.append("line \(line), column \(column): \(message)")
      lines += excerpt
    }
    if let hint { lines.append("hint: \(hint)") }
    return lines.joined(separator: "\n")
  }

  /// The line of the mistake, cut to a width that fits a terminal, and a caret.
  private var excerpt: [String] {
    let bytes = Array(text.utf8)
    let at = min(span.start, bytes.count)
    let lineStart = bytes[..<at].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let lineEnd = bytes[at...].firstIndex(of: 0x0A) ?? bytes.count
    var from = lineStart
    var to = lineEnd
    if at - from > 60 { from = at - 60 }
    while from < at, bytes[from] & 0xC0 == 0x80 { from += 1 }
    if to - at > 60 { to = at + 60 }
    while to > at, to < bytes.count, bytes[to] & 0xC0 == 0x80 { to -= 1 }
    func printable(_ part: ArraySlice<UInt8>) -> [UInt8] { part.map { $0 < 0x20 ? 0x20 : $0 } }
    let shown = String(decoding: printable(bytes[from..<to]), as: UTF8.self)
    let before = bytes[from..<at].count { $0 & 0xC0 != 0x80 }
    return ["  " + shown, "  " + String(repeating: " ", count: before) + "^"]
  }
}
