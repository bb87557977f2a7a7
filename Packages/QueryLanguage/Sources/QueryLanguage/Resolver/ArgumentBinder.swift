import DataModel

/// Puts literals in the place of arguments.
struct ArgumentBinder {
  let arguments: [QueryArgument]

  func argument(_ index: Int, at span: SourceSpan) throws(QueryError) -> QueryArgument {
    guard arguments.indices.contains(index) else {
      throw QueryError(
        .argument, "the query uses argument $\(index) and was given \(arguments.count)", at: span,
        hint: "arguments are counted from $0")
    }
    return arguments[index]
  }

  func value(_ index: Int, at span: SourceSpan) throws(QueryError) -> QueryConstant {
    if case .value(let value) = try argument(index, at: span), let constant = QueryConstant(value) { return constant }
    throw QueryError(.argument, "argument $\(index) has to be a single value", at: span)
  }

  /// The path that argument `index` spells.
  func keyPath(_ index: Int, at span: SourceSpan) throws(QueryError) -> QueryPath {
    guard case .value(.string(let text)) = try argument(index, at: span), !text.isEmpty else {
      throw QueryError(.argument, "argument $K\(index) has to be a key path: a string", at: span)
    }
    let names = QueryPath(names: text)
    var elements: [QueryPath.Element] = []
    var rest = names.elements[...]
    func name(_ element: QueryPath.Element) -> String { if case .name(let name) = element.step { name } else { "" } }
    while let element = rest.popFirst() {
      switch name(element) {
      case "@keys", "@allKeys": elements.append(QueryPath.Element(.keys, span: span))
      case "@values", "@allValues": elements.append(QueryPath.Element(.values, span: span))
      case "@links" where rest.count >= 2:
        let target = name(rest.removeFirst())
        let property = name(rest.removeFirst())
        elements.append(QueryPath.Element(.backlinks(className: target, property: property), span: span))
      default: elements.append(QueryPath.Element(element.step, span: span))
      }
    }
    return QueryPath(elements, span: span)
  }

  func path(_ path: QueryPath) throws(QueryError) -> QueryPath {
    var elements: [QueryPath.Element] = []
    for element in path.elements {
      switch element.step {
      case .keyPathArgument(let index): elements += try keyPath(index, at: element.span).elements
      case .argument(let index):
        elements.append(QueryPath.Element(try step(index, at: element.span), span: element.span))
      case .name, .backlinks, .allBacklinks, .index, .last, .all, .key, .keys, .values: elements.append(element)
      }
    }
    return QueryPath(elements, span: path.span)
  }

  /// An argument in brackets.
  func step(_ index: Int, at span: SourceSpan) throws(QueryError) -> QueryPath.Step {
    switch try argument(index, at: span) {
    case .value(.int(let value)) where value >= 0 && value <= Int64(Int32.max): .index(Int(value))
    case .value(.string(let key)): .key(key)
    default: throw QueryError(.argument, "argument $\(index) has to be an index or a key", at: span)
    }
  }

  func number(_ number: GeoNumber, at span: SourceSpan) throws(QueryError) -> GeoNumber {
    guard case .argument(let index) = number else { return number }
    guard case .value(let value) = try argument(index, at: span), let number = Arithmetic.double(value) else {
      throw QueryError(.argument, "argument $\(index) has to be a number", at: span)
    }
    return .value(number)
  }

  func shape(_ shape: GeoShape, at span: SourceSpan) throws(QueryError) -> GeoShape {
    func point(_ point: GeoPoint) throws(QueryError) -> GeoPoint {
      var altitude: GeoNumber?
      if let third = point.altitude { altitude = try number(third, at: span) }
      return GeoPoint(
        longitude: try number(point.longitude, at: span), latitude: try number(point.latitude, at: span),
        altitude: altitude)
    }
    switch shape {
    case .box(let first, let second): return .box(try point(first), try point(second))
    case .circle(let center, let radius): return .circle(try point(center), radius: try number(radius, at: span))
    case .polygon(let rings):
      var bound: [[GeoPoint]] = []
      for ring in rings {
        var points: [GeoPoint] = []
        for vertex in ring { points.append(try point(vertex)) }
        bound.append(points)
      }
      return .polygon(bound)
    }
  }

  /// The shape that stands for an argument; a string argument is read as a literal.
  func shape(_ node: GeoWithinNode) throws(QueryError) -> GeoShape {
    switch node.shape {
    case .literal(let shape): return try self.shape(shape, at: node.span)
    case .argument(let index):
      switch try argument(index, at: node.span) {
      case .shape(let shape): return try self.shape(shape, at: node.span)
      case .value(.string(let text)):
        var parser = try? Parser(text, dialect: .realm)
        if let shape = try? parser?.geoShape(), parser?.token.kind == .end { return shape }
      case .value, .list: break
      }
      throw QueryError(.argument, "argument $\(index) has to be a geo shape", at: node.span)
    }
  }

  func constant(_ constant: QueryConstant, at span: SourceSpan) throws(QueryError) -> QueryConstant {
    guard case .objectWithArgument(let className, let index) = constant else { return constant }
    guard case .value(let value) = try argument(index, at: span), let key = ObjectKey(value) else {
      throw QueryError(.argument, "argument $\(index) has to be a primary key", at: span)
    }
    return .object(ObjectReference(className: className, key: key))
  }
}
