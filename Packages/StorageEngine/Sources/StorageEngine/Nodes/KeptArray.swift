import Synchronization

/// A ``SetOnceArray`` that is one of a line: each follows an earlier one, of which most entries stay.
///
///     version 7   [ a b c d ] ──┐
///     version 8   [ a b e d ] ──┴─▶ keeper [ a b c d e ]
///
/// The arrays of a line share who keeps their objects, so an array that follows another copies words and touches no
/// object. Objects that later arrays have no more are let go when so many gathered that the line begins anew, which costs
/// a step for each replacement made meanwhile; and when all arrays that saw them are gone.
struct KeptArray<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  // An object that a word once held stays in the keeper, which the array holds.
  private let words: ObjectWords<Object>
  private let keeper: Keeper
  var count: Int { words.count }

  private final class Keeper: Sendable {
    let objects: Mutex<[Object]>
    init(_ objects: [Object]) { self.objects = Mutex(objects) }
  }

  init(count: Int) {
    words = ObjectWords(count: count)
    keeper = Keeper([])
  }

  /// The array that follows `earlier`.
  ///
  /// - Parameter isKept: whether the entry at a place, which both arrays have, stays; asked for every place in turn.
  init(count: Int, following earlier: borrowing KeptArray, where isKept: (Int) -> Bool) {
    let shared = min(count, earlier.count)
    let words = ObjectWords<Object>(count: count) { $0 < shared && isKept($0) ? earlier.words[$0] : nil }
    if earlier.keeper.objects.withLock({ $0.count }) > 2 * count + Self.slack {
      keeper = Keeper((0..<shared).compactMap { words[$0]?.takeUnretainedValue() })
    } else {
      keeper = earlier.keeper
    }
    self.words = words
  }

  /// Objects that a short line may have replaced before it begins anew.
  private static var slack: Int { 16 }

  /// The object at `index`, below ``count``; nil when it was not set yet.
  @inline(__always) subscript(index: Int) -> Unmanaged<Object>? { words[index] }

  /// Sets the object at `index` unless one is set; returns the one that stays.
  func set(_ index: Int, _ object: Object) -> Object {
    keeper.objects.withLock { objects in
      if let first = words[index] { return first.takeUnretainedValue() }
      objects.append(object)
      _ = words.set(index, .passUnretained(object))
      return object
    }
  }

  /// Objects that the line keeps.
  var keptCount: Int { keeper.objects.withLock { $0.count } }
}
