/// A changeset on its way from the server to a client: an entry of a DOWNLOAD.
public struct DownloadEntry: Hashable, Sendable {
  /// The position in the server's history, and its base: the last version of the receiving client integrated before it.
  public var cursor: DownloadCursor
  /// The time of the write transaction.
  public var timestamp: OriginTimestamp
  /// The author's file; never 0 and never the receiver.
  public var origin: FileIdent
  /// The number of bytes before compaction; for progress reports only.
  public var originalSize: Int
  /// The bytes of the changeset. A slice of the message keeps the whole message in memory; its indices need not begin at 0.
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

  /// An entry of the server that changes nothing: one string and no instruction.
  public static func withoutInstructions(at cursor: DownloadCursor) -> DownloadEntry {
    DownloadEntry(cursor: cursor, timestamp: OriginTimestamp(0), origin: .server, changeset: [0x3F, 0, 1, 0x2D])
  }
}
