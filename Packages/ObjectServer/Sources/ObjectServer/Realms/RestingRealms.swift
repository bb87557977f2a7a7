import Telemetry

/// Realms whose files are open while nothing happens in them, by when they came to rest.
///
/// Decides which are to be closed; closing is up to its owner.
struct RestingRealms {
  private struct Rest {
    weak var realm: RealmSequencer?
    var since: MonotonicInstant
    var order: UInt64
  }

  private var rests: [UInt64: Rest] = [:]
  private var nextOrder: UInt64 = 0

  var isEmpty: Bool { rests.isEmpty }
  var count: Int { rests.count }

  /// A realm came to rest, again or for the first time.
  mutating func add(_ realm: RealmSequencer, number: UInt64, at time: MonotonicInstant) {
    rests[number] = Rest(realm: realm, since: time, order: nextOrder)
    nextOrder += 1
  }

  /// Takes out those that rest for `timeout` or longer.
  mutating func takeDue(
    at time: MonotonicInstant, after timeout: Duration
  ) -> [(number: UInt64, realm: RealmSequencer)] {
    take { time - $0.since >= timeout }
  }

  /// Takes out the longest at rest until no more than `limit` are left.
  mutating func takeExcess(over limit: Int) -> [(number: UInt64, realm: RealmSequencer)] {
    guard rests.count > limit else { return [] }
    let orders = rests.values.map(\.order).sorted()
    let last = orders[orders.count - limit - 1]
    return take { $0.order <= last }
  }

  private mutating func take(where isTaken: (Rest) -> Bool) -> [(number: UInt64, realm: RealmSequencer)] {
    let taken = rests.filter { isTaken($0.value) }
    for number in taken.keys { rests[number] = nil }
    return taken.sorted { $0.value.order < $1.value.order }.compactMap { number, rest in
      rest.realm.map { (number, $0) }
    }
  }

  /// When the first of them came to rest.
  var earliest: MonotonicInstant? { rests.values.map(\.since).min() }
}
