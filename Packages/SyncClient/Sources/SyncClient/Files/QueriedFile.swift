import ChangesetOT

/// A synced file whose content is chosen by queries. Called in the file's queue.
protocol QueriedFile: SyncedFile {
  /// The subscription sets in force and on their way; nil for a file that is synced whole.
  func queries() throws -> FileQueries?
  /// Notes that a set is served. Writes nothing when that is known.
  func complete(_ version: QueryVersion) throws
  /// Notes that the server refuses a set.
  func refuse(_ version: QueryVersion, message: String) throws
  /// Drops the messages of an incomplete bootstrap.
  func discardBootstrap() throws
}

/// The subscription sets of a file, as a session tells them to the server.
struct FileQueries: Hashable, Sendable {
  /// A set that is to be sent once the changes before it are uploaded.
  struct Pending: Hashable, Sendable {
    var query: QuerySet
    /// The version of the file that the set was stored with.
    var snapshot: ClientVersion
  }

  /// A set that the server refused.
  struct Refusal: Hashable, Sendable {
    var version: QueryVersion
    var message: String
  }

  /// The set in force.
  var active: QuerySet
  /// The sets behind it, by rising version.
  var pending: [Pending]
  /// The refused ones among them.
  var refused: [Refusal]
}
