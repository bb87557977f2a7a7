import DataModel

/// The objects that a view holds at one version, of the classes whose membership depends on other objects.
struct ViewContent: Hashable, Sendable {
  private(set) var keys: [String: Set<ObjectKey>] = [:]
  private(set) var count = 0

  /// Nothing.
  init() {}

  /// Whether an object is held. O(1).
  func contains(_ object: ObjectReference) -> Bool { keys[object.className]?.contains(object.key) ?? false }

  /// Adds an object.
  mutating func insert(_ object: ObjectReference) {
    if keys[object.className, default: []].insert(object.key).inserted { count += 1 }
  }

  /// The objects that another content does not hold, in the order of classes. O(*n*).
  func subtracting(_ other: ViewContent) -> [ObjectReference] {
    var objects: [ObjectReference] = []
    for (name, keys) in keys.sorted(by: { $0.key < $1.key }) {
      let others = other.keys[name] ?? []
      for key in keys where !others.contains(key) { objects.append(ObjectReference(className: name, key: key)) }
    }
    return objects
  }
}
