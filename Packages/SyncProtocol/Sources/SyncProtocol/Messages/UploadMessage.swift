import ChangesetOT

/// UPLOAD, client to server: changesets, and how far the client's history was scanned. Without entries it only moves the progress.
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

/// One changeset in an UPLOAD.
public struct UploadEntry: Hashable, Sendable {
  /// The client version that the changeset produced, and the last server version integrated before it was made: its base.
  public var cursor: UploadCursor
  /// When it was made.
  public var timestamp: OriginTimestamp
  /// Who made it: ``FileIdent/none`` for the client itself.
  public var origin: FileIdent
  /// The bytes of the changeset.
  public var changeset: [UInt8]

  /// An entry.
  public init(cursor: UploadCursor, timestamp: OriginTimestamp, origin: FileIdent = .none, changeset: [UInt8]) {
    self.cursor = cursor
    self.timestamp = timestamp
    self.origin = origin
    self.changeset = changeset
  }
}
