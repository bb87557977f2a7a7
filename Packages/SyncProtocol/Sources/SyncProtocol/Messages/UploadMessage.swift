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
