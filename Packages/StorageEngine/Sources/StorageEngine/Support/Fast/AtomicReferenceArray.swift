import Synchronization

/// The memory of empty arrays: never read, never freed.
private nonisolated(unsafe) let noWords = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: 1)

/// An array of atomic words, each 0 or the address of an object. A word is set once, by any thread, and read without a
/// lock. The array retains no objects: its owner does. Serves store.read-all and store.key-lookups, as what is built on it.
struct AtomicReferenceArray<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  // @unchecked: the words are atomics, and a word that was set stays.
  private let words: UnsafeMutablePointer<Atomic<UInt>>
  /// The number of words.
  let count: Int

  /// - Parameter object: the initial object at each index.
  init(count: Int, _ object: (Int) -> Unmanaged<Object>? = { _ in nil }) {
    self.count = count
    words = count == 0 ? noWords : .allocate(capacity: count)
    for index in 0..<count { (words + index).initialize(to: Atomic(Self.word(object(index)))) }
  }

  deinit { if count > 0 { words.deallocate() } }

  /// The object at `index`, below ``count``; nil when it was not set yet.
  subscript(index: Int) -> Unmanaged<Object>? {
    Self.object(words[index].load(ordering: .acquiring))
  }

  /// Sets the object at `index` unless one is set.
  ///
  /// - Returns: the object that was there, which stays; nil when `object` was set.
  func set(_ index: Int, _ object: Unmanaged<Object>) -> Unmanaged<Object>? {
    Self.object(
      words[index].compareExchange(
        expected: 0, desired: Self.word(object), successOrdering: .releasing, failureOrdering: .acquiring
      ).original)
  }

  private static func word(_ object: Unmanaged<Object>?) -> UInt { UInt(bitPattern: object?.toOpaque()) }

  private static func object(_ word: UInt) -> Unmanaged<Object>? {
    // The address is of an `Object`: words are only made from such references.
    UnsafeRawPointer(bitPattern: word).map { Unmanaged.fromOpaque($0) }
  }
}
