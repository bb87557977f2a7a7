import DataModel
import QueryLanguage
import RecordStore

/// A part of a typed query: a value, or a condition.
indirect enum TypedNode {
  case constant(Any?)
  case path(TypedPath)
  case comparison(ComparisonOperation, TypedNode, TypedNode, ComparisonOptions)
  case between(TypedNode, Any, Any)
  case and(TypedNode, TypedNode)
  case or(TypedNode, TypedNode)
  case not(TypedNode)
  /// The number of elements for which a condition about one collection holds.
  case count(TypedNode)
  case geoWithin(TypedNode, any GeoRegionShape)

  /// A comparison.
  /// - Precondition: the two sides are not both collections.
  static func compared(
    _ left: TypedNode, _ operation: ComparisonOperation, _ right: TypedNode, _ options: ComparisonOptions = []
  ) -> TypedNode {
    if case .path(let left) = left, case .path(let right) = right, left.isAny, right.isAny {
      violated("Comparing two collection columns is not permitted.")
    }
    return .comparison(operation, left, right, options)
  }

  // MARK: As a tree

  /// The condition as a tree of the query language.
  var predicate: QueryPredicate {
    var counter = 0
    return predicate(&counter)
  }

  private func predicate(_ counter: inout Int) -> QueryPredicate {
    switch self {
    case .constant(let value):
      guard let flag = value as? Bool else { violated("A query is a condition, not a value.") }
      return .always(flag)
    case .path(let path): return path.expression.compared(.equal, to: .value(.bool(true)))
    case .not(.path(let path)): return path.expression.compared(.equal, to: .value(.bool(false)))
    case .not(let inner): return !inner.predicate(&counter)
    case .and(let left, let right):
      let first = left.predicate(&counter)
      return first && right.predicate(&counter)
    case .or(let left, let right):
      let first = left.predicate(&counter)
      return first || right.predicate(&counter)
    case .comparison(let operation, let left, let right, let options):
      if let members = TypedNode.memberwise(operation, left, right) { return members.predicate(&counter) }
      let first = left.expression(&counter)
      return first.compared(operation, to: right.expression(&counter), options: options)
    case .between(let value, let low, let high):
      return value.expression(&counter).between(Value(literal: low), Value(literal: high))
    case .count: violated("The count of a subquery has to be compared with a number.")
    case .geoWithin(let value, let shape):
      guard case .property(let node) = value.expression(&counter) else {
        violated("Only objects lie within a region.")
      }
      return .geoWithin(GeoWithinNode(node, .literal(shape.queryShape)))
    }
  }

  private func expression(_ counter: inout Int) -> QueryExpression {
    switch self {
    case .constant(let value):
      switch value.map({ QueryArgument(literal: $0) }) {
      case .list(let values)?: return .value(.list(values))
      case .value(let value)?: return .value(value)
      case .shape?, nil: return .value(.null)
      }
    case .path(let path): return path.expression
    case .count(let inner):
      counter += 1
      let number = counter
      let (collection, condition) = inner.subquery("$col\(number)")
      let path = QueryPath(names: collection.joined(separator: "."))
      return .subquery(SubqueryNode(path, variable: "$col\(number)", predicate: condition.predicate(&counter)))
    case .comparison, .between, .and, .or, .not, .geoWithin:
      violated("A condition is not a value; compare its count.")
    }
  }

  // MARK: Subqueries

  /// The collection of a condition, and the condition on one element of it. A condition about no collection, or about
  /// several, stops the program.
  func subquery(_ variable: String) -> (collection: [String], condition: TypedNode) {
    var collection: [String]?
    let condition = replacingCollection(&collection, by: variable)
    guard let collection else {
      violated("Subqueries must contain a keypath starting with a collection.")
    }
    return (collection, condition)
  }

  private func replacingCollection(_ found: inout [String]?, by variable: String) -> TypedNode {
    switch self {
    case .constant: return self
    case .path(let path):
      guard let end = path.firstCollectionEnd else { return self }
      let names = path.steps[..<end].map { step -> String in
        guard case .name(let name) = step else { violated("Map subscripts cannot be used in a subquery.") }
        return name
      }
      rule(found == nil || found == names, "Subqueries cannot be about more than one collection.")
      if path.steps.dropFirst(end).contains(where: { if case .key = $0 { true } else { false } }) {
        violated("Map subscripts cannot be used in a subquery.")
      }
      found = names
      return .path(path.fromElement(variable))
    case .comparison(let operation, let left, let right, let options):
      let first = left.replacingCollection(&found, by: variable)
      return .comparison(operation, first, right.replacingCollection(&found, by: variable), options)
    case .between(let value, let low, let high):
      return .between(value.replacingCollection(&found, by: variable), low, high)
    case .and(let left, let right):
      let first = left.replacingCollection(&found, by: variable)
      return .and(first, right.replacingCollection(&found, by: variable))
    case .or(let left, let right):
      let first = left.replacingCollection(&found, by: variable)
      return .or(first, right.replacingCollection(&found, by: variable))
    case .not(let inner): return .not(inner.replacingCollection(&found, by: variable))
    // A nested subquery has a collection of its own, relative to the element.
    case .count: return self
    case .geoWithin(let value, let shape):
      return .geoWithin(value.replacingCollection(&found, by: variable), shape)
    }
  }
}
