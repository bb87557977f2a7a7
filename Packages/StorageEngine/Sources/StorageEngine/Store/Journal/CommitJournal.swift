/// A record of the commits of a store that lies outside of its file, such as tables of a database on another machine. The file is then
/// a cache: ``StoreReplica`` makes it again from the record.
///
/// A commit is in the record before it is in the file, so the file is never ahead. When the file then fails to commit, it is behind,
/// and each later commit is refused until the store was closed and its file brought up to the record.
public protocol CommitJournal: AnyObject, Sendable {
  /// Makes a commit durable, if it is the next one.
  ///
  /// Called by the committing thread, which holds the write lock; blocks.
  ///
  /// - Returns: a mark that the file keeps with the commit, of at most some hundred bytes; see ``StoreReplica/mark``.
  /// - Throws: when the commit is refused, or it is not known whether it was recorded; it is rolled back then.
  func append(_ commit: JournaledCommit) throws -> [UInt8]
}

/// A commit of a store as a ``CommitJournal`` records it.
public struct JournaledCommit: Hashable, Sendable {
  /// The version that the commit makes; the one before it is one less.
  public var version: UInt64
  /// The rows that the commit changes, for ``StoreReplica``; in proportion to the change.
  public var changes: [UInt8]

  /// A commit by its version and its changes.
  public init(version: UInt64, changes: [UInt8]) {
    self.version = version
    self.changes = changes
  }
}
