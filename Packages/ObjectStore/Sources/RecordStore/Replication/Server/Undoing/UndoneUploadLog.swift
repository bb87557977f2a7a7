import ByteCoding
import ChangesetOT
import DataModel
import StorageEngine

/// The uploads of one client that were undone, by the version that undoes them, until the client acknowledges it: whatever
/// becomes of connections and processes, the author is told with each DOWNLOAD of that version. Those of a client file that is
/// given up stay: its client is told with the refusal of the ident, and goes on under another one.
///
///     last client version, count, objects …, count, (object, client version, reason) …, access rule
enum UndoneUploadLog {
  /// The most objects that an author is told of one upload.
  private static let limit = 100

  private static func name(_ file: FileIdent) -> String { "undone \(file.rawValue)" }

  /// Keeps an upload that was undone. Does nothing for one with nothing to undo.
  static func keep(_ upload: UndoneUpload, of file: FileIdent, in transaction: WriteTransaction) throws {
    guard let version = upload.version else { return }
    var writer = ByteWriter()
    writer.writeVarint(upload.clientVersion.rawValue)
    writer.writeVarint(min(upload.objects.count, limit))
    for object in upload.objects.prefix(limit) { writer.write(object) }
    writer.writeVarint(min(upload.refusals.count, limit))
    for refusal in upload.refusals.prefix(limit) {
      writer.write(refusal.object)
      writer.writeVarint(refusal.clientVersion.rawValue)
      writer.writeString(refusal.reason)
    }
    writer.writeString(upload.accessRule)
    try transaction.log(name(file)).put([
      LogEntry(position: Int64(clamping: version.rawValue), content: writer.bytes)
    ])
  }

  /// Forgets what a client has acknowledged.
  static func forget(through version: ServerVersion, of file: FileIdent, in transaction: WriteTransaction) throws {
    try transaction.log(name(file)).delete(through: Int64(clamping: version.rawValue))
  }

  /// The uploads that the versions of a range undo, ascending.
  ///
  /// - Parameter byteLimit: the bytes of entries after which the rest is left out.
  static func uploads(
    of file: FileIdent, in range: ClosedRange<Int64>, byteLimit: Int = .max, _ realm: RealmFile
  ) throws -> [UndoneUpload] {
    try realm.store.log(name(file)).entries(in: range, byteLimit: byteLimit).map(Self.decoded)
  }

  private static func decoded(_ entry: LogEntry) throws -> UndoneUpload {
    do {
      var reader = ByteReader(entry.content)
      var upload = UndoneUpload(version: ServerVersion(UInt64(entry.position)), objects: [])
      upload.clientVersion = ClientVersion(try reader.readVarint())
      for _ in 0..<(try reader.readCount()) { upload.objects.append(try reader.readReference()) }
      for _ in 0..<(try reader.readCount()) {
        let object = try reader.readReference()
        let version = ClientVersion(try reader.readVarint())
        upload.refusals.append(
          RefusedWrite(object: object, clientVersion: version, reason: try reader.readString()))
      }
      if reader.remaining > 0 { upload.accessRule = try reader.readString() }
      return upload
    } catch is ByteDecodingError { throw StorageError.damagedInverse }
  }
}

extension ServerHistory {
  /// The uploads of a client that the versions of a scan undo: what its author is to be told with the scan.
  ///
  /// - Parameters:
  ///   - version: the server version of the cursor at which the scan began.
  ///   - end: that of the cursor at which it ended.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func undoneUploads(
    of ident: FileIdent, after version: ServerVersion, through end: ServerVersion
  ) throws -> [UndoneUpload] {
    // A client that had nothing is sent the state, which undoes nothing.
    guard version > .zero, end > version else { return [] }
    let range = Int64(clamping: version.rawValue) + 1...Int64(clamping: end.rawValue)
    return try translatingErrors { try UndoneUploadLog.uploads(of: ident, in: range, file) }
  }

  /// The undone uploads of a client that it has not acknowledged, of the first megabyte of them: what a client must hear before
  /// its ident is given up.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func unacknowledgedUndoneUploads(of ident: FileIdent) throws -> [UndoneUpload] {
    try translatingErrors {
      try UndoneUploadLog.uploads(of: ident, in: 0...Int64.max, byteLimit: 1 << 20, file)
    }
  }
}
