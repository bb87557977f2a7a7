import SyncProtocol
import ChangesetOT
import Concurrency

/// Wakes the loop once for all commits that are made until it gets round to them.
struct CommitSignal: Hashable, Sendable {
  /// The newest version of which the loop has not heard.
  private(set) var unseen: ClientVersion?
  /// Whether a commit wakes the loop. Off while changes are coalesced: the next scan finds them.
  private var wakes = true

  /// Notes a commit.
  ///
  /// - Returns: whether the caller must wake the loop.
  mutating func committed(_ newest: ClientVersion) -> Bool {
    defer { unseen = max(unseen ?? newest, newest) }
    return unseen == nil && wakes
  }

  /// Takes the newest version, and lets the next commit wake the loop.
  mutating func take() -> ClientVersion? {
    defer { unseen = nil }
    wakes = true
    return unseen
  }

  /// Lets commits wake the loop no more until ``take()``.
  mutating func hold() { wakes = false }
}

extension SyncSession {
  /// Notes a commit of any process, on any thread.
  func noteCommit(_ newest: ClientVersion) {
    guard shared.withLock({ $0.commits.committed(newest) }) else { return }
    scheduler.execute { [weak self] in self?.hearCommits() }
  }

  /// Handles the commits so far, and wakes the loop for further ones. On the loop.
  func hearCommits() {
    if let newest = shared.withLock({ $0.commits.take() }) { committed(newest) }
  }

  /// Wakes the loop for no commit until ``hearCommits()``. On the loop.
  func holdCommits() { shared.withLock { $0.commits.hold() } }

  /// The file has grown. On the loop.
  func committed(_ newest: ClientVersion) {
    if let (connection, ident) = membership { connection.handle(.localCommit(ident, newest: newest)) }
    readQueries()
    recountSoon()
  }
}
