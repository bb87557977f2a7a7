import Synchronization

/// A ``SetOnceArray`` that is one of a line: each follows an earlier one, of which most entries stay.
///
///     version 7   [ a b c d ] ──┐
///     version 8   [ a b e d ] ──┴─▶ keeper [ a b c d e ]
///
/// The arrays of a line share who keeps their objects, so an array that follows another copies words and touches no
/// object. Objects that later arrays have no more are let go when so many gathered that the line begins anew, which costs
/// a step for each replacement made meanwhile; and when all arrays that saw them are gone.
struct KeptArray<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  // @unchecked: entries are atomics; an object that an entry once held stays in the keeper, which the array holds.
  private let entries: UnsafeMutablePointer<Atomic<UInt>>?
  let count: Int
  private let keeper: Keeper

  private final class Keeper: Sendable {
    let objects: Mutex<[Object]>
    init(_ objects: [Object]) { self.objects = Mutex(objects) }
  }

  init(count: Int) {
    self.count = count
    keeper = Keeper([])
    entries = count == 0 ? nil : .allocate(capacity: count)
    for index in 0..<count { entries?.advanced(by: index).initialize(to: Atomic(0)) }
  }

  /// The array that follows `earlier`.
  ///
  /// - Parameter isKept: whether the entry at a place, which both arrays have, stays.
  init(count: Int, following earlier: borrowing KeptArray, where isKept: (Int) -> Bool) {
    self.count = count
    let entries: UnsafeMutablePointer<Atomic<UInt>>? = count == 0 ? nil : .allocate(capacity: count)
    let shared = min(count, earlier.count)
    for index in 0..<count {
      let word = index < shared && isKept(index) ? earlier.entries?[index].load(ordering: .acquiring) ?? 0 : 0
      entries?.advanced(by: index).initialize(to: Atomic(word))
    }
    self.entries = entries
    guard earlier.keeper.objects.withLock({ $0.count }) > 2 * count + Self.slack else {
      keeper = earlier.keeper
      return
    }
    keeper = Keeper(
      (0..<shared).compactMap { index in
        entries.flatMap { UnsafeRawPointer(bitPattern: $0[index].load(ordering: .relaxed)) }
          .map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
      })
  }

  /// Objects that a short line may have replaced before it begins anew.
  private static var slack: Int { 16 }

  deinit { entries?.deallocate() }

  /// The object at `index`, below ``count``; nil when it was not set yet.
  @inline(__always) subscript(index: Int) -> Unmanaged<Object>? {
    guard let entries else { return nil }
    return UnsafeRawPointer(bitPattern: entries[index].load(ordering: .acquiring)).map { Unmanaged.fromOpaque($0) }
  }

  /// Sets the object at `index` unless one is set; returns the one that stays.
  func set(_ index: Int, _ object: Object) -> Object {
    guard let entries else { return object }
    return keeper.objects.withLock { objects in
      if let raw = UnsafeRawPointer(bitPattern: entries[index].load(ordering: .relaxed)) {
        return Unmanaged<Object>.fromOpaque(raw).takeUnretainedValue()
      }
      objects.append(object)
      entries[index].store(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), ordering: .releasing)
      return object
    }
  }

  /// Objects that the line keeps.
  var keptCount: Int { keeper.objects.withLock { $0.count } }
}
