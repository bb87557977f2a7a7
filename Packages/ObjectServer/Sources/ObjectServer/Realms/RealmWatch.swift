public import Permissions
import Synchronization

/// Tells a consumer which realms have new commits: uploads, and what the server's own process writes.
///
///     let watch = server.watchCommits(matching: { _ in true }) { worker.wake() }
///     for path in watch.take() { … }                         // read the feed of each until it has no more
///
/// A consumer is woken once, however many commits there are before it takes their realms. It is also told of each realm once when
/// its files are opened, since there may be commits that it does not know; a realm may be told without new commits. Safe to
/// use from any thread.
public final class RealmWatch: Sendable {
  /// Whether a realm is watched. Asked once for each realm in use, not for each commit.
  let matches: @Sendable (RealmPath) -> Bool
  private let wake: @Sendable () -> Void
  private let end: @Sendable (RealmWatch) -> Void
  /// Nil once the watch is cancelled.
  private let changed = Mutex<Set<RealmPath>?>([])

  init(
    matching matches: @escaping @Sendable (RealmPath) -> Bool, wake: @escaping @Sendable () -> Void,
    end: @escaping @Sendable (RealmWatch) -> Void
  ) {
    self.matches = matches
    self.wake = wake
    self.end = end
  }

  /// Takes the realms with commits since they were taken last, by path; the next commit wakes again.
  ///
  /// - Complexity: O(*n* log *n*) in the realms.
  public func take() -> [RealmPath] {
    let taken = changed.withLock { changed in
      defer { if changed != nil { changed = [] } }
      return changed ?? []
    }
    return taken.sorted { $0.description < $1.description }
  }

  /// Ends the watch: it does not wake any more.
  public func cancel() {
    let wasEnded = changed.withLock { changed in
      defer { changed = nil }
      return changed == nil
    }
    if !wasEnded { end(self) }
  }

  /// Notes commits of a realm. On the loop.
  func note(_ path: RealmPath) {
    let isFirst = changed.withLock { changed in
      guard let count = changed?.count else { return false }
      changed?.insert(path)
      return count == 0
    }
    if isFirst { wake() }
  }
}
