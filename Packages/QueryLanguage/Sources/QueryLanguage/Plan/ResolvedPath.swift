import DataModel

/// A path with every name looked up: hops from object to object, and what is read at the end.
struct ResolvedPath: Hashable, Sendable {
  /// The class that the path starts from.
  var className: String
  var hops: [Hop] = []
  var leaf: Leaf = .objects
  /// The steps into nested collections of a mixed value.
  var steps: [MixedStep] = []
  /// Whether each string or binary is replaced by its length in bytes, and null by 0.
  var takesLength = false
  /// The path as written, for messages and plans.
  var written: String

  /// A step from objects to objects.
  enum Hop: Hashable, Sendable {
    case link(property: Int, target: String)
    /// The object under one key of a dictionary.
    case keyed(property: Int, key: String, target: String)
    case collection(property: Int, target: String, selector: Selector)
    case backlinks(origin: String, property: Int)

    var isToMany: Bool {
      switch self {
      case .link, .keyed: false
      case .collection, .backlinks: true
      }
    }

    var target: String {
      switch self {
      case .link(_, let target), .keyed(_, _, let target), .collection(_, let target, _): target
      case .backlinks(let origin, _): origin
      }
    }
  }

  /// The elements taken from a collection.
  enum Selector: Hashable, Sendable {
    case all
    case index(Int)
    case last
    case key(String)
    case keys
  }

  /// The part taken from the last object.
  enum Leaf: Hashable, Sendable {
    /// The object itself.
    case objects
    case scalar(property: Int, ValueType)
    case collection(property: Int, CollectionKind, ValueType, Selector)
    /// The number of links to the object from everywhere.
    case incomingLinks
  }

  /// A selection in a list or dictionary that is itself a mixed value.
  enum MixedStep: Hashable, Sendable {
    case index(Int)
    case last
    case key(String)
    case all
    case keys
  }

  /// Whether some hop leads to many objects.
  var isToMany: Bool { hops.contains { $0.isToMany } }

  /// The class of the last object.
  var target: String { hops.last?.target ?? className }

  /// Class and name of the last property, for messages: `Dog.age` for `owner.dog.age`.
  var leafName: String {
    "\(target).\(written.split(separator: ".").last.map(String.init) ?? written)"
  }

  /// Whether the leaf gives many values for one object.
  var leafIsList: Bool {
    if steps.contains(where: { $0 == .all || $0 == .keys }) { return true }
    switch leaf {
    case .objects, .scalar, .incomingLinks: return false
    case .collection(_, _, _, let selector): return selector == .all || selector == .keys
    }
  }

  /// Whether the path has a list of values and not one value.
  var isList: Bool { isToMany || leafIsList }

  /// Whether the leaf is a whole collection of values.
  var endsInCollection: Bool {
    if case .collection = leaf { leafIsList } else { false }
  }

  /// The type of each value.
  var type: ValueType {
    if takesLength { return .int }
    if !steps.isEmpty { return steps.last == .keys ? .string : .mixed }
    switch leaf {
    case .objects: return .link(target)
    case .scalar(_, let type): return type
    case .collection(_, _, let type, let selector): return selector == .keys ? .string : type
    case .incomingLinks: return .int
    }
  }

  /// The same path without its first hop, seen from the object that the hop leads to.
  var droppingFirstHop: ResolvedPath {
    var copy = self
    let hop = copy.hops.removeFirst()
    copy.className = hop.target
    return copy
  }
}
