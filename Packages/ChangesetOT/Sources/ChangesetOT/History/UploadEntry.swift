/// A changeset on its way from a client to the server: an entry of an UPLOAD.
public struct UploadEntry: Hashable, Sendable {
  /// The client version of the changeset, and its base: the last server version integrated before it.
  public var cursor: UploadCursor
  /// The time of the write transaction.
  public var timestamp: OriginTimestamp
  /// The author's file; ``FileIdent/none`` for the uploading client itself.
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
