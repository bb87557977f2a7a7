import ChangesetOT

/// DOWNLOAD, server to client: changesets, the end of the scan of the server's history, and the acknowledged uploads.
public struct DownloadMessage: Hashable, Sendable {
  /// The session.
  public var session: SessionIdent
  /// The cursors after this message, and the end of the server's history.
  public var progress: SyncProgress
  /// The rest to download after this message.
  public var remaining: DownloadRemaining
  /// The query version and batch; present exactly in flexible sync.
  public var batch: DownloadBatch?
  /// The changesets, in the order of the server's history.
  public var entries: [DownloadEntry]

  /// A DOWNLOAD.
  public init(
    session: SessionIdent, progress: SyncProgress, remaining: DownloadRemaining = .bytes(0),
    batch: DownloadBatch? = nil, entries: [DownloadEntry] = []
  ) {
    self.session = session
    self.progress = progress
    self.remaining = remaining
    self.batch = batch
    self.entries = entries
  }

  /// Appends the next DOWNLOAD of full sync: the result is equivalent to both messages in order.
  mutating func append(_ next: DownloadMessage) {
    progress = next.progress
    remaining = next.remaining
    entries += next.entries
  }
}

/// The rest to download after a DOWNLOAD, as the server estimates it.
public enum DownloadRemaining: Hashable, Sendable {
  /// Bytes after this message; 0 means nothing is left.
  case bytes(UInt64)
  /// The part that is done, 0 … 1; in flexible sync from version 12.
  case fraction(Double)
}
