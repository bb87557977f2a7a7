public import ChangesetOT
import Synchronization

extension ServerHistory {
  /// Calls `handler` after every durable commit of this process that appended to the history, with the newest version, on the
  /// committing thread: uploads, and what the process writes to the file itself.
  ///
  /// The first call may come without anything new. Others come once for each version that is the newest when they are made.
  ///
  /// - Complexity: O(1), without reading; each commit of the file then reads the extent of the history, O(1).
  public func observeVersions(_ handler: @escaping @Sendable (ServerVersion) -> Void) -> RealmCommitObservation {
    let told = Mutex(ServerVersion.zero)
    return RealmCommitObservation(ownOf: file) { [weak file] _ in
      // A file that cannot be read fails its readers; they report it.
      guard let current = try? file.flatMap({ try ServerState(in: $0.store.latestSnapshot()) })?.current else { return }
      let isNew = told.withLock { told in
        defer { told = max(told, current) }
        return current > told
      }
      if isNew { handler(current) }
    }
  }
}
