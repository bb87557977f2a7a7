public import ChangesetOT
public import RecordStore

/// The commits of one realm in their order, for whatever reacts to them: events, connectors, standing queries, standby servers.
///
///     let feed = CommitFeed(of: "/ann/todo", history)
///     var reader = try feed.reader("reminders")
///     while let batch = try reader.next() {
///       for commit in batch.commits { … }
///       try reader.advance(to: batch.end)
///     }
///
/// One commit is what one client, or the server itself, changed in one transaction. Every commit is delivered at least once to
/// each cursor, in order; none is passed over without an error. The feed reads the realm's file: it needs no session and keeps
/// nothing in memory. Safe to use from any thread.
public struct CommitFeed: Sendable {
  /// The path of the realm, as its owner names it; only passed on.
  public let realm: String
  let history: ServerHistory

  /// The feed of a realm.
  public init(of realm: String, _ history: ServerHistory) {
    self.realm = realm
    self.history = history
  }

  /// A reader that goes on from a cursor; the cursor is made when there is none of that name.
  ///
  /// Several readers of one cursor may run at a time; each commit then reaches one of them or several.
  ///
  /// - Parameters:
  ///   - budget: the most history that the cursor holds. A known one that has this budget is left as it is: nothing is written.
  ///   - start: the position of a new cursor; a known one stays where it is.
  /// - Throws: `FeedError` when the history does not have the start; `RecordStoreError` for a name that cannot be, and when
  ///   the file cannot be written.
  public func reader(
    _ name: String, budget: FeedBudget = FeedBudget(), from start: FeedStart = .newest
  ) throws -> FeedReader {
    if try history.feedCursor(name)?.cursor.budget != budget {
      try history.addFeedCursor(name, budget: budget, from: start)
    }
    return FeedReader(feed: self, name: name)
  }

  /// Every cursor of the realm with the history that it has before it, by name.
  ///
  /// - Throws: `RecordStoreError` when the file cannot be read.
  public func cursors() throws -> [FeedCursorStatus] { try history.feedCursors() }

  /// Removes a cursor: it holds no history from then on, and its readers fail.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `RecordStoreError` when the file cannot be written.
  @discardableResult
  public func remove(_ name: String) throws -> Bool { try history.removeFeedCursor(name) }

  /// Checks that the history has a position that a consumer keeps elsewhere.
  ///
  /// - Throws: `FeedError.unknownPosition` when the file was restored to an earlier version or made anew since;
  ///   `RecordStoreError` when the file cannot be read.
  public func check(_ position: SaltedServerVersion) throws { try history.checkFeedPosition(position) }

  /// The present state, with the position that a consumer has once it has dealt with it: the start of a consumer that wants
  /// everything, and of one whose cursor has fallen behind.
  ///
  /// Holds the snapshot.
  ///
  /// - Throws: `RecordStoreError` when the file cannot be read.
  /// - Complexity: O(classes); objects are read when they are asked for.
  public func present() throws -> (position: SaltedServerVersion, contents: RealmContents) {
    try history.feedPresent()
  }
}
