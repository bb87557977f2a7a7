import Dispatch
import Foundation
import Synchronization

/// One progress notification of the application: decides by ``ProgressTracker`` and calls the block in its place, in order.
///
/// Safe from any thread.
final class ProgressNotification: Sendable {
  private let tracker: Mutex<ProgressTracker>
  private let place: CallbackPlace
  private let block: @Sendable (SyncSession.Progress) -> Void
  private let isEnded = Atomic(false)

  init(
    _ direction: SyncSession.ProgressDirection, _ mode: SyncSession.ProgressMode, place: CallbackPlace,
    block: @escaping @Sendable (SyncSession.Progress) -> Void
  ) {
    tracker = Mutex(ProgressTracker(direction, mode))
    self.place = place
    self.block = block
  }

  /// The session's status counts what was committed before the registration.
  func begin(_ status: SyncStatus) { tell { $0.begin(status) } }

  /// The session has another status.
  func update(_ status: SyncStatus) { tell { $0.update(status) } }

  /// The work that was outstanding at registration is done.
  func finish(_ status: SyncStatus) { tell { $0.finish(status) } }

  /// Calls the block no more.
  func end() {
    isEnded.store(true, ordering: .releasing)
    tracker.withLock { $0.end() }
  }

  private func tell(_ decide: (inout ProgressTracker) -> SyncSession.Progress?) {
    // Under the lock, so that calls keep the order of the decisions.
    tracker.withLock { tracker in
      guard let progress = decide(&tracker) else { return }
      place.perform { [self] in if !isEnded.load(ordering: .acquiring) { block(progress) } }
    }
  }
}

/// Where callbacks of one registration are called, in order.
enum CallbackPlace: @unchecked Sendable {
  // @unchecked Sendable: a run loop's `perform` and a queue's `async` may be called from any thread.

  /// The run loop of a thread.
  case runLoop(RunLoop)
  /// A serial queue.
  case queue(DispatchQueue)

  /// The run loop of this thread when it is the main thread's or one that runs; else a queue of its own.
  static func ofThisThread() -> CallbackPlace {
    if Thread.isMainThread { return .queue(.main) }
    if RunLoop.current.currentMode != nil { return .runLoop(.current) }
    return .queue(DispatchQueue(label: "realm-sync-progress"))
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    switch self {
    case .runLoop(let loop): loop.perform(work)
    case .queue(let queue): queue.async(execute: work)
    }
  }
}
