import Synchronization
import Telemetry

/// The realms that requests were admitted to within the last second, so that the next request of the same client reads nothing of
/// the directory.
///
/// A change of the directory by this process empties it before the change is answered; one by another process, and one that nothing
/// announces, takes effect within ``lifetime``. Refusals are not kept. From any thread.
final class GraphQLAdmissions: Sendable {
  /// A route, the token that was shown, and the path as it stands in the URL.
  struct Key: Hashable {
    var route: Route
    var token: String
    var path: String
  }

  /// The state of the directory that an admission was read from.
  struct Generation: Hashable, Sendable {
    fileprivate var number: UInt64
  }

  private struct Entry {
    var target: RealmTarget
    var end: MonotonicInstant
    var tokenEnd: WallTime
  }

  private struct State {
    var generation = Generation(number: 0)
    var entries: [Key: Entry] = [:]
  }

  /// The time for which an admission counts.
  static let lifetime = Duration.seconds(1)
  /// The number of admissions kept.
  static let capacity = 1_000

  private let state = Mutex(State())

  /// The present state of the directory; read before the directory is.
  var generation: Generation { state.withLock { $0.generation } }

  /// The realm that a request was admitted to; nil when the directory has to be asked.
  func target(_ key: Key, at now: MonotonicInstant, _ wallTime: WallTime) -> RealmTarget? {
    state.withLock { state in
      guard let entry = state.entries[key] else { return nil }
      guard entry.end > now, entry.tokenEnd > wallTime else {
        state.entries[key] = nil
        return nil
      }
      return entry.target
    }
  }

  /// Keeps an admission, unless the directory changed since `generation` was read.
  func keep(
    _ target: RealmTarget, for key: Key, from generation: Generation, at now: MonotonicInstant, tokenEnd: WallTime
  ) {
    state.withLock { state in
      guard state.generation == generation else { return }
      if state.entries.count >= Self.capacity { state.entries.removeAll(keepingCapacity: true) }
      state.entries[key] = Entry(target: target, end: now + Self.lifetime, tokenEnd: tokenEnd)
    }
  }

  /// Forgets all admissions, and those that are being read now.
  func clear() {
    state.withLock { state in
      state.generation.number += 1
      state.entries.removeAll(keepingCapacity: true)
    }
  }
}
