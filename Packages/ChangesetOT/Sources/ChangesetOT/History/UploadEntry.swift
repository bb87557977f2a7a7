/// A changeset on its way from a client to the server: an entry of an UPLOAD.
public struct UploadEntry: Hashable, Sendable {
  /// The client version that it made, and the last server version integrated before it was made: its base.
  public var cursor: UploadCursor
  /// When it was made.
  public var timestamp: OriginTimestamp
  /// Who made it: ``FileIdent/none`` for the uploading client itself.
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
