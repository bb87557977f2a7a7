import Synchronization

/// A versioned reference array: each entry is set once and read without a lock.
///
///     version 7   [ a b c d ] ──┐
///     version 8   [ a b e d ] ──┴─▶ owner [ a b c d e ]
///
/// Successive versions share one owner that retains the objects, so deriving a version copies words, not references.
/// Objects of replaced entries stay until a version is derived that starts an owner of its own, at more than twice as
/// many objects as entries, or until all versions of the owner are gone. Serves store.read-all.
struct VersionedReferenceArray<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  // Every object that a word refers to is retained by the owner, and the array retains the owner.
  private let words: AtomicReferenceArray<Object>
  private let owner: Owner
  /// The number of entries.
  var count: Int { words.count }

  private final class Owner: Sendable {
    let objects: Mutex<[Object]>
    init(_ objects: [Object]) { self.objects = Mutex(objects) }
  }

  /// The first version, without objects.
  init(count: Int) {
    words = AtomicReferenceArray(count: count)
    owner = Owner([])
  }

  /// The version that follows `earlier`.
  ///
  /// - Parameter isKept: whether the entry at an index that both versions have stays; called for every index, ascending.
  /// - Complexity: O(count), amortised.
  init(count: Int, following earlier: borrowing VersionedReferenceArray, where isKept: (Int) -> Bool) {
    let shared = min(count, earlier.count)
    let words = AtomicReferenceArray<Object>(count: count) { $0 < shared && isKept($0) ? earlier.words[$0] : nil }
    if earlier.owner.objects.withLock({ $0.count }) > 2 * count + Self.slack {
      owner = Owner((0..<shared).compactMap { words[$0]?.takeUnretainedValue() })
    } else {
      owner = earlier.owner
    }
    self.words = words
  }

  /// Replaced objects that an owner of a short array may retain.
  private static var slack: Int { 16 }

  /// The object at `index`, below ``count``; nil when it was not set yet. Valid while the array lives.
  subscript(index: Int) -> Unmanaged<Object>? { words[index] }

  /// Sets the object at `index` unless one is set; returns the one that stays.
  func set(_ index: Int, _ object: Object) -> Object {
    owner.objects.withLock { objects in
      if let first = words[index] { return first.takeUnretainedValue() }
      objects.append(object)
      _ = words.set(index, .passUnretained(object))
      return object
    }
  }

  /// The number of objects that the owner retains.
  var retainedCount: Int { owner.objects.withLock { $0.count } }
}
