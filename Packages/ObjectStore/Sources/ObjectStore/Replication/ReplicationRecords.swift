import ByteCoding
import ChangesetOT

// The small records that replication keeps beside the logs, each a run of variable-length integers.

extension SaltedFileIdent {
  /// The record of a client file that says who the server thinks it is.
  static let record = "sync.ident"

  init(decoding bytes: [UInt8]) throws(ByteDecodingError) {
    var reader = ByteReader(bytes)
    self.init(ident: FileIdent(try reader.readVarint()), salt: try reader.readVarint())
  }

  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.writeVarint(ident.rawValue)
    writer.writeVarint(salt)
    return writer.bytes
  }
}

extension SyncProgress {
  /// The record of a client file that says how far it and the server are in step.
  static let record = "sync.progress"

  init(decoding bytes: [UInt8]) throws(ByteDecodingError) {
    var reader = ByteReader(bytes)
    let latest = SaltedServerVersion(version: ServerVersion(try reader.readVarint()), salt: try reader.readVarint())
    let download = DownloadCursor(
      server: ServerVersion(try reader.readVarint()), client: ClientVersion(try reader.readVarint()))
    let upload = UploadCursor(
      client: ClientVersion(try reader.readVarint()), server: ServerVersion(try reader.readVarint()))
    self.init(latestServerVersion: latest, download: download, upload: upload)
  }

  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.writeVarint(latestServerVersion.version.rawValue)
    writer.writeVarint(latestServerVersion.salt)
    writer.writeVarint(download.server.rawValue)
    writer.writeVarint(download.client.rawValue)
    writer.writeVarint(upload.client.rawValue)
    writer.writeVarint(upload.server.rawValue)
    return writer.bytes
  }
}

extension ClientFile {
  /// The log of a server file that holds one entry per client file, at the position of its ident.
  static let log = "client-files"

  init(decoding bytes: [UInt8]) throws(ByteDecodingError) {
    var reader = ByteReader(bytes)
    let salt = try reader.readVarint(Int64.self)
    let at = reader.position
    let number = try reader.readVarint(UInt8.self)
    guard let kind = Kind(rawValue: number) else { throw .unexpectedByte(number, at: at) }
    let upload = UploadCursor(
      client: ClientVersion(try reader.readVarint()), server: ServerVersion(try reader.readVarint()))
    let locked = ServerVersion(try reader.readVarint())
    let lastSeen = OriginTimestamp(try reader.readVarint())
    let isExpired = try reader.readVarint(UInt8.self) != 0
    self.init(
      salt: salt, kind: kind, upload: upload, lockedServerVersion: locked, lastSeen: lastSeen, isExpired: isExpired)
  }

  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.writeVarint(salt)
    writer.writeVarint(kind.rawValue)
    writer.writeVarint(upload.client.rawValue)
    writer.writeVarint(upload.server.rawValue)
    writer.writeVarint(lockedServerVersion.rawValue)
    writer.writeVarint(lastSeen.rawValue)
    writer.writeVarint(isExpired ? 1 as UInt8 : 0)
    return writer.bytes
  }
}
