public import ChangesetOT
public import RecordStore

/// Reads the commits after a cursor. A value of one consumer: its place in the history is in memory, the cursor's in the file.
///
/// A reader that is dropped, or whose process ends, before ``advance(to:)`` is followed by one that delivers the same commits
/// again: effects should be harmless when repeated, be named by ``FeedCommit/position``, or be written to the realm together
/// with the position, by ``advance(to:in:)``.
public struct FeedReader: Sendable {
  /// The bytes of changesets, or of their inverses, in a batch, unless its reader says otherwise.
  public static let batchBytes = 4 << 20

  /// The feed that is read.
  public let feed: CommitFeed
  /// The name of the cursor.
  public let name: String
  /// The newest version that was delivered by this reader.
  private var delivered = ServerVersion.zero

  init(feed: CommitFeed, name: String) {
    self.feed = feed
    self.name = name
  }

  /// The next commits, those delivered before not included; nil when there are no more.
  ///
  /// A batch may be without commits, when versions are passed over: the cursor is moved past it as past any other.
  ///
  /// - Parameter byteLimit: stop adding when this many bytes of changesets, or of their inverses, are collected; at least one
  ///   commit is taken.
  /// - Throws: `FeedError.fellBehind` when the budget of the cursor is exceeded or the history is trimmed: the reader reads
  ///   ``CommitFeed/present()`` and advances to its position; `FeedError.unknownCursor` when the cursor is gone;
  ///   `RecordStoreError` when the file cannot be read. The reader stays where it was.
  /// - Complexity: O(*n*) in the bytes of the batch.
  public mutating func next(byteLimit: Int = batchBytes) throws -> FeedBatch? {
    guard let status = try feed.history.feedCursor(name) else { throw FeedError.unknownCursor(name) }
    if let gap = status.lag.gap { throw FeedError.fellBehind(gap) }
    let position = max(delivered, status.cursor.position)
    do {
      guard let scan = try feed.history.feedScan(after: position, byteLimit: byteLimit) else { return nil }
      delivered = scan.end.version
      return FeedBatch(scan, of: feed.realm)
    } catch is TrimmedHistoryError {
      let newest = try feed.history.state().current
      throw FeedError.fellBehind(
        FeedGap(cursor: name, position: status.cursor.position, newest: newest, reason: .trimmed))
    }
  }

  /// Moves the cursor: everything up to a position is dealt with. Durable on return; one commit of the realm's file.
  ///
  /// - Parameter position: of a commit, the end of a batch, or that of ``CommitFeed/present()``. At or below the cursor it
  ///   changes nothing.
  /// - Throws: `FeedError.unknownCursor`; `FeedError.unknownPosition` for a position from before a restoration;
  ///   `RecordStoreError` when the file cannot be written.
  public mutating func advance(to position: SaltedServerVersion) throws {
    try feed.history.advanceFeedCursor(name, to: position)
    delivered = max(delivered, position.version)
  }

  /// Moves the cursor in a write transaction on the realm: the effect that the consumer writes there and its position become
  /// durable together, or neither. The effect is a commit of its own, which the feed delivers, too.
  ///
  ///     try file.edit { editor in
  ///       try editor.set(["reminded": .value(.bool(true))], of: task)
  ///       try reader.advance(to: commit.position, in: editor)
  ///     }
  ///
  /// - Throws: as ``advance(to:)``, by which the transaction is rolled back.
  public func advance(to position: SaltedServerVersion, in editor: RealmEditor) throws {
    try feed.history.advanceFeedCursor(name, to: position, in: editor)
  }

  /// Goes on after a position that the consumer keeps elsewhere, together with its effects; the cursor stays behind it until it
  /// is advanced. A position at or below the cursor, or what was delivered, changes nothing.
  ///
  /// - Throws: `FeedError.unknownPosition` when the history does not have it; `RecordStoreError` when the file cannot be read.
  public mutating func resume(after position: SaltedServerVersion) throws {
    try feed.check(position)
    delivered = max(delivered, position.version)
  }

  /// Goes back to the cursor: what was delivered and not passed by it is delivered again.
  public mutating func rewind() { delivered = .zero }
}
