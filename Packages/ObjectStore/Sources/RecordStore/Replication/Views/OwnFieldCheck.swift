import DataModel
import QueryLanguage

/// Refuses queries whose outcome for an object depends on anything but single fields of the object itself.
struct OwnFieldCheck {
  private let layout: ClassLayout

  init(_ layout: ClassLayout) { self.layout = layout }

  /// - Throws: `QueryError` with the place of what cannot be served.
  func check(_ query: ParsedQuery) throws(QueryError) {
    try check(query.predicate)
    switch query.clauses.first {
    case nil: return
    case .sort(let keys)?: throw clause("SORT", keys.first?.path)
    case .distinct(let paths)?: throw clause("DISTINCT", paths.first)
    case .include(let paths)?: throw clause("INCLUDE", paths.first)
    case .limit?: throw clause("LIMIT", nil, query.source.text)
    }
  }

  private func clause(_ word: String, _ path: QueryPath?, _ text: String = "") -> QueryError {
    var span = path?.span ?? .none
    if path == nil {
      let bytes = Array(text.uppercased().utf8)
      let wanted = Array(word.utf8)
      let start = bytes.indices.last { bytes[$0...].starts(with: wanted) } ?? 0
      span = SourceSpan(start, start + wanted.count)
    }
    return QueryError(.operatorNotSupported, "\(word) is not served in subscriptions", at: span)
  }

  private func check(_ predicate: QueryPredicate) throws(QueryError) {
    switch predicate {
    case .and(let parts), .or(let parts): for part in parts { try check(part) }
    case .not(let inner): try check(inner)
    case .always: return
    case .comparison(let node):
      try check(node.left)
      try check(node.right)
    case .between(let node):
      try check(node.value)
      try check(node.bounds)
    case .geoWithin(let node):
      throw QueryError(.operatorNotSupported, "GEOWITHIN is not served in subscriptions", at: node.span)
    }
  }

  private func check(_ expression: QueryExpression) throws(QueryError) {
    switch expression {
    case .constant, .argument, .list: return
    case .property(let node): try check(node)
    case .arithmetic(let node):
      try check(node.left)
      try check(node.right)
    case .aggregate(let node):
      throw QueryError(.operatorNotSupported, "aggregates are not served in subscriptions", at: node.span)
    case .subquery(let node):
      throw QueryError(.operatorNotSupported, "SUBQUERY is not served in subscriptions", at: node.span)
    }
  }

  private func check(_ node: PropertyNode) throws(QueryError) {
    func refusal(_ reason: String) -> QueryError { QueryError(.operatorNotSupported, reason, at: node.path.span) }
    guard case .name(let name)? = node.path.elements.first?.step else {
      throw refusal("backlinks and arguments are not served in subscriptions")
    }
    // The plan names what does not exist.
    guard let field = layout.field(name) else { return }
    guard field.collection == .single else {
      throw refusal("the collection '\(name)' cannot be queried in subscriptions")
    }
    guard !field.canLink else {
      let kind = field.type == .any ? "mixed property" : "link"
      throw refusal("the \(kind) '\(name)' cannot be queried in subscriptions")
    }
  }
}
