/// Copies of the unmanaged objects among the values that are given to `create`. The originals stay unmanaged.
final class ObjectCopies: @unchecked Sendable {
  // @unchecked: used only by the thread that creates an object, within its call of `fill`.
  @TaskLocal private static var current: ObjectCopies?

  private var copies: [ObjectIdentifier: (original: ObjectBase, copy: ObjectBase)] = [:]

  /// Whether unmanaged objects are copied.
  static var areMade: Bool { current != nil }

  /// Fills an object from values. Unmanaged objects among them are copied, each once.
  static func fill(_ object: ObjectBase, from value: Any) {
    let copies = ObjectCopies()
    if let original = value as? ObjectBase { copies.copies[ObjectIdentifier(original)] = (original, object) }
    $current.withValue(copies) { object.fill(from: value) }
  }

  /// The object to be used for one among the values: within ``fill(_:from:)`` the copy of an unmanaged object,
  /// otherwise the object itself.
  static func replacement<T: ObjectBase>(for object: T) -> T {
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
