import Permissions
import Synchronization
import Telemetry

/// Leases of adapters on realms: several processes with one adapter share its realms, and a process that lost a realm to
/// another cannot move its position or write any more.
///
/// A lease is held in memory: after a restart of the server the processes take theirs anew, and the old ones are void.
final class AdapterLeases: Sendable {
  struct Key: Hashable {
    var adapter: String
    var path: RealmPath
  }

  private struct Lease {
    var token: String
    var end: WallTime
  }

  /// The time after its last use at which another process may take a lease.
  static let duration: Duration = .seconds(30)
  /// The most leases at a time.
  static let maximumLeases = 100_000

  private let leases = Mutex<[Key: Lease]>([:])

  /// The seconds that a request may wait: one with a lease ends well within the lease's time, so that the next one renews it.
  static func wait(_ seconds: Int64, holding token: String?) -> Int64 {
    token == nil ? seconds : min(seconds, duration.components.seconds / 2)
  }

  /// Takes a lease, or renews the one that is held.
  ///
  /// - Parameter token: of the lease that the caller holds, or held before it or the server was started again; nil for a new one.
  /// - Throws: ``APIError`` with 409 while another process holds it, and with 429 when there are too many.
  func take(_ key: Key, token: String?, at now: WallTime, random: RandomSource) throws(APIError) -> String {
    try leases.withLock { leases throws(APIError) in
      if let held = leases[key], held.end > now, held.token != token { throw Self.held(until: held.end, now) }
      if leases[key] == nil, leases.count >= Self.maximumLeases {
        leases = leases.filter { $0.value.end > now }
        guard leases.count < Self.maximumLeases else {
          throw APIError(429, .tooManyAttempts, "there are too many leases", secondsToWait: 10)
        }
      }
      let lease = token ?? random.hex(digits: 32)
      leases[key] = Lease(token: lease, end: now + Self.duration)
      return lease
    }
  }

  /// Checks that a caller may act: it holds the lease, or it has none and nobody ever took one. Renews the lease.
  ///
  /// - Throws: ``APIError`` with 409.
  func check(_ key: Key, token: String?, at now: WallTime) throws(APIError) {
    try leases.withLock { leases throws(APIError) in
      guard let held = leases[key] else {
        guard token == nil else {
          throw APIError(
            409, .realmConflict, "the lease has ended; take it again before anything else", secondsToWait: 1)
        }
        return
      }
      guard held.token == token else { throw Self.held(until: held.end, now) }
      leases[key]?.end = now + Self.duration
    }
  }

  /// The time until which a lease is held; nil when none is.
  func end(of key: Key, at now: WallTime) -> WallTime? {
    leases.withLock { $0[key] }.flatMap { $0.end > now ? $0.end : nil }
  }

  /// Gives a lease back.
  func give(_ key: Key, token: String?) {
    leases.withLock { leases in if leases[key]?.token == token { leases[key] = nil } }
  }

  private static func held(until end: WallTime, _ now: WallTime) -> APIError {
    let wait = max(1, (end.millisecondsSince1970 - now.millisecondsSince1970 + 999) / 1_000)
    return APIError(
      409, .realmConflict, "another process holds the lease of this adapter on the realm",
      secondsToWait: Int(clamping: wait))
  }
}
