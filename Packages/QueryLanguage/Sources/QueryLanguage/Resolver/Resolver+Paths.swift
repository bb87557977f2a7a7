import DataModel

/// Looks up the names of a path, from left to right.
extension Resolver {
  mutating func resolve(_ path: QueryPath) throws(QueryError) -> ResolvedPath {
    let bound = try binder.path(path)
    var elements = bound.elements[...]
    // `$d.name` inside a subquery means the property of the element.
    if let first = elements.first, case .name(let name) = first.step,
      variables.contains(where: { $0.name == name && $0.className == className }), elements.count > 1
    {
      elements = elements.dropFirst()
    }
    var walk = PathWalk(className: className, written: bound.written)
    var steps = 0
    while let element = elements.popFirst() {
      if case .name(let name) = element.step, walk.isAtObject,
        let alias = schema.aliases[PropertyReference(className: walk.path.target, property: name)]
      {
        steps += 1
        guard steps <= 50 else {
          throw QueryError(.unknownName, "the mapping of '\(name)' does not end", at: element.span)
        }
        elements = alias.elements.map { QueryPath.Element($0.step, span: element.span) } + elements
        continue
      }
      try take(element, into: &walk, isLast: elements.isEmpty)
    }
    if let collection = walk.pendingCollection { finish(collection, into: &walk, selector: .all) }
    return walk.path
  }

  /// A path while it is being resolved.
  struct PathWalk {
    var path: ResolvedPath
    /// A collection property that may still get an index or a key.
    var pendingCollection: (position: Int, declaration: Property)?

    init(className: String, written: String) {
      path = ResolvedPath(className: className, written: written)
    }

    /// Whether the next name is that of a property of an object.
    var isAtObject: Bool { pendingCollection == nil && path.leaf == .objects }
  }

  private mutating func take(
    _ element: QueryPath.Element, into walk: inout PathWalk, isLast: Bool
  ) throws(QueryError) {
    if let collection = walk.pendingCollection {
      if try takeSelector(element, of: collection, into: &walk) { return }
      finish(collection, into: &walk, selector: .all)
    }
    switch element.step {
    case .name(let name):
      guard walk.path.leaf == .objects else { throw behindValue(name, walk, at: element.span) }
      try takeProperty(name, at: element.span, into: &walk)
    case .backlinks(let origin, let property):
      guard walk.path.leaf == .objects else { throw behindValue("@links", walk, at: element.span) }
      try takeBacklinks(origin, property, at: element.span, into: &walk)
    case .allBacklinks:
      guard walk.path.leaf == .objects else { throw behindValue("@links", walk, at: element.span) }
      walk.path.leaf = .incomingLinks
      followsLinks = true
      countsAllLinks = true
    case .index(let index): try takeStep(.index(index), element, into: &walk)
    case .last: try takeStep(.last, element, into: &walk)
    case .all: try takeStep(.all, element, into: &walk)
    case .key(let key): try takeStep(.key(key), element, into: &walk)
    case .keys: try takeStep(.keys, element, into: &walk)
    case .values: try takeStep(.all, element, into: &walk)
    case .argument, .keyPathArgument: preconditionFailure("arguments are bound before names are looked up")
    }
  }

  private mutating func takeProperty(_ name: String, at span: SourceSpan, into walk: inout PathWalk) throws(QueryError)
  {
    let className = walk.path.target
    let (position, declaration) = try lookUp(name, of: className, at: span)
    properties.insert(PropertyReference(className: className, property: declaration.name))
    if !walk.path.hops.isEmpty || !variables.isEmpty { classesReached.insert(className) }
    let target = declaration.objectClassName ?? ""
    if declaration.type == .linkingObjects {
      try takeBacklinks(target, declaration.originPropertyName ?? "", at: span, into: &walk)
    } else if declaration.collection != .single {
      walk.pendingCollection = (position, declaration)
    } else if declaration.type == .object {
      walk.path.hops.append(.link(property: position, target: target))
      followsLinks = true
    } else {
      walk.path.leaf = .scalar(property: position, ValueType(declaration))
    }
  }

  func lookUp(
    _ name: String, of className: String, at span: SourceSpan
  ) throws(QueryError) -> (position: Int, declaration: Property) {
    if let found = schema.property(name, of: className) { return found }
    throw unknownProperty(name, of: className, at: span)
  }

  private mutating func takeBacklinks(
    _ origin: String, _ property: String, at span: SourceSpan, into walk: inout PathWalk
  ) throws(QueryError) {
    guard schema.objectSchema(origin) != nil else { throw unknownClass(origin, at: span) }
    let (position, declaration) = try lookUp(property, of: origin, at: span)
    guard declaration.type == .object, declaration.objectClassName == walk.path.target else {
      throw QueryError(
        .unknownName, "'\(origin).\(property)' does not link to \(walk.path.target)", at: span)
    }
    properties.insert(PropertyReference(className: origin, property: declaration.name))
    originsRead.insert(origin)
    walk.path.hops.append(.backlinks(origin: origin, property: position))
    followsLinks = true
  }

  private func behindValue(_ name: String, _ walk: PathWalk, at span: SourceSpan) -> QueryError {
    QueryError(.unknownName, "a \(walk.path.type.name) has no property '\(name)'", at: span)
  }

  // MARK: Unknown names

  func unknownProperty(_ name: String, of className: String, at span: SourceSpan) -> QueryError {
    let names = schema.objectSchema(className)?.properties.map(\.name) ?? []
    var hint: String?
    if let dash = name.firstIndex(of: "-"), names.contains(String(name[..<dash])) {
      hint = "'-' belongs to the name; for a subtraction write \(name[..<dash]) - \(name[name.index(after: dash)...])"
    } else if let keyword = Parser.spellingHint(name) {
      hint = keyword
    } else if let nearest = NearestName.of(name, among: names) {
      hint = "did you mean '\(nearest)'?"
    } else if variables.contains(where: { $0.name == name }) {
      hint = "variables of outer subqueries are not visible here"
    }
    return QueryError(.unknownName, "\(className) has no property '\(name)'", at: span, hint: hint)
  }

  func unknownClass(_ name: String, at span: SourceSpan) -> QueryError {
    let nearest = NearestName.of(name, among: schema.schema.objectSchema.map(\.className))
    return QueryError(
      .unknownName, "there is no class '\(name)'", at: span, hint: nearest.map { "did you mean '\($0)'?" })
  }
}
