/// An array whose entries are set once, by any thread, and read without a lock.
///
/// The array retains its objects until it is destroyed, so a reader that holds the array need not retain them.
/// Serves store.key-lookups.
struct OnceArray<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let words: AtomicReferenceArray<Object>
  /// The number of entries.
  var count: Int { words.count }

  init(count: Int) { words = AtomicReferenceArray(count: count) }

  // No other thread holds the array any more.
  deinit {
    for index in 0..<count { words[index]?.release() }
  }

  /// The object at `index`, below ``count``; nil when it was not set yet. Valid while the array lives.
  subscript(index: Int) -> Unmanaged<Object>? { words[index] }

  /// Sets the object at `index` unless one is set; returns the one that stays.
  func set(_ index: Int, _ object: Object) -> Object {
    let retained = Unmanaged.passRetained(object)
    guard let first = words.set(index, retained) else { return object }
    retained.release()
    return first.takeUnretainedValue()
  }
}
