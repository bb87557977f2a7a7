import ChangesetOT

/// UPLOAD, client to server: changesets, and the end of the scan of the client's history. Without entries it moves the
/// progress only.
public struct UploadMessage: Hashable, Sendable {
  /// The session.
  public var session: SessionIdent
  /// Everything up to `client` is in this or previous UPLOADs, or not for uploading; `server` was integrated there.
  public var progress: UploadCursor
  /// The client will never again need server history at or below this.
  public var lockedServerVersion: ServerVersion
  /// The changesets, in the order of their client versions.
  public var entries: [UploadEntry]

  /// An UPLOAD.
  public init(
    session: SessionIdent, progress: UploadCursor, lockedServerVersion: ServerVersion, entries: [UploadEntry] = []
  ) {
    self.session = session
    self.progress = progress
    self.lockedServerVersion = lockedServerVersion
    self.entries = entries
  }
}

extension UploadEntry {
  /// The weight of an entry beside the bytes of its changeset: memory, and work for each entry.
  static let baseWeight = 64

  /// The weight of the entry in budgets, in bytes.
  var weight: Int { changeset.count + Self.baseWeight }
}

extension UploadBatch {
  /// The bytes that the batch counts for in budgets, to be given back when it is integrated: the bytes of its changesets,
  /// and 64 for each changeset and for itself.
  ///
  /// - Complexity: O(*n*) in the number of changesets.
  public var weight: Int { entries.reduce(UploadEntry.baseWeight) { $0 + $1.weight } }
}

extension UploadMessage {
  /// The weight of the message in budgets, in bytes; positive also without entries.
  var weight: Int { entries.reduce(UploadEntry.baseWeight) { $0 + $1.weight } }
}
