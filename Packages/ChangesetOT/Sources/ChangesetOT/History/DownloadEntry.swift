/// A changeset on its way from the server to a client: an entry of a DOWNLOAD.
public struct DownloadEntry: Hashable, Sendable {
  /// Its position in the server's history, and the last version of the receiving client integrated before it: its base.
  public var cursor: DownloadCursor
  /// When it was made.
  public var timestamp: OriginTimestamp
  /// Who made it; never 0 and never the receiver.
  public var origin: FileIdent
  /// Bytes before compaction; for progress only.
  public var originalSize: Int
  /// The bytes of the changeset: where they are, be it in the message that brought them, which then stays in memory as long.
  /// Their indices need not begin at 0.
  public var changeset: ArraySlice<UInt8>

  /// An entry; `originalSize` is the size of the changeset unless given.
  public init(
    cursor: DownloadCursor, timestamp: OriginTimestamp, origin: FileIdent, originalSize: Int? = nil,
    changeset: ArraySlice<UInt8>
  ) {
    self.cursor = cursor
    self.timestamp = timestamp
    self.origin = origin
    self.originalSize = originalSize ?? changeset.count
    self.changeset = changeset
  }

  /// An entry with bytes of its own.
  public init(
    cursor: DownloadCursor, timestamp: OriginTimestamp, origin: FileIdent, originalSize: Int? = nil,
    changeset: [UInt8]
  ) {
    self.init(
      cursor: cursor, timestamp: timestamp, origin: origin, originalSize: originalSize, changeset: changeset[...])
  }
}
