import Permissions
import Synchronization
import Telemetry

/// The adapters that have called since the server started, with the time of their last call: for administrators.
///
/// The oldest are forgotten beyond ``mostCallers``. From any thread.
final class AdapterCallers: Sendable {
  /// The pairs of adapter and realm that are remembered.
  static let mostCallers = 10_000

  struct Caller: Sendable {
    var key: AdapterLeases.Key
    var lastCall: WallTime
  }

  private let times = Mutex<[AdapterLeases.Key: WallTime]>([:])

  /// Remembers a call.
  func note(_ key: AdapterLeases.Key, at time: WallTime) {
    times.withLock { times in
      if times[key] == nil, times.count >= Self.mostCallers {
        // Half at once, so that a call costs O(1) in the mean.
        for old in times.sorted(by: { $0.value < $1.value }).prefix(Self.mostCallers / 2) { times[old.key] = nil }
      }
      times[key] = time
    }
  }

  /// Forgets an adapter on a realm.
  func forget(_ key: AdapterLeases.Key) { times.withLock { $0[key] = nil } }

  /// All of them, by adapter and realm.
  var all: [Caller] {
    times.withLock { $0.map { Caller(key: $0.key, lastCall: $0.value) } }.sorted { $0.key.precedes($1.key) }
  }
}

extension AdapterLeases.Key {
  func precedes(_ other: AdapterLeases.Key) -> Bool {
    (adapter, path.description) < (other.adapter, other.path.description)
  }
}
