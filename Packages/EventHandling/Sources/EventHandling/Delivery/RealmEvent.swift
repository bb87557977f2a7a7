import ChangesetOT
import CommitFeed
import DataModel
import RecordStore
import struct SubscriptionMatching.ObjectChange

/// One commit in memory, independent of the realm's files.
struct RealmEvent: Sendable {
  let position: SaltedServerVersion
  let author: FileIdent
  let timestamp: OriginTimestamp
  let changeset: [UInt8]
  /// The changed objects; nil when they cannot be told from the history.
  let changes: [SubscriptionMatching.ObjectChange]?
  let schema: Schema

  init(_ commit: FeedCommit, of batch: FeedBatch) throws {
    position = commit.position
    author = commit.author
    timestamp = commit.timestamp
    changeset = commit.changeset
    changes = try commit.changes()
    schema = batch.schema
  }
}

/// The next events of a realm for a handler.
enum EventBatch: Sendable {
  /// Commits in order, and the position after them.
  case commits([RealmEvent], end: SaltedServerVersion)
  /// The handler had fallen behind: it goes on from the present state, at this position.
  case gap(FeedGap)
  /// There are no more.
  case none
}
