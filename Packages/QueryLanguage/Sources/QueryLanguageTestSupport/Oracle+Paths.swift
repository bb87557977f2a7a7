import DataModel
import QueryLanguage

/// Sides of comparisons.
extension Oracle {
  func constant(_ element: ListNode.Element) -> Value {
    if case .constant(let constant) = element { constant.value ?? .null } else { .null }
  }

  func side(_ expression: QueryExpression, _ object: Object) -> Side {
    switch expression {
    case .constant(let constant, _): return .one(constant.value ?? .null)
    case .argument: return .one(.null)
    case .list(let node): return .lists([node.elements.map(constant)])
    case .property(let node):
      switch node.suffix {
      case .count: return count(node.path, object)
      case .type, nil: return values(node.path, object)
      }
    case .aggregate(let node): return aggregate(node, object)
    case .subquery(let node):
      let elements = reach(node.path, object).flatMap { $0 }
      var predicate = node.predicate
      predicate = Self.withoutVariable(predicate, node.variable)
      return .one(.int(Int64(elements.filter { holds(predicate, $0) }.count)))
    case .arithmetic(let node):
      let left = side(node.left, object)
      let right = side(node.right, object)
      switch (left, right) {
      case (.one(let a), .one(let b)): return .one(calculate(a, node.operation, b, node))
      case (.lists(let lists), .one(let b)):
        return .lists(lists.map { $0.map { calculate($0, node.operation, b, node) } })
      case (.one(let a), .lists(let lists)):
        return .lists(lists.map { $0.map { calculate(a, node.operation, $0, node) } })
      case (.lists, .lists): return .one(.null)
      }
    }
  }

  private func calculate(_ left: Value, _ operation: ArithmeticOperation, _ right: Value, _ node: ArithmeticNode)
    -> Value
  {
    func widest() -> Int {
      [left, right].map { value in
        switch value {
        case .int: 0
        case .float: 1
        case .double: 2
        case .decimal128: 3
        default: 99
        }
      }.max() ?? 99
    }
    func double(_ value: Value) -> Double {
      switch value {
      case .int(let value): Double(value)
      case .float(let value): Double(value)
      case .double(let value): value
      default: 0
      }
    }
    func float(_ value: Value) -> Float {
      if case .int(let value) = value { Float(value) } else if case .float(let value) = value { value } else { 0 }
    }
    func floating<T: BinaryFloatingPoint>(_ a: T, _ b: T) -> T {
      switch operation {
      case .add: a + b
      case .subtract: a - b
      case .multiply: a * b
      case .divide: a / b
      }
    }
    switch widest() {
    case 0:
      guard case .int(let a) = left, case .int(let b) = right else { return .null }
      switch operation {
      case .add: return .int(a &+ b)
      case .subtract: return .int(a &- b)
      case .multiply: return .int(a &* b)
      case .divide: return .int(b == 0 ? (a < 0 ? .min : .max) : b == -1 ? 0 &- a : a / b)
      }
    case 1: return .float(floating(float(left), float(right)))
    case 2: return .double(floating(double(left), double(right)))
    case 3:
      guard let a = exact(left, node.left), let b = exact(right, node.right) else { return .null }
      switch operation {
      case .add: return .decimal128(a + b)
      case .subtract: return .decimal128(a - b)
      case .multiply: return .decimal128(a * b)
      case .divide: return .decimal128(a / b)
      }
    default: return .null
    }
  }

  private func exact(_ value: Value, _ expression: QueryExpression) -> Decimal128? {
    if case .constant(.double(_, let digits?), _) = expression { return Decimal128(validating: digits) }
    return value.asDecimal
  }

  /// The paths of a predicate without a leading variable.
  static func withoutVariable(_ predicate: QueryPredicate, _ variable: String) -> QueryPredicate {
    func path(_ path: QueryPath) -> QueryPath {
      guard path.elements.count > 1, path.elements[0].step == .name(variable) else { return path }
      return QueryPath(Array(path.elements.dropFirst()))
    }
    func expression(_ expression: QueryExpression) -> QueryExpression {
      switch expression {
      case .constant, .argument, .list: return expression
      case .property(var node):
        node.path = path(node.path)
        return .property(node)
      case .aggregate(var node):
        node.path = path(node.path)
        return .aggregate(node)
      case .subquery(var node):
        node.path = path(node.path)
        return .subquery(node)
      case .arithmetic(var node):
        node.left = Self.expressionWithoutVariable(node.left, path)
        node.right = Self.expressionWithoutVariable(node.right, path)
        return .arithmetic(node)
      }
    }
    switch predicate {
    case .always, .geoWithin: return predicate
    case .not(let inner): return .not(withoutVariable(inner, variable))
    case .and(let parts): return .and(parts.map { withoutVariable($0, variable) })
    case .or(let parts): return .or(parts.map { withoutVariable($0, variable) })
    case .comparison(var node):
      node.left = expression(node.left)
      node.right = expression(node.right)
      return .comparison(node)
    case .between(var node):
      node.value = expression(node.value)
      return .between(node)
    }
  }

  private static func expressionWithoutVariable(_ expression: QueryExpression, _ path: (QueryPath) -> QueryPath)
    -> QueryExpression
  {
    switch expression {
    case .property(var node):
      node.path = path(node.path)
      return .property(node)
    case .arithmetic(var node):
      node.left = expressionWithoutVariable(node.left, path)
      node.right = expressionWithoutVariable(node.right, path)
      return .arithmetic(node)
    default: return expression
    }
  }

  // MARK: Paths

  /// A path while it is walked: objects reached so far, and whether there may be many.
  private struct Walk {
    var objects: [Object]
    var isMany = false
    /// The lists of values at the end, one for each object reached; nil while at objects.
    var lists: [[Value]]?
    var leafIsList = false
  }

  private func walk(_ path: QueryPath, _ start: Object) -> Walk {
    var walk = Walk(objects: [start])
    var className = start.className
    var at = 0
    while at < path.elements.count {
      let step = path.elements[at].step
      at += 1
      switch step {
      case .backlinks(let origin, let name):
        walk.objects = walk.objects.flatMap { origins($0, origin, name) }
        walk.isMany = true
        className = origin
      case .name(let name):
        guard let property = property(name, className) else {
          if name.lowercased() == "length", let lists = walk.lists {
            walk.lists = lists.map { $0.map(Self.byteCount) }
          }
          continue
        }
        let next = at < path.elements.count ? path.elements[at].step : nil
        if property.collection == .single {
          if property.type == .object {
            walk.objects = walk.objects.compactMap { target(value(property, $0)) }
            className = property.objectClassName ?? ""
          } else {
            walk.lists = walk.objects.map { [value(property, $0)] }
          }
          continue
        }
        var collections = walk.objects.map { elements(value(property, $0), isSet: property.collection == .set) }
        var isOne = false
        var consumed = true
        switch next {
        case .index(let index): collections = collections.map { index < $0.count ? [$0[index]] : [.null] }; isOne = true
        case .last: collections = collections.map { $0.isEmpty ? [.null] : Array($0.suffix(1)) }; isOne = true
        case .all, .values: break
        case .keys:
          collections = walk.objects.map { object in
            if case .dictionary(let entries) = value(property, object) {
              entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .string($0) }
            } else {
              []
            }
          }
        case .key(let key): collections = walk.objects.map { [entry(key, value(property, $0))] }; isOne = true
        case .name(let key)
        where property.collection == .dictionary
          && (property.type != .object || self.property(key, property.objectClassName ?? "") == nil):
          collections = walk.objects.map { [entry(key, value(property, $0))] }
          isOne = true
        default: consumed = false
        }
        if consumed { at += 1 }
        var isKeys = false
        if consumed, case .keys? = next { isKeys = true }
        if property.type == .object, !isKeys {
          walk.objects = collections.flatMap { $0.compactMap { target($0) } }
          // Under a key stands one object, at an index of a list still "many".
          var isKeyed = false
          switch next {
          case .key where consumed, .name where consumed: isKeyed = true
          default: break
          }
          if !isKeyed { walk.isMany = true }
          className = property.objectClassName ?? ""
        } else {
          walk.lists = collections
          walk.leafIsList = !isOne
        }
      default: continue
      }
    }
    return walk
  }

  /// The order of a set: that of its values, of objects that of their rows.
  private func comesBefore(_ left: Value, _ right: Value) -> Bool {
    if let left = target(left), let right = target(right) { return left.position < right.position }
    return compareForSort(left, right) < 0
  }

  private func entry(_ key: String, _ value: Value) -> Value {
    if case .dictionary(let entries) = value { entries[key] ?? .null } else { .null }
  }

  private func elements(_ value: Value, isSet: Bool) -> [Value] {
    switch value {
    case .list(let values): isSet ? values.sorted(by: comesBefore) : values
    case .dictionary(let entries):
      entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
    default: []
    }
  }

  /// The objects at the end of a path, in one list.
  func reach(_ path: QueryPath, _ object: Object) -> [[Object]] { [walk(path, object).objects] }

  func values(_ path: QueryPath, _ object: Object) -> Side {
    let walk = walk(path, object)
    guard let lists = walk.lists else {
      let links = walk.objects.map(link)
      return walk.isMany ? .lists([links]) : .one(links.first ?? .null)
    }
    if walk.isMany { return walk.leafIsList ? .lists(lists.isEmpty ? [[]] : lists) : .lists([lists.flatMap { $0 }]) }
    if walk.leafIsList { return .lists([lists.first ?? []]) }
    return .one(lists.first?.first ?? .null)
  }

  static func byteCount(_ value: Value) -> Value {
    switch value {
    case .string(let text): .int(Int64(text.utf8.count))
    case .data(let bytes): .int(Int64(bytes.count))
    default: .int(0)
    }
  }

  private func count(_ path: QueryPath, _ object: Object) -> Side {
    if path.elements.last?.step == .allBacklinks {
      var total = 0
      for table in schema.schema.objectSchema {
        for position in 0..<(source.memoryTable(table.className)?.rowCount ?? 0) {
          for property in table.properties {
            total += occurrences(
              of: link(object), in: value(property, Object(className: table.className, position: position)))
          }
        }
      }
      return .one(.int(Int64(total)))
    }
    let walk = walk(path, object)
    guard let lists = walk.lists else {
      if let name = path.elements.last, case .name(let last) = name.step {
        // A dictionary counts its entries, empty ones too.
        var owners = path
        owners.elements.removeLast()
        let before = owners.elements.isEmpty ? [object] : self.walk(owners, object).objects
        let dictionaries = before.compactMap { owner -> Value? in
          guard let property = property(last, owner.className), property.collection == .dictionary else { return nil }
          return value(property, owner)
        }
        if !dictionaries.isEmpty {
          return .one(.int(Int64(dictionaries.reduce(0) { $0 + elements($1, isSet: false).count })))
        }
      }
      return .one(.int(Int64(walk.objects.count)))
    }
    if walk.leafIsList {
      if walk.isMany { return .lists([lists.map { .int(Int64($0.count)) }]) }
      return .one(.int(Int64(lists.first?.count ?? 0)))
    }
    func length(_ value: Value) -> Value {
      switch value {
      case .string, .data: Self.byteCount(value)
      default: .null
      }
    }
    if walk.isMany { return .lists([lists.flatMap { $0 }.map(length)]) }
    return .one(length(lists.first?.first ?? .null))
  }

  private func aggregate(_ node: AggregateNode, _ object: Object) -> Side {
    let walk = walk(node.path, object)
    if let name = node.property {
      let values = walk.objects.compactMap { owner in property(name, owner.className).map { value($0, owner) } }
      let type = walk.objects.first.flatMap { property(name, $0.className)?.type }
      return .one(total(values, node.operation, type ?? typeOfAggregate(node, object.className)))
    }
    let type = typeOfAggregate(node, object.className)
    let totals = (walk.lists ?? []).map { total($0, node.operation, type) }
    if walk.isMany { return .lists([totals]) }
    return .one(totals.first ?? total([], node.operation, type))
  }

  private func total(_ values: [Value], _ operation: AggregateOperation, _ type: PropertyType) -> Value {
    func isNumber(_ value: Value) -> Bool {
      switch value {
      case .int, .float, .double, .decimal128: true
      default: false
      }
    }
    let present = values.filter { $0 != .null }
    switch operation {
    case .min: return present.min { compareForSort($0, $1) < 0 } ?? .null
    case .max:
      var best: Value = .null
      for value in present where best == .null || compareForSort(value, best) > 0 { best = value }
      return best
    case .sum, .average:
      let numbers = present.filter(isNumber)
      if operation == .average, numbers.isEmpty { return .null }
      var kind = type
      if type == .any {
        let kinds = Set(numbers.compactMap(\.propertyType))
        kind = kinds.count > 1 || operation == .average ? .decimal128 : kinds.first ?? .int
      }
      func double(_ value: Value) -> Double {
        switch value {
        case .int(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        default: 0
        }
      }
      switch kind {
      case .int:
        var sum: Int64 = 0
        for case .int(let value) in numbers { sum &+= value }
        return operation == .sum ? .int(sum) : .double(Double(sum) / Double(numbers.count))
      case .float, .double:
        let sum = numbers.reduce(0.0) { $0 + double($1) }
        if operation == .average { return .double(sum / Double(numbers.count)) }
        return kind == .float ? .float(Float(sum)) : .double(sum)
      default:
        var sum = Decimal128(0)
        for number in numbers { sum = sum + (number.asDecimal ?? Decimal128(0)) }
        return .decimal128(operation == .sum ? sum : sum / Decimal128(numbers.count))
      }
    }
  }
}
