import StorageEngine

/// Keeps a handler of commits registered; ends when cancelled or dropped.
public final class RealmCommitObservation: Sendable {
  private let file: RealmFile
  private let observation: CommitObservation

  init(_ file: RealmFile, _ handler: @escaping @Sendable (SnapshotVersion) -> Void) throws {
    self.file = file
    observation = try file.store.observeCommits(handler)
  }

  /// Observes the commits of this process.
  init(ownOf file: RealmFile, _ handler: @escaping @Sendable (SnapshotVersion) -> Void) {
    self.file = file
    observation = file.store.observeOwnCommits(handler)
  }

  /// Ends the observation.
  public func cancel() { observation.cancel() }
}

extension RealmFile {
  /// Calls `handler` after every commit: on the committing thread for commits of this process, on a thread of the store
  /// for those of others. Several in quick succession may come as one.
  ///
  /// - Throws: ``RecordStoreError`` when commits of other processes cannot be watched.
  public func observeCommits(_ handler: @escaping @Sendable () -> Void) throws -> RealmCommitObservation {
    try translatingErrors { try RealmCommitObservation(self) { _ in handler() } }
  }
}
