import DataModel
import QueryLanguage

/// Puts constants that print alike into one form: digits of doubles, NaN, decimals.
enum TreeNormalizer {
  static func normalized(_ query: ParsedQuery) -> ParsedQuery {
    ParsedQuery(normalized(query.predicate), clauses: query.clauses)
  }

  private static func normalized(_ predicate: QueryPredicate) -> QueryPredicate {
    switch predicate {
    case .always, .geoWithin: return predicate
    case .not(let inner): return .not(normalized(inner))
    case .and(let parts): return .and(parts.map(normalized))
    case .or(let parts): return .or(parts.map(normalized))
    case .comparison(var node):
      node.left = normalized(node.left)
      node.right = normalized(node.right)
      return .comparison(node)
    case .between(var node):
      node.value = normalized(node.value)
      node.bounds = normalized(node.bounds)
      return .between(node)
    }
  }

  private static func normalized(_ expression: QueryExpression) -> QueryExpression {
    switch expression {
    case .constant(let constant, let span): return .constant(normalized(constant), span: span)
    case .list(var node):
      node.elements = node.elements.map {
        if case .constant(let constant) = $0 { .constant(normalized(constant)) } else { $0 }
      }
      return .list(node)
    case .subquery(var node):
      node.predicate = normalized(node.predicate)
      return .subquery(node)
    case .arithmetic(var node):
      node.left = normalized(node.left)
      node.right = normalized(node.right)
      return .arithmetic(node)
    case .argument, .property, .aggregate: return expression
    }
  }

  private static func normalized(_ constant: QueryConstant) -> QueryConstant {
    switch constant {
    case .double(let value, _): .string("double \(value)")
    case .decimal(let value):
      Int64(exactly: value.doubleValue).map { .int($0) } ?? .string("double \(value.doubleValue)")
    default: constant
    }
  }
}
