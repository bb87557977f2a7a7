import Concurrency
import RecordStore
import SyncProtocol

/// Decides when changesets without an acknowledgement are counted: one count at a time, and once more when one was
/// asked for meanwhile. Pure.
struct PendingCount {
  private enum Stage {
    case resting
    case counting
    /// Another count follows the one that runs.
    case countingAgain
  }

  private var stage = Stage.resting
  private var isScheduled = false

  /// Asks for a count.
  ///
  /// - Returns: whether it begins now; otherwise it follows the one that runs.
  mutating func begin() -> Bool {
    switch stage {
    case .resting:
      stage = .counting
      return true
    case .counting, .countingAgain:
      stage = .countingAgain
      return false
    }
  }

  /// The count has ended.
  ///
  /// - Returns: whether another one follows.
  mutating func end() -> Bool {
    switch stage {
    case .resting, .counting:
      stage = .resting
      return false
    case .countingAgain:
      stage = .resting
      return true
    }
  }

  /// Asks for a count after a pause.
  ///
  /// - Returns: whether the caller must start the pause; otherwise one runs.
  mutating func schedule() -> Bool {
    defer { isScheduled = true }
    return !isScheduled
  }

  /// The pause has ended.
  mutating func pauseEnded() { isScheduled = false }
}

/// Keeps ``SyncStatus/pendingUploads``, on the loop.
extension SyncSession {
  /// The longest time for which the number may be out of date while it is above zero.
  private static let countPause = Duration.milliseconds(100)

  /// Counts at once when the count decides whether a change waits, and after a pause when it only says how many.
  func recountSoon() {
    guard status.pendingUploads > 0, !status.isSyncedElsewhere else { return recount() }
    guard counting.schedule() else { return }
    scheduler.schedule(after: Self.countPause) { [weak self] in
      self?.counting.pauseEnded()
      self?.recount()
    }
  }

  /// Counts in the file's queue; then calls `done`.
  func recount(then done: (@Sendable (SyncSession) -> Void)? = nil) {
    if let done { afterCount.append(done) }
    guard counting.begin() else { return }
    let calls = afterCount
    afterCount = []
    let file = file
    work {
      try file.pendingUploads()
    } then: { session, result in
      let repeats = session.counting.end()
      if case .success(let pending) = result { session.counted(pending) }
      for call in calls { call(session) }
      if repeats { session.recount() }
    }
  }

  private func counted(_ pending: PendingUploads) {
    let status = status
    if !status.areUploadsCounted || status.pendingUploads != pending.changesets
      || status.pendingUploadBytes != pending.bytes
    {
      change { $0.count(pending) }
    }
    guard pending.changesets == 0 else { return }
    if membership != nil, status.isCaughtUp { reset.caughtUp() }
    // Uploads by another process are done when the file says so.
    if status.isSyncedElsewhere { succeedWaits(.upload) }
  }
}
