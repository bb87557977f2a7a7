public import ChangesetOT
public import DataModel
public import RecordStore

/// Commits of one realm that follow each other.
///
/// Holds the snapshot that was the newest when it was read, for the states of its objects: a consumer that waits should let go
/// of it and read again.
public struct FeedBatch: Sendable {
  /// The commits, ascending by version. Versions that change nothing are passed over, and so are those that set back the file
  /// of a single client.
  public let commits: [FeedCommit]
  private let scan: FeedScan

  init(_ scan: FeedScan, of realm: String) {
    self.scan = scan
    commits = scan.entries.map { FeedCommit(realm: realm, entry: $0, scan: scan) }
  }

  /// The position after the batch.
  public var end: SaltedServerVersion { scan.end }

  /// The position before the batch.
  public var start: ServerVersion { scan.start }

  /// Whether nothing came after the batch when it was read.
  public var reachedEnd: Bool { scan.reachedEnd }

  /// The classes of the realm when the batch was read: values of changes are in the order of their properties. A matcher of
  /// another schema has to be made anew.
  public var schema: Schema { scan.schema }

  /// The state of the realm when the batch was read: that after the last commit, if the batch ``reachedEnd``.
  ///
  /// - Complexity: O(classes); objects are read when they are asked for.
  public func contents() -> RealmContents { scan.contents() }

  /// All objects that were touched after the start of the batch, by its commits or later, with all their fields at the start;
  /// nil fields where the object did not exist then. With ``contents()`` they give the whole state before the batch.
  ///
  /// - Throws: `FeedPastError` when the state can no longer be told; `RecordStoreError` when the file cannot be read.
  /// - Complexity: O(*n*) in the inverses of all versions after the start, which are in memory meanwhile.
  public func statesAtStart() throws -> [(object: ObjectReference, fields: [String: StateDump.Item]?)] {
    try scan.statesAtStart()
  }
}
