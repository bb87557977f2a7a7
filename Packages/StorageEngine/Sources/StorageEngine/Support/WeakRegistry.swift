import Synchronization

/// Weak references to objects of this process, by key.
///
///     registry.add(file, for: path)       // file, or the one that another thread added before
///     registry[path]                      // file, as long as a reference to it is held
///
/// Each object removes itself when it is deinitialised. The registry does not test whether its objects still live: the
/// test would take a reference for a moment, which may turn out to be the last one, and the object would outlive its
/// owners and end on another thread. All operations are O(1) and may be called from any thread.
public final class WeakRegistry<Key: Hashable & Sendable, Object: AnyObject & Sendable>: Sendable {
  /// A class, since the compiler does not copy generic structures with a weak reference correctly.
  private final class Entry: Sendable {
    let identity: ObjectIdentifier
    weak let object: Object?

    init(_ object: Object) {
      identity = ObjectIdentifier(object)
      self.object = object
    }
  }
  private let entries = Mutex<[Key: Entry]>([:])

  /// An empty registry.
  public init() {}

  /// The object of a key; nil when no reference to it is held.
  public subscript(key: Key) -> Object? { entries.withLock { $0[key]?.object } }

  /// Adds an object, unless its key has one that is still referred to.
  ///
  /// - Returns: the object that the key has afterwards.
  @discardableResult
  public func add(_ object: Object, for key: Key) -> Object {
    entries.withLock { entries in
      if let present = entries[key]?.object { return present }
      entries[key] = Entry(object)
      return object
    }
  }

  /// Removes an object, if the key has that one. The object calls it in `deinit`.
  public func remove(_ object: Object, for key: Key) {
    entries.withLock { entries in
      if entries[key]?.identity == ObjectIdentifier(object) { entries[key] = nil }
    }
  }
}
