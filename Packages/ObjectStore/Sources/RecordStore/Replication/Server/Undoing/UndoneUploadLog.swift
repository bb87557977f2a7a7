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
  /// The most objects that an author is told of one upload, and the bytes after which no more of them are recorded. A peer may
  /// make many of few bytes, and few of many.
  private static let limit = 10_000
  private static let byteLimit = 1 << 20

  private static func name(_ file: FileIdent) -> String { "undone \(file.rawValue)" }

  /// Keeps an upload that was undone. Does nothing for one with nothing to undo.
  static func keep(_ upload: UndoneUpload, of file: FileIdent, in transaction: WriteTransaction) throws {
    guard let version = upload.version else { return }
    var writer = ByteWriter()
    writer.writeVarint(upload.clientVersion.rawValue)
    write(upload.objects, to: &writer) { object, writer in writer.write(object) }
    write(upload.refusals, to: &writer) { refusal, writer in
      writer.write(refusal.object)
      writer.writeVarint(refusal.clientVersion.rawValue)
      writer.writeString(refusal.reason)
    }
    writer.writeString(upload.accessRule)
    try transaction.log(name(file)).put([
      LogEntry(position: Int64(clamping: version.rawValue), content: writer.bytes)
    ])
  }

  /// Writes a list as far as its author is told of it: the first element, and what the limits leave room for.
  private static func write<Element>(
    _ elements: [Element], to writer: inout ByteWriter, _ write: (Element, inout ByteWriter) -> Void
  ) {
    var (told, count) = (ByteWriter(), 0)
    for element in elements.prefix(limit) {
      var next = ByteWriter()
      write(element, &next)
      guard count == 0 || told.count + next.count <= byteLimit else { break }
      told.writeBytes(next.bytes)
      count += 1
    }
    writer.writeVarint(count)
    writer.writeBytes(told.bytes)
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
  /// The uploads of a client that the versions of a scan undo: what its author is to be told with the scan. Gives the scan an
  /// entry at each of these versions, without an instruction where nothing is left to be set back: a stock client ends the
  /// process when a later entry comes and none of the version that it was told of.
  ///
  /// - Parameters:
  ///   - scan: the answer, before it is sent; that of a bootstrap undoes nothing.
  ///   - version: the server version of the cursor at which the scan began.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func undoneUploads(
    of ident: FileIdent, after version: ServerVersion, in scan: inout DownloadScan
  ) throws -> [UndoneUpload] {
    if let batch = scan.batch, batch.state != .steady { return [] }
    let uploads = try translatingErrors {
      try undoneUploads(of: ident, after: version, through: scan.progress.download.server)
    }
    for upload in uploads {
      if let version = upload.version { scan.addEntry(at: version) }
    }
    return uploads
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

  /// Whether a version after that of a client's cursor undoes one of its uploads.
  func isOwedUndoing(_ ident: FileIdent, after version: ServerVersion) throws -> Bool {
    try !undoneUploads(of: ident, after: version, through: ServerVersion(UInt64(Int64.max))).isEmpty
  }

  private func undoneUploads(
    of ident: FileIdent, after version: ServerVersion, through end: ServerVersion
  ) throws -> [UndoneUpload] {
    // A client that had nothing is sent the state, which undoes nothing.
    guard version > .zero, end > version else { return [] }
    let range = Int64(clamping: version.rawValue) + 1...Int64(clamping: end.rawValue)
    return try UndoneUploadLog.uploads(of: ident, in: range, file)
  }
}

extension DownloadScan {
  /// Adds an entry without instructions at a version that has none.
  ///
  /// - Complexity: O(entries).
  fileprivate mutating func addEntry(at version: ServerVersion) {
    let index = entries.firstIndex { $0.cursor.server >= version } ?? entries.endIndex
    if index < entries.endIndex, entries[index].cursor.server == version { return }
    // The base of what follows: the client may go on from here, and its own changes up to this version are in it.
    let client = index < entries.endIndex ? entries[index].cursor.client : progress.download.client
    entries.insert(.withoutInstructions(at: DownloadCursor(server: version, client: client)), at: index)
  }
}
