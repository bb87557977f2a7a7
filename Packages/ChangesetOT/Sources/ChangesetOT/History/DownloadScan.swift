/// A part of a server file's history, scanned for one client.
public struct DownloadScan: Hashable, Sendable {
  /// The changesets to send, in the order of the server's history.
  public var entries: [DownloadEntry]
  /// The cursor where the scan stopped, skipped entries included; the end of history; the client's stored upload cursor.
  public var progress: SyncProgress
  /// Bytes of changesets after the scan; an estimate, never negative.
  public var remainingBytes: Int
  /// Whether the scan reached the end of history as it was when the scan began.
  public var reachedEnd: Bool
  /// Whether the entries were made for this client alone, and say nothing about the history between the cursors.
  public var isPrivate: Bool
  /// The subscription set and the position in its bootstrap; nil in full sync.
  public var batch: DownloadBatch?

  /// A scan.
  public init(
    progress: SyncProgress, remainingBytes: Int = 0, reachedEnd: Bool, isPrivate: Bool = false,
    batch: DownloadBatch? = nil, entries: [DownloadEntry]
  ) {
    self.entries = entries
    self.progress = progress
    self.remainingBytes = remainingBytes
    self.reachedEnd = reachedEnd
    self.isPrivate = isPrivate
    self.batch = batch
  }
}
