import DataModel
import QueryLanguage

extension QueryGenerator {
  /// A path of at most two single links and then one value.
  mutating func scalarPath(
    _ className: String, where isWanted: (Property) -> Bool
  ) -> (path: QueryPath, property: Property)? {
    var elements: [QueryPath.Element] = []
    var current = className
    for _ in 0..<2 where oneIn(3) {
      let links = (schema[current]?.properties ?? []).filter { $0.collection == .single && $0.type == .object }
      guard !links.isEmpty else { break }
      let link = pick(links)
      guard let target = link.objectClassName,
        (schema[target]?.properties ?? []).contains(where: { $0.collection == .single && isWanted($0) })
      else { break }
      elements.append(QueryPath.Element(.name(link.name)))
      current = target
    }
    let properties = (schema[current]?.properties ?? []).filter { $0.collection == .single && isWanted($0) }
    guard !properties.isEmpty else { return nil }
    let property = pick(properties)
    return (QueryPath(elements + [QueryPath.Element(.name(property.name))]), property)
  }

  /// A path with many values: a collection, something behind a collection of objects, a backlink.
  mutating func collectionPath(_ className: String) -> (path: QueryPath, type: PropertyType) {
    var elements: [QueryPath.Element] = []
    var current = className
    if oneIn(5) {
      let links = (schema[current]?.properties ?? []).filter { $0.collection == .single && $0.type == .object }
      if !links.isEmpty {
        let link = pick(links)
        elements.append(QueryPath.Element(.name(link.name)))
        current = link.objectClassName ?? current
      }
    }
    var isMany = false
    if oneIn(4), let backlink = backlink(current) {
      elements.append(backlink.element)
      current = backlink.className
      isMany = true
    }
    for _ in 0..<3 {
      let properties = (schema[current]?.properties ?? []).filter { isMany || $0.collection != .single }
      guard !properties.isEmpty else { break }
      let property = pick(properties)
      elements.append(QueryPath.Element(.name(property.name)))
      if property.collection == .dictionary, oneIn(3) {
        elements.append(QueryPath.Element(.key(pick(["a", "b"]))))
      } else if property.collection == .dictionary, property.type != .object, oneIn(4) {
        elements.append(QueryPath.Element(.keys))
        return (QueryPath(elements), .string)
      } else if property.collection == .list, oneIn(4) {
        elements.append(QueryPath.Element(pick([.index(0), .index(1), .last, .all])))
      }
      guard property.type == .object, let target = property.objectClassName else {
        if property.type == .string, property.collection == .list, elements.count == 1, oneIn(4) {
          elements.append(QueryPath.Element(.name("length")))
          return (QueryPath(elements), .int)
        }
        return (QueryPath(elements), property.type)
      }
      isMany = true
      current = target
      if oneIn(4) { return (QueryPath(elements), .object) }
    }
    if elements.isEmpty { elements.append(QueryPath.Element(.name(schema[className]?.properties.first?.name ?? ""))) }
    return (QueryPath(elements), .object)
  }

  mutating func backlink(_ className: String) -> (element: QueryPath.Element, className: String)? {
    var choices: [(QueryPath.Element, String)] = []
    for origin in schema.objectSchema {
      for property in origin.properties where property.type == .object && property.objectClassName == className {
        let step = QueryPath.Step.backlinks(className: origin.className, property: property.name)
        choices.append((QueryPath.Element(step), origin.className))
      }
    }
    return choices.isEmpty ? nil : pick(choices)
  }

  mutating func subqueryPath(_ className: String) -> (path: QueryPath, target: String)? {
    if oneIn(3), let backlink = backlink(className) { return (QueryPath([backlink.element]), backlink.className) }
    let properties = (schema[className]?.properties ?? []).filter { $0.type == .object && $0.collection != .single }
    guard !properties.isEmpty else { return nil }
    let property = pick(properties)
    return (QueryPath(names: property.name), property.objectClassName ?? "")
  }

  mutating func orderingPath(_ className: String) -> QueryPath {
    if oneIn(10),
      let property = schema[className]?.properties.first(where: { $0.collection == .dictionary && $0.type != .object })
    {
      return QueryPath([QueryPath.Element(.name(property.name)), QueryPath.Element(.key("a"))])
    }
    return scalarPath(className, where: { $0.type != .object })?.path ?? QueryPath(names: "")
  }

  /// The predicate with a variable in front of the paths of its outermost comparisons.
  func prefixed(_ predicate: QueryPredicate, _ variable: String?) -> QueryPredicate {
    guard let variable else { return predicate }
    switch predicate {
    case .and(let parts): return .and(parts.map { prefixed($0, variable) })
    case .or(let parts): return .or(parts.map { prefixed($0, variable) })
    case .not(let inner): return .not(prefixed(inner, variable))
    case .comparison(var node):
      if case .property(var property) = node.left {
        property.path.elements.insert(QueryPath.Element(.name(variable)), at: 0)
        node.left = .property(property)
      }
      return .comparison(node)
    case .always, .between, .geoWithin: return predicate
    }
  }
}
