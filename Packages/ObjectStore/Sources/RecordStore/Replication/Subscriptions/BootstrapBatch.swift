import ByteCoding
import ChangesetOT
import StorageEngine

/// One message of a bootstrap as it is kept beside the data until the last one has come.
///
///     query version, progress, count of entries, then per entry cursor, timestamp, origin, size, changeset
struct BootstrapBatch {
  var query: QueryVersion
  var progress: SyncProgress
  var entries: [DownloadEntry]

  /// The log with the messages of one incomplete bootstrap, in the order of their arrival.
  static let logName = "bootstrap"

  func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: entries.reduce(64) { $0 + $1.changeset.count + 40 })
    writer.writeVarint(query.rawValue)
    writer.writeVarint(progress.latestServerVersion.version.rawValue)
    writer.writeVarint(progress.latestServerVersion.salt)
    writer.writeVarint(progress.download.server.rawValue)
    writer.writeVarint(progress.download.client.rawValue)
    writer.writeVarint(progress.upload.client.rawValue)
    writer.writeVarint(progress.upload.server.rawValue)
    writer.writeVarint(UInt64(entries.count))
    for entry in entries {
      writer.writeVarint(entry.cursor.server.rawValue)
      writer.writeVarint(entry.cursor.client.rawValue)
      writer.writeVarint(entry.timestamp.rawValue)
      writer.writeVarint(entry.origin.rawValue)
      writer.writeVarint(UInt64(entry.changeset.count))
      writer.writeBytes(entry.changeset)
    }
    return writer.bytes
  }

  init(query: QueryVersion, progress: SyncProgress, entries: [DownloadEntry]) {
    self.query = query
    self.progress = progress
    self.entries = entries
  }

  init(decoding bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    query = QueryVersion(try reader.readVarint())
    progress = SyncProgress()
    progress.latestServerVersion = SaltedServerVersion(
      version: ServerVersion(try reader.readVarint()), salt: try reader.readVarint())
    progress.download = DownloadCursor(
      server: ServerVersion(try reader.readVarint()), client: ClientVersion(try reader.readVarint()))
    progress.upload = UploadCursor(
      client: ClientVersion(try reader.readVarint()), server: ServerVersion(try reader.readVarint()))
    entries = []
    let count: UInt64 = try reader.readVarint()
    // Every entry takes bytes: a wrong count ends with them.
    for _ in 0..<count {
      let cursor = DownloadCursor(
        server: ServerVersion(try reader.readVarint()), client: ClientVersion(try reader.readVarint()))
      let timestamp = OriginTimestamp(try reader.readVarint())
      let origin = FileIdent(try reader.readVarint())
      let size = try reader.readLength()
      entries.append(
        DownloadEntry(cursor: cursor, timestamp: timestamp, origin: origin, changeset: try reader.readSlice(size)))
    }
  }
}
