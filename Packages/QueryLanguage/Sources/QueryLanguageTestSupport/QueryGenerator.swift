public import DataModel
public import QueryLanguage

/// Random queries over a schema. The resolver accepts most of them, and most find something in the data of
/// ``DataGenerator``.
public struct QueryGenerator<Random: RandomNumberGenerator> {
  let schema: Schema
  var random: Random

  /// A generator of queries over a schema.
  public init(_ schema: Schema, random: Random) {
    self.schema = schema
    self.random = random
  }

  mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }
  mutating func oneIn(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &random) == 0 }
  mutating func below(_ n: Int) -> Int { Int.random(in: 0..<n, using: &random) }

  /// A query over a class.
  public mutating func query(_ className: String) -> ParsedQuery {
    var query = ParsedQuery(predicate(className, depth: below(4)))
    while oneIn(3) {
      switch below(4) {
      case 0: query.clauses.append(.limit(below(6)))
      case 1: query.clauses.append(.distinct((0...below(2)).map { _ in orderingPath(className) }))
      default:
        query.clauses.append(
          .sort((0...below(2)).map { _ in SortKey(orderingPath(className), ascending: below(2) == 0) }))
      }
    }
    return query
  }

  mutating func predicate(_ className: String, depth: Int) -> QueryPredicate {
    if depth > 0 {
      switch below(6) {
      case 0: return parts(className, depth, { .and($0) }) { if case .and(let inner) = $0 { inner } else { [$0] } }
      case 1, 2: return parts(className, depth, { .or($0) }) { if case .or(let inner) = $0 { inner } else { [$0] } }
      case 3: return .not(predicate(className, depth: depth - 1))
      default: break
      }
    }
    if oneIn(30) { return .always(below(2) == 0) }
    return comparison(className, depth: depth)
  }

  private mutating func parts(
    _ className: String, _ depth: Int, _ join: ([QueryPredicate]) -> QueryPredicate,
    _ flattened: (QueryPredicate) -> [QueryPredicate]
  ) -> QueryPredicate {
    var parts: [QueryPredicate] = []
    for _ in 0..<(2 + below(3)) { parts += flattened(predicate(className, depth: depth - 1)) }
    return join(parts)
  }

  // MARK: Comparisons

  mutating func comparison(_ className: String, depth: Int) -> QueryPredicate {
    switch below(12) {
    case 0, 1, 2, 3: return scalarComparison(className)
    case 4, 5: return listComparison(className)
    case 6:
      let path = collectionPath(className)
      return compare(
        .property(PropertyNode(path.path, suffix: .count)), relation(), .constant(.int(Int64(below(4))), span: .none))
    case 7: return aggregateComparison(className)
    case 8:
      let subquery = subqueryPath(className)
      guard let subquery, depth > 0 else { return scalarComparison(className) }
      let inner = prefixed(predicate(subquery.target, depth: depth - 1), below(2) == 0 ? "$v" : nil)
      let node = SubqueryNode(subquery.path, variable: "$v", predicate: inner)
      return compare(.subquery(node), relation(), .constant(.int(Int64(below(3))), span: .none))
    case 9: return linkComparison(className)
    case 10:
      let path = scalarPath(className, where: { $0.type == .int || $0.type == .double })
      guard let path else { return scalarComparison(className) }
      let other =
        oneIn(2)
        ? QueryExpression.constant(constant(path.property.type), span: .none) : .property(PropertyNode(path.path))
      let node = ArithmeticNode(.property(PropertyNode(path.path)), pick(ArithmeticOperation.allCases), other)
      return compare(.arithmetic(node), relation(), .constant(constant(path.property.type), span: .none))
    default:
      let path = scalarPath(className, where: { [.int, .double, .decimal128, .float].contains($0.type) })
      guard let path else { return scalarComparison(className) }
      let bounds = [ListNode.Element.constant(constant(path.property.type)), .constant(constant(path.property.type))]
      return .between(BetweenNode(.property(PropertyNode(path.path)), bounds: .list(ListNode(bounds))))
    }
  }

  func compare(_ left: QueryExpression, _ operation: ComparisonOperation, _ right: QueryExpression) -> QueryPredicate {
    .comparison(ComparisonNode(left, operation, right))
  }

  mutating func relation() -> ComparisonOperation {
    pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
  }

  private mutating func scalarComparison(_ className: String) -> QueryPredicate {
    guard let (path, property) = scalarPath(className, where: { $0.type != .object }) else { return .always(true) }
    let side = QueryExpression.property(PropertyNode(path))
    switch below(8) {
    case 0: return compare(side, pick([.equal, .notEqual]), .constant(.null, span: .none))
    case 1, 2:
      let list = QueryExpression.list(list(property.type))
      return compare(side, pick([.in, .equal, .notEqual, .less]), list)
    case 3:
      if property.type == .any {
        return compare(
          .property(PropertyNode(path, suffix: .type)), pick([.equal, .notEqual]),
          .constant(.string(pick(["int", "string", "NULL", "numeric", "bool"])), span: .none))
      }
    case 4:
      if let other = scalarPath(className, where: { $0.type == property.type }) {
        return compare(side, relation(), .property(PropertyNode(other.path)))
      }
    default: break
    }
    return compareWithConstant(side, property.type)
  }

  mutating func compareWithConstant(_ side: QueryExpression, _ type: PropertyType) -> QueryPredicate {
    let constant = QueryExpression.constant(constant(type), span: .none)
    if type == .string || type == .data || type == .any, below(2) == 0 {
      let operation = pick([ComparisonOperation.beginsWith, .endsWith, .contains, .like, .equal])
      let needle = QueryExpression.constant(self.constant(type == .any ? .string : type), span: .none)
      return .comparison(ComparisonNode(side, operation, needle, options: below(2) == 0 ? .caseInsensitive : []))
    }
    if type == .bool || type == .UUID || type == .objectId, below(3) > 0 {
      return compare(side, pick([.equal, .notEqual]), constant)
    }
    return oneIn(5) ? compare(constant, relation(), side) : compare(side, relation(), constant)
  }

  private mutating func listComparison(_ className: String) -> QueryPredicate {
    let (path, type) = collectionPath(className)
    let quantifier = pick([nil, nil, Quantifier.any, Quantifier.all, Quantifier.none])
    let side = QueryExpression.property(PropertyNode(path, quantifier: quantifier))
    if type == .object { return linkComparison(className) }
    switch below(5) {
    case 0: return compare(side, pick([.in, .equal, .notEqual, .greater]), .list(list(type)))
    case 1: return compare(.constant(constant(type), span: .none), .in, side)
    case 2: return compare(side, pick([.equal, .notEqual]), .constant(.null, span: .none))
    default: return compareWithConstant(side, type)
    }
  }

  private mutating func aggregateComparison(_ className: String) -> QueryPredicate {
    let properties = schema[className]?.properties ?? []
    let numeric: [PropertyType] = [.int, .double, .float, .decimal128]
    var choices: [AggregateNode] = []
    for property in properties where property.collection != .single {
      let path = QueryPath(names: property.name)
      if numeric.contains(property.type) || property.type == .any {
        choices.append(AggregateNode(path, pick(AggregateOperation.allCases)))
      }
      for inner in schema[property.objectClassName ?? ""]?.properties ?? []
      where numeric.contains(inner.type) && inner.collection == .single {
        choices.append(AggregateNode(path, pick(AggregateOperation.allCases), property: inner.name))
      }
    }
    guard !choices.isEmpty else { return scalarComparison(className) }
    let node = pick(choices)
    if oneIn(4) { return compare(.aggregate(node), pick([.equal, .notEqual]), .constant(.null, span: .none)) }
    return compare(.aggregate(node), relation(), .constant(constant(pick([.int, .double])), span: .none))
  }

  private mutating func linkComparison(_ className: String) -> QueryPredicate {
    guard let link = scalarPath(className, where: { $0.type == .object }), let target = link.property.objectClassName,
      schema[target]?.primaryKey != nil
    else { return scalarComparison(className) }
    let side = QueryExpression.property(PropertyNode(link.path))
    switch below(4) {
    case 0: return compare(side, pick([.equal, .notEqual]), .constant(.null, span: .none))
    case 1:
      return compare(
        .property(PropertyNode(link.path, suffix: .count)), .equal, .constant(.int(Int64(below(2))), span: .none))
    default:
      return compare(
        side, pick([.equal, .notEqual]),
        .constant(.object(DataGenerator.reference(target, below(8), schema)), span: .none))
    }
  }

  // MARK: Constants

  mutating func list(_ type: PropertyType) -> ListNode {
    let quantifier = pick([nil, nil, nil, Quantifier.any, Quantifier.all, Quantifier.none])
    var elements = (0..<below(5)).map { _ in ListNode.Element.constant(oneIn(8) ? .null : constant(type)) }
    if oneIn(20) { elements.append(.constant(.string("odd one"))) }
    return ListNode(elements, quantifier: quantifier)
  }

  mutating func constant(_ type: PropertyType) -> QueryConstant {
    if oneIn(12), type == .int { return .double(pick([2.5, 3.0, -1.5, 1e30, .nan]), digits: nil) }
    if oneIn(12), type == .double { return .int(Int64(below(5))) }
    if oneIn(12), type == .decimal128 { return .int(Int64(below(5))) }
    if oneIn(8), type == .float || type == .decimal128 { return .double(pick([0.5, 1.25, 2.1]), digits: nil) }
    return QueryConstant(DataGenerator.value(type, using: &random)) ?? .null
  }
}
