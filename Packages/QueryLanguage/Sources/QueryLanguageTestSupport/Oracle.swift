import DataModel
public import QueryLanguage

/// A second, slow reading of the specification: evaluates a tree object by object, without resolver, planner,
/// columns or indexes. The only code shared with the evaluator is the order of values in `DataModel`.
///
/// Only for queries that the resolver accepts; arguments have to be bound.
public struct Oracle {
  let source: MemorySource
  let schema: QuerySchema

  /// An oracle for the objects of a source.
  public init(_ source: MemorySource, schema: QuerySchema) {
    self.source = source
    self.schema = schema
  }

  /// One object: its class and its position among the objects of the class.
  struct Object: Hashable {
    var className: String
    var position: Int
  }

  /// The positions of the matching objects, clauses applied.
  ///
  /// - Complexity: O(*n*) at least for *n* objects of the class; subqueries and backlinks multiply.
  public func positions(_ query: ParsedQuery, _ className: String) -> [Int] {
    let all = (0..<(source.memoryTable(className)?.rowCount ?? 0)).map { Object(className: className, position: $0) }
    var matching = all.filter { holds(query.predicate, $0) }
    var clauses = query.clauses[...]
    while let clause = clauses.popFirst() {
      switch clause {
      case .include: continue
      case .limit(let count): matching = Array(matching.prefix(count))
      case .distinct(let paths):
        var seen: [[Value]] = []
        matching = matching.filter { object in
          let values = paths.map { orderingValue($0, object) }
          if values.contains(where: { $0 == nil }) { return false }
          let present = values.map { $0 ?? .null }
          if seen.contains(where: { zip($0, present).allSatisfy { compareForSort($0, $1) == 0 } }) { return false }
          seen.append(present)
          return true
        }
      case .sort(var keys):
        while case .sort(let later)? = clauses.first {
          keys = later + keys
          clauses.removeFirst()
        }
        matching = sorted(matching, keys)
      }
    }
    return matching.map(\.position)
  }

  private func sorted(_ objects: [Object], _ keys: [SortKey]) -> [Object] {
    let keyed = objects.enumerated().map { place, object in
      (place, object, keys.map { key in orderingValue(key.path, object) })
    }
    return keyed.sorted { left, right in
      for (at, key) in keys.enumerated() {
        let order: Int =
          switch (left.2[at], right.2[at]) {
          case (nil, nil): 0
          case (nil, _): 1
          case (_, nil): -1
          case (let a?, let b?): compareForSort(a, b)
          }
        if order != 0 { return key.isAscending ? order < 0 : order > 0 }
      }
      return left.0 < right.0
    }.map(\.1)
  }

  /// The value of a sort key; nil when a link on the way is null.
  private func orderingValue(_ path: QueryPath, _ object: Object) -> Value? {
    var current = object
    for (at, element) in path.elements.enumerated() {
      guard case .name(let name) = element.step, let property = property(name, current.className) else { return .null }
      let value = self.value(property, current)
      if at + 1 < path.elements.count, case .key(let key) = path.elements[at + 1].step {
        if case .dictionary(let entries) = value { return entries[key] ?? .null }
        return .null
      }
      guard property.type == .object, at + 1 < path.elements.count else { return value }
      guard let next = target(value) else { return nil }
      current = next
    }
    return .null
  }

  // MARK: Objects

  func property(_ name: String, _ className: String) -> Property? { schema.schema[className]?[name] }

  func value(_ property: Property, _ object: Object) -> Value {
    guard let table = source.memoryTable(object.className),
      let at = table.schema.properties.firstIndex(where: { $0.name == property.name })
    else { return .null }
    return resolved(table.rows[object.position][at])
  }

  private func resolved(_ value: Value) -> Value {
    if case .list(let values) = value { return .list(values.map(resolved)) }
    if case .dictionary(let values) = value { return .dictionary(values.mapValues(resolved)) }
    if case .link = value, target(value) == nil { return .null }
    return value
  }

  /// The object that a link leads to.
  func target(_ value: Value) -> Object? {
    guard case .link(let reference) = value, let table = source.memoryTable(reference.className),
      let position = table.keys.firstIndex(of: reference.key)
    else { return nil }
    return Object(className: reference.className, position: position)
  }

  func link(_ object: Object) -> Value {
    guard let key = source.memoryTable(object.className)?.keys[object.position] else { return .null }
    return .link(ObjectReference(className: object.className, key: key))
  }

  /// The objects whose property links here, once for each occurrence.
  func origins(_ object: Object, _ className: String, _ name: String) -> [Object] {
    guard let property = property(name, className), let table = source.memoryTable(className) else { return [] }
    let wanted = link(object)
    return (0..<table.rowCount).flatMap { position -> [Object] in
      let origin = Object(className: className, position: position)
      return [Object](repeating: origin, count: occurrences(of: wanted, in: value(property, origin)))
    }
  }

  func occurrences(of link: Value, in value: Value) -> Int {
    if case .list(let values) = value { return values.reduce(0) { $0 + occurrences(of: link, in: $1) } }
    if case .dictionary(let values) = value { return values.values.reduce(0) { $0 + occurrences(of: link, in: $1) } }
    return value == link ? 1 : 0
  }

  // MARK: Predicates

  func holds(_ predicate: QueryPredicate, _ object: Object) -> Bool {
    switch predicate {
    case .always(let value): return value
    case .not(let inner): return !holds(inner, object)
    case .and(let parts): return parts.allSatisfy { holds($0, object) }
    case .or(let parts): return parts.contains { holds($0, object) }
    case .comparison(let node): return compare(node, object)
    case .between(let node):
      guard case .list(let list) = node.bounds, list.elements.count == 2 else { return false }
      let bounds = list.elements.map { constant($0) }
      let operand = side(node.value, object)
      let type = type(of: node.value, object.className)
      func isBetween(_ value: Value) -> Bool {
        relates(value, .greaterOrEqual, converted(bounds[0], type))
          && relates(value, .lessOrEqual, converted(bounds[1], type))
      }
      switch operand {
      case .one(let value): return isBetween(value)
      case .lists(let lists): return lists.contains { $0.allSatisfy(isBetween) }
      }
    case .geoWithin: return false
    }
  }

  /// The value of a side of a comparison for one object.
  enum Side {
    case one(Value)
    case lists([[Value]])

    var isCollection: Bool { if case .lists = self { true } else { false } }
  }
}
