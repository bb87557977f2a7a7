import Concurrency
import SyncProtocol
import Synchronization

extension SyncClient {
  /// The time for which changes of the network are gathered: an interface that comes up tells of itself several times, and
  /// has its address before its route.
  static let networkPause = Duration.milliseconds(500)

  /// Tries again whenever the network may have come back, as long as the observation is kept.
  func followNetwork() -> (any Sendable)? {
    let gate = Gate()
    let scheduler = environment.network.scheduler
    return environment.networkChanges?.observe { [weak self] in
      guard gate.enter() else { return }
      scheduler.execute { [weak self] in
        scheduler.schedule(after: Self.networkPause) { [weak self] in
          gate.leave()
          for session in self?.sessions ?? [] { session.networkCameBack() }
        }
      }
    }
  }
}

/// Lets one through until it has left.
private final class Gate: Sendable {
  private let isTaken = Atomic(false)

  func enter() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }
  func leave() { isTaken.store(false, ordering: .releasing) }
}

extension SyncSession {
  /// Ends the back-off of a session that takes part, and asks a connection that stands whether it still does. On the loop.
  func networkCameBack() {
    guard status.state == .active, !isClosed else { return }
    feedReset { $0.reconnect() }
    connection?.handle(.reconnectNow)
    connection?.handle(.checkLiveness)
  }
}
