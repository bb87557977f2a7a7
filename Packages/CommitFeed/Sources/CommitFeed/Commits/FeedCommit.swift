public import ChangesetOT
public import DataModel
public import RecordStore
public import SubscriptionMatching

/// The changes that one client, or the server itself, made in one transaction.
public struct FeedCommit: Sendable {
  /// The path of the realm, as its owner names it.
  public let realm: String
  private let entry: FeedEntry
  private let scan: FeedScan

  init(realm: String, entry: FeedEntry, scan: FeedScan) {
    self.realm = realm
    self.entry = entry
    self.scan = scan
  }

  /// The version that the commit made, with its salt: names the commit among all of its realm, also when the realm's file is
  /// restored and other commits get the same versions.
  public var position: SaltedServerVersion { entry.position }

  /// The version that the commit made.
  public var version: ServerVersion { entry.position.version }

  /// The version before it.
  public var previous: ServerVersion { ServerVersion(entry.position.version.rawValue - 1) }

  /// The term of the owner that ordered the commit.
  public var epoch: OwnerEpoch { entry.epoch }

  /// The client file in which the changes were made; `FileIdent.server` for what the server itself wrote.
  public var author: FileIdent { entry.author }

  /// The time of the changes on their author's device.
  public var timestamp: OriginTimestamp { entry.timestamp }

  /// The changes as bytes, in the form of changesets.
  public var changeset: [UInt8] { entry.changeset }

  /// The changes as instructions, decoded at each call.
  ///
  /// - Throws: `ChangesetDecodingError` for damaged bytes.
  /// - Complexity: O(*n*) in the bytes of the changeset.
  public func instructions() throws -> [Instruction] { try entry.instructions() }

  /// The objects that the commit inserted, changed or deleted, with their own values before and after, for a
  /// `SubscriptionMatcher` of the batch's schema.
  ///
  /// Only objects that instructions name: an object that links to a deleted one is not among them.
  ///
  /// - Returns: nil when the states can no longer be told: for commits from before the first cursor or view of the realm, and
  ///   up to the latest erasure of a class or a property. Whoever shows objects reads them anew.
  /// - Throws: `RecordStoreError` when the file cannot be read.
  /// - Complexity: O(*n*) in the commit and the fields of its objects. The first call in a batch reads the inverses of all
  ///   versions from its start to the newest once; in a reader that keeps up these are those of the batch.
  public func changes() throws -> [ObjectChange]? {
    try scan.transitions(of: entry)?.map { transition in
      ObjectChange(
        className: transition.object.className, key: transition.object.key, before: transition.before,
        after: transition.after,
        changedProperties: transition.before == nil || transition.after == nil ? [] : transition.written)
    }
  }

  /// All fields of an object before the commit, collections and embedded objects included; nil when it did not exist.
  ///
  /// - Throws: `FeedPastError` when the state can no longer be told; `RecordStoreError` when the file cannot be read.
  /// - Complexity: O(*n*) in the inverses of all versions from this one to the newest.
  public func fieldsBefore(_ object: ObjectReference) throws -> [String: StateDump.Item]? {
    try scan.fields(of: object, at: previous)
  }

  /// All fields of an object after the commit; nil when it does not exist any more.
  ///
  /// - Throws: `FeedPastError` when the state can no longer be told; `RecordStoreError` when the file cannot be read.
  /// - Complexity: O(*n*) in the inverses of all versions after this one; that of reading the object when there are none.
  public func fieldsAfter(_ object: ObjectReference) throws -> [String: StateDump.Item]? {
    try scan.fields(of: object, at: version)
  }
}
