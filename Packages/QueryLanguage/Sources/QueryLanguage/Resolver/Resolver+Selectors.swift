import DataModel

/// Indexes, keys and wildcards behind collections and mixed values.
extension Resolver {
  mutating func finish(
    _ collection: (position: Int, declaration: Property), into walk: inout PathWalk, selector: ResolvedPath.Selector
  ) {
    walk.pendingCollection = nil
    let declaration = collection.declaration
    if declaration.type == .object, selector != .keys {
      let target = declaration.objectClassName ?? ""
      followsLinks = true
      if case .key(let key) = selector {
        walk.path.hops.append(.keyed(property: collection.position, key: key, target: target))
      } else {
        walk.path.hops.append(.collection(property: collection.position, target: target, selector: selector))
      }
    } else {
      walk.path.leaf = .collection(
        property: collection.position, declaration.collection, ValueType(declaration), selector)
    }
  }

  /// Takes an element that selects in the collection just named; false when the element is a step behind it.
  mutating func takeSelector(
    _ element: QueryPath.Element, of collection: (position: Int, declaration: Property), into walk: inout PathWalk
  ) throws(QueryError) -> Bool {
    let declaration = collection.declaration
    let kind = declaration.collection
    func refuse(_ what: String) -> QueryError {
      QueryError(
        .operatorNotSupported, "\(what) is not defined for '\(declaration.name)', a \(Self.name(kind))",
        at: element.span)
    }
    let selector: ResolvedPath.Selector
    switch element.step {
    case .index(let index):
      guard kind == .list else { throw refuse("a numeric index") }
      selector = .index(index)
    case .last:
      guard kind == .list else { throw refuse("[LAST]") }
      selector = .last
    case .all: selector = .all
    case .key(let key):
      guard kind == .dictionary else { throw refuse("a text key") }
      selector = .key(key)
    case .keys:
      guard kind == .dictionary else { throw refuse("@keys") }
      selector = .keys
    case .values:
      guard kind == .dictionary else { throw refuse("@values") }
      selector = .all
    case .name(let name):
      if kind == .dictionary {
        if declaration.type == .object, schema.property(name, of: declaration.objectClassName ?? "") != nil {
          return false
        }
        selector = .key(name)
      } else {
        guard declaration.type != .object, name.lowercased() == "length",
          [.string, .data, .any].contains(declaration.type)
        else { return false }
        finish(collection, into: &walk, selector: .all)
        walk.path.takesLength = true
        return true
      }
    case .backlinks, .allBacklinks, .argument, .keyPathArgument: return false
    }
    finish(collection, into: &walk, selector: selector)
    return true
  }

  /// An index, key or wildcard behind a value: allowed in mixed values only.
  func takeStep(
    _ step: ResolvedPath.MixedStep, _ element: QueryPath.Element, into walk: inout PathWalk
  ) throws(QueryError) {
    guard walk.path.leaf != .objects, walk.path.leaf != .incomingLinks, walk.path.type == .mixed, !walk.path.takesLength
    else {
      throw QueryError(
        .operatorNotSupported, "an index or key is not defined for \(walk.path.type.name) values", at: element.span)
    }
    walk.path.steps.append(step)
  }

  static func name(_ kind: CollectionKind) -> String {
    switch kind {
    case .single: "value"
    case .list: "list"
    case .dictionary: "dictionary"
    case .set: "set"
    }
  }
}
