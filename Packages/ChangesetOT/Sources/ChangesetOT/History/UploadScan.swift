/// A part of a client file's history, scanned for uploading.
public struct UploadScan: Hashable, Sendable {
  /// The changesets of local origin that are not empty, in order.
  public var entries: [UploadEntry]
  /// The client version that the scan reached, and the server version integrated there.
  public var progress: UploadCursor
  /// The integrated server version: the client never again needs server history at or below it.
  public var lockedServerVersion: ServerVersion

  /// A scan.
  public init(entries: [UploadEntry], progress: UploadCursor, lockedServerVersion: ServerVersion) {
    self.entries = entries
    self.progress = progress
    self.lockedServerVersion = lockedServerVersion
  }
}
