import Synchronization

/// Objects of this process by a key, which the registry does not keep.
///
///     registry.add(file, for: path)       // file, or the one that another thread had added before
///     registry[path]                      // file, as long as somebody holds it
///
/// Each object takes itself out as it goes. Nobody else looks whether it is still there: a look takes a reference for
/// a moment, which may turn out the last one, and then the object would outlive its owners and end on another thread.
/// All operations are O(1) and may be called from any thread.
public final class WeakRegistry<Key: Hashable & Sendable, Object: AnyObject & Sendable>: Sendable {
  /// A class: the compiler does not copy generic structures with a weak reference correctly.
  private final class Entry: Sendable {
    let identity: ObjectIdentifier
    weak let object: Object?

    init(_ object: Object) {
      identity = ObjectIdentifier(object)
      self.object = object
    }
  }
  private let entries = Mutex<[Key: Entry]>([:])

  public init() {}

  /// The object of a key, if somebody holds it.
  public subscript(key: Key) -> Object? { entries.withLock { $0[key]?.object } }

  /// Adds an object, unless its key has one that somebody holds.
  /// - Returns: the object that the key has now.
  @discardableResult
  public func add(_ object: Object, for key: Key) -> Object {
    entries.withLock { entries in
      if let present = entries[key]?.object { return present }
      entries[key] = Entry(object)
      return object
    }
  }

  /// Takes an object out, if the key has that one. To be called when the object is deinitialised.
  public func remove(_ object: Object, for key: Key) {
    entries.withLock { entries in
      if entries[key]?.identity == ObjectIdentifier(object) { entries[key] = nil }
    }
  }
}
