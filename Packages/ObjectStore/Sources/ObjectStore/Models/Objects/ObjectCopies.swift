/// The copies that `create` makes of the unmanaged objects among the values it is given, which stay as they are.
final class ObjectCopies: @unchecked Sendable {
  // @unchecked: used by the one thread that creates an object.
  @TaskLocal private static var current: ObjectCopies?

  private var copies: [ObjectIdentifier: (original: ObjectBase, copy: ObjectBase)] = [:]

  /// Whether unmanaged objects are copied.
  static var areMade: Bool { current != nil }

  /// Fills an object; the unmanaged objects among the values are copied, each once.
  static func fill(_ object: ObjectBase, from value: Any) {
    let copies = ObjectCopies()
    if let original = value as? ObjectBase { copies.copies[ObjectIdentifier(original)] = (original, object) }
    $current.withValue(copies) { object.fill(from: value) }
  }

  /// What takes the place of an object among values: a copy of an unmanaged one that is given to `create`.
  static func standing<T: ObjectBase>(for object: T) -> T {
    guard let current, !object.isManaged else { return object }
    return current.copy(object) as? T ?? object
  }

  private func copy(_ original: ObjectBase) -> ObjectBase {
    if let known = copies[ObjectIdentifier(original)] { return known.copy }
    let copy = type(of: original).init()
    copies[ObjectIdentifier(original)] = (original, copy)
    copy.fill(from: original)
    return copy
  }
}
