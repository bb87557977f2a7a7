import Telemetry

/// Open realms without requests, in the order in which they became idle: an LRU list.
///
/// Decides which realms are to be closed; the owner closes them.
///
/// - Complexity: `takeDue`, `takeExcess` and `earliest` are O(n log n) in the idle realms, the others O(1).
struct IdleRealms {
  private struct Entry {
    weak var realm: RealmSequencer?
    var since: MonotonicInstant
    var order: UInt64
  }

  private var entries: [UInt64: Entry] = [:]
  private var nextOrder: UInt64 = 0

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  /// Adds a realm at the end of the list, or moves it there.
  mutating func add(_ realm: RealmSequencer, number: UInt64, at time: MonotonicInstant) {
    entries[number] = Entry(realm: realm, since: time, order: nextOrder)
    nextOrder += 1
  }

  /// Removes and returns the realms that have been idle for at least `timeout`.
  mutating func takeDue(
    at time: MonotonicInstant, after timeout: Duration
  ) -> [(number: UInt64, realm: RealmSequencer)] {
    take { time - $0.since >= timeout }
  }

  /// Removes and returns the longest idle realms until no more than `limit` are left.
  mutating func takeExcess(over limit: Int) -> [(number: UInt64, realm: RealmSequencer)] {
    guard entries.count > limit else { return [] }
    let orders = entries.values.map(\.order).sorted()
    let last = orders[orders.count - limit - 1]
    return take { $0.order <= last }
  }

  private mutating func take(where predicate: (Entry) -> Bool) -> [(number: UInt64, realm: RealmSequencer)] {
    let taken = entries.filter { predicate($0.value) }
    for number in taken.keys { entries[number] = nil }
    return taken.sorted { $0.value.order < $1.value.order }.compactMap { number, entry in
      entry.realm.map { (number, $0) }
    }
  }

  /// The time at which the longest idle realm became idle.
  var earliest: MonotonicInstant? { entries.values.map(\.since).min() }
}
