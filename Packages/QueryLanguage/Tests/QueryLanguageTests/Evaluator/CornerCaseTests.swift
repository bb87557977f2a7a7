import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import Testing

/// One query with its outcome: the last characters of the keys found, or the category of the refusal.
struct CornerCase: CustomStringConvertible, Sendable {
  var className = "Person"
  var text: String
  var arguments: [QueryArgument]
  var dialect: QueryDialect
  var outcome: String

  /// - Parameter outcome: keys with blanks between, in order where the query sorts; `all`, `none`, or a category.
  init(
    _ text: String, _ outcome: String, _ arguments: [QueryArgument] = [], in className: String = "Person",
    dialect: QueryDialect = .realm
  ) {
    (self.text, self.outcome, self.arguments) = (text, outcome, arguments)
    (self.className, self.dialect) = (className, dialect)
  }

  var description: String { "\(className): \(text)" }

  /// The cases of a text, one a line: `query -> outcome`, the class before a colon unless it is Person.
  static func table(dialect: QueryDialect = .realm, _ text: String) -> [CornerCase] {
    text.split(separator: "\n").map { line in
      let (query, outcome) = parts(of: line, at: " -> ") ?? (String(line), "a line without an outcome")
      guard let (name, text) = parts(of: query[...], at: ": "), name.allSatisfy(\.isLetter) else {
        return CornerCase(query, outcome, dialect: dialect)
      }
      return CornerCase(text, outcome, in: name, dialect: dialect)
    }
  }

  /// The parts before and behind the first separator; nil without one.
  private static func parts(of text: Substring, at separator: String) -> (String, String)? {
    text.firstRange(of: separator).map { (String(text[..<$0.lowerBound]), String(text[$0.upperBound...])) }
  }

  static func format(_ text: String, _ outcome: String, _ arguments: [QueryArgument] = []) -> CornerCase {
    CornerCase(text, outcome, arguments, dialect: .nspredicate)
  }

  /// The outcome of the query over the data of a vector file, in the words of ``outcome``.
  func found(in file: VectorFile, _ source: MemorySource) throws -> String {
    let rows: [QueryRow]
    do {
      let query =
        try dialect == .nspredicate
        ? ParsedQuery(format: text, arguments: arguments) : ParsedQuery(parsing: text, dialect: dialect)
      let plan = try QueryPlan(query, className: className, schema: file.schema, arguments: arguments)
      rows = try plan.rows(in: source)
    } catch let error as QueryError { return error.category.rawValue }
    let table = try #require(source.memoryTable(className))
    if rows.isEmpty { return "none" }
    if rows.count == table.rowCount { return "all" }
    return rows.map { row in
      switch table.objectKey(of: row) {
      case .int(let number)?: "\(number)"
      case .string(let text)?: String(text.suffix(1))
      case .uuid(let id)?: String(id.uuidString.suffix(1))
      default: "?"
      }
    }.joined(separator: " ")
  }
}

/// Corners of the specification, worked out by hand over the data of the vectors.
@Suite("Corner cases") struct CornerCaseTests {
  static let all = [
    nulls, ranges, aggregates, counts, backlinks, mixed, types, lists, subqueries, dictionaries, texts, arithmetic,
    dates, clauses, formats, fullText, links,
  ]

  @Test("are as the specification has them, however the store is laid out", arguments: all)
  func hold(cases: [CornerCase]) throws { try check(cases) }

  private func check(_ cases: [CornerCase]) throws {
    let file = try #require(VectorFile.all().first)
    for presentation in VectorTests.presentations {
      let source = file.source(presentation)
      for entry in cases { #expect(try entry.found(in: file, source) == entry.outcome, "\(entry)") }
    }
  }
}
