import StorageEngine

/// Keeps a handler of commits registered; ends when cancelled or dropped.
public final class RealmCommitObservation: Sendable {
  private let file: RealmFile
  private let number: Int

  init(_ file: RealmFile, _ number: Int) {
    self.file = file
    self.number = number
  }

  /// Ends the observation.
  public func cancel() { file.listeners.remove(number) }

  deinit { cancel() }
}

extension RealmFile {
  /// Calls `handler` after every commit: on the committing thread for commits of this process, on a thread of the store
  /// for those of others. Several in quick succession may come as one.
  public func observeCommits(_ handler: @escaping @Sendable () -> Void) throws -> RealmCommitObservation {
    try translatingErrors {
      RealmCommitObservation(self, try listeners.add(to: store) { _ in handler() })
    }
  }
}
