import DataModel

/// The objects that a view holds at one version, of the classes whose membership depends on other objects.
///
/// The contents of neighbouring versions share what they have in common: a change costs itself, and now and then the whole.
struct ViewContent: Hashable, Sendable {
  /// The objects but for later changes.
  private var base: [String: Set<ObjectKey>] = [:]
  /// Changes of `base`: held objects that are not in it, and those in it that are not held.
  private var added: Set<ObjectReference> = []
  private var removed: Set<ObjectReference> = []
  private(set) var count = 0
  /// The first objects of the queries with SORT and LIMIT that can be kept up to date.
  var windows: [Window: OrderedWindow] = [:]

  /// Names a query of a view: the class, and the position among the queries of the class.
  struct Window: Hashable, Sendable {
    var className: String
    var number: Int
  }

  /// The number of objects that are remembered.
  var size: Int { windows.values.reduce(count) { $0 + $1.count } }

  /// Nothing.
  init() {}

  /// Some objects.
  init(_ objects: some Sequence<ObjectReference>) {
    for object in objects where base[object.className, default: []].insert(object.key).inserted { count += 1 }
  }

  /// Whether an object is held. O(1).
  func contains(_ object: ObjectReference) -> Bool {
    if added.contains(object) { return true }
    return base[object.className]?.contains(object.key) == true && !removed.contains(object)
  }

  /// Adds an object.
  ///
  /// - Returns: whether it was not held.
  @discardableResult
  mutating func insert(_ object: ObjectReference) -> Bool {
    guard !contains(object) else { return false }
    if removed.remove(object) == nil { added.insert(object) }
    count += 1
    settle()
    return true
  }

  /// Takes an object out.
  ///
  /// - Returns: whether it was held.
  @discardableResult
  mutating func remove(_ object: ObjectReference) -> Bool {
    guard contains(object) else { return false }
    if added.remove(object) == nil { removed.insert(object) }
    count -= 1
    settle()
    return true
  }

  /// Takes the changes into the base when they are many.
  private mutating func settle() {
    guard added.count + removed.count > max(64, count / 8) else { return }
    for object in added { base[object.className, default: []].insert(object.key) }
    for object in removed { base[object.className]?.remove(object.key) }
    (added, removed) = ([], [])
  }

  /// The objects that another content does not hold, in the order of classes. O(*n*).
  func subtracting(_ other: ViewContent) -> [ObjectReference] {
    var objects: [ObjectReference] = []
    for (name, keys) in base.sorted(by: { $0.key < $1.key }) {
      for key in keys {
        let object = ObjectReference(className: name, key: key)
        if !removed.contains(object), !other.contains(object) { objects.append(object) }
      }
    }
    return objects + added.filter { !other.contains($0) }.sorted { "\($0)" < "\($1)" }
  }

  /// Whether both hold the same objects. O(*n*).
  static func == (left: ViewContent, right: ViewContent) -> Bool {
    left.count == right.count && left.subtracting(right).isEmpty
  }

  /// The number alone: equal contents may be stored differently.
  func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
