import QueryLanguage

/// The identity of a query: equal for queries that differ in the order of conditions, in conditions said twice, in the
/// spelling of operators, or in whether a constant is a literal or an argument.
///
/// Texts are compared by bytes, since `==` of strings calls texts equal that a query tells apart; trees as well, since a
/// decimal and a double may be written alike. Made in O(*n* · *d*) for *n* bytes of text and nesting *d*.
struct CohortKey: Hashable, Sendable {
  let className: String
  private let text: [UInt8]
  private let predicate: QueryPredicate
  private let clauses: [QueryClause]

  /// - Parameter query: with literals in the place of arguments.
  init(_ query: ParsedQuery, className: String) {
    self.className = className
    let canonical = Self.canonical(query.predicate)
    predicate = canonical.predicate
    clauses = query.clauses
    text = canonical.text + ParsedQuery(.always(true), clauses: query.clauses).description.utf8
  }

  /// Whether the key equals itself; a query with NaN as constant does not, and has no company.
  var isComparable: Bool { self == self }

  /// Adds the text, which says as much as the tree but for rare pairs.
  func hash(into hasher: inout Hasher) {
    hasher.combine(className)
    hasher.combine(text)
  }

  private typealias Part = (predicate: QueryPredicate, text: [UInt8])

  private static func canonical(_ predicate: QueryPredicate) -> Part {
    switch predicate {
    case .and(let parts): return joined(parts, by: " and ") { .and($0) }
    case .or(let parts): return joined(parts, by: " or ") { .or($0) }
    case .not(let inner):
      let part = canonical(inner)
      return (.not(part.predicate), Array("!(".utf8) + part.text + Array(")".utf8))
    case .always, .comparison, .between, .geoWithin: return (predicate, Array(predicate.description.utf8))
    }
  }

  private static func joined(
    _ parts: [QueryPredicate], by word: String, _ make: ([QueryPredicate]) -> QueryPredicate
  ) -> Part {
    var kept: [Part] = []
    for part in parts.map(canonical).sorted(by: { $0.text.lexicographicallyPrecedes($1.text) }) {
      if let last = kept.last, last.text == part.text, last.predicate == part.predicate { continue }
      kept.append(part)
    }
    if kept.count == 1 { return kept[0] }
    let text = kept.map { Array("(".utf8) + $0.text + Array(")".utf8) }.joined(separator: word.utf8)
    return (make(kept.map(\.predicate)), Array(text))
  }
}
