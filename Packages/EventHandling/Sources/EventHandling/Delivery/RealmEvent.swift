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
  /// The changed objects; nil when they are told by the copy of the realm.
  let changes: [SubscriptionMatching.ObjectChange]?
  /// The classes when the event was read; nil when they are those of the copy.
  let schema: Schema?
  /// Whether an effect of the handler says that the event was dealt with before.
  var isHandled = false

  init(_ commit: FeedCommit, of batch: FeedBatch) throws {
    position = commit.position
    author = commit.author
    timestamp = commit.timestamp
    changeset = commit.changeset
    changes = try commit.changes()
    schema = batch.schema
  }

  init(position: SaltedServerVersion, author: FileIdent, timestamp: OriginTimestamp, changeset: [UInt8]) {
    self.position = position
    self.author = author
    self.timestamp = timestamp
    self.changeset = changeset
    (changes, schema) = (nil, nil)
  }

  /// The objects that the changeset names; nil when it erases classes or properties, which may change any object.
  ///
  /// - Throws: `ChangesetDecodingError` for damaged bytes.
  func touchedObjects() throws -> Set<ObjectReference>? {
    var touched: Set<ObjectReference> = []
    for instruction in try Changeset(decoding: changeset, origin: ChangesetOrigin(timestamp: timestamp, file: author))
      .instructions
    {
      if let object = instruction.object { touched.insert(object) }
      switch instruction {
      case .eraseTable, .eraseColumn: return nil
      default: continue
      }
    }
    return touched
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
