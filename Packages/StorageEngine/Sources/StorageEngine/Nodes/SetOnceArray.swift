/// Places for objects that are found once, by any thread, and read without a lock from then on.
///
/// Each is empty or holds a retained object until the array is destroyed. What is found is there for as long as whoever
/// keeps the array, so that a walk down kept objects counts no references.
struct SetOnceArray<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let words: ObjectWords<Object>
  var count: Int { words.count }

  init(count: Int) { words = ObjectWords(count: count) }

  // Nobody else can hold the array by now.
  deinit {
    for index in 0..<count { words[index]?.release() }
  }

  /// The object at `index`, below ``count``; nil when it was not set yet.
  @inline(__always) subscript(index: Int) -> Unmanaged<Object>? { words[index] }

  /// Sets the object at `index` unless one is set; returns the one that stays.
  func set(_ index: Int, _ object: Object) -> Object {
    let retained = Unmanaged.passRetained(object)
    guard let first = words.set(index, retained) else { return object }
    retained.release()
    return first.takeUnretainedValue()
  }
}
