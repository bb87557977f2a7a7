import ByteCoding
import ChangesetOT
import StorageEngine

/// One entry of a client's history: what the transaction that made a version left behind.
///
///     timestamp, origin file, base, bytes of the changeset
struct ClientLogEntry {
  var timestamp: OriginTimestamp
  /// ``FileIdent/none`` for changesets made here.
  var origin: FileIdent
  /// The last server version integrated when it was made; for entries from the server, the version integrated by it.
  var base: ServerVersion
  /// Empty for entries that came from the server: their changesets are not kept.
  var changeset: [UInt8]

  var isUploadable: Bool { origin == .none && !changeset.isEmpty }

  func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: changeset.count + 24)
    writer.writeVarint(timestamp.rawValue)
    writer.writeVarint(origin.rawValue)
    writer.writeVarint(base.rawValue)
    writer.writeBytes(changeset)
    return writer.bytes
  }

  init(timestamp: OriginTimestamp, origin: FileIdent, base: ServerVersion, changeset: [UInt8]) {
    self.timestamp = timestamp
    self.origin = origin
    self.base = base
    self.changeset = changeset
  }

  init(decoding bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    timestamp = OriginTimestamp(try reader.readVarint())
    origin = FileIdent(try reader.readVarint())
    base = ServerVersion(try reader.readVarint())
    changeset = try reader.readBytes(reader.remaining)
  }
}

/// A client's history in its file: entries under the versions that their transactions made, the reciprocal forms that
/// differ from them, and what is known of the server.
enum ClientLog {
  static let entries = "history"
  static let reciprocals = "reciprocals"
  private static let stateName = "client state"

  /// Identity of the file and its progress with the server; part of the snapshot.
  struct State {
    var ident = SaltedFileIdent.none
    var progress = SyncProgress()
    /// Entries up to here were part of the state that the file was last reset to. They are not uploaded and take part in no
    /// merge; a server that is put back to an even older state gets them again.
    var settled = ClientVersion.zero
    /// The identities before its resets, oldest first.
    var formers: [ClientIncarnation] = []

    /// Local changes up to here need not be uploaded, as far as the file knows.
    var acknowledged: ClientVersion { max(progress.upload.client, settled) }
  }

  /// Formers beyond this many are forgotten, the oldest first.
  static let mostFormers = 64

  static func state(in reader: any StorageReader) throws -> State {
    guard let bytes = try reader.rootRecord(stateName) else { return State() }
    var reader = ByteReader(bytes)
    var state = State()
    state.ident = SaltedFileIdent(ident: FileIdent(try reader.readVarint()), salt: try reader.readVarint())
    state.progress.latestServerVersion = SaltedServerVersion(
      version: ServerVersion(try reader.readVarint()), salt: try reader.readVarint())
    state.progress.download = DownloadCursor(
      server: ServerVersion(try reader.readVarint()), client: ClientVersion(try reader.readVarint()))
    state.progress.upload = UploadCursor(
      client: ClientVersion(try reader.readVarint()), server: ServerVersion(try reader.readVarint()))
    // Files that were never reset end here, and those of earlier releases.
    guard reader.remaining > 0 else { return state }
    state.settled = ClientVersion(try reader.readVarint())
    let count: UInt64 = try reader.readVarint()
    for _ in 0..<min(count, UInt64(mostFormers)) {
      state.formers.append(
        ClientIncarnation(
          file: SaltedFileIdent(ident: FileIdent(try reader.readVarint()), salt: try reader.readVarint()),
          settled: ClientVersion(try reader.readVarint())))
    }
    return state
  }

  static func setState(_ state: State, in transaction: WriteTransaction) throws {
    var writer = ByteWriter()
    writer.writeVarint(state.ident.ident.rawValue)
    writer.writeVarint(state.ident.salt)
    writer.writeVarint(state.progress.latestServerVersion.version.rawValue)
    writer.writeVarint(state.progress.latestServerVersion.salt)
    writer.writeVarint(state.progress.download.server.rawValue)
    writer.writeVarint(state.progress.download.client.rawValue)
    writer.writeVarint(state.progress.upload.client.rawValue)
    writer.writeVarint(state.progress.upload.server.rawValue)
    if state.settled != .zero || !state.formers.isEmpty {
      writer.writeVarint(state.settled.rawValue)
      writer.writeVarint(UInt64(state.formers.count))
      for former in state.formers {
        writer.writeVarint(former.file.ident.rawValue)
        writer.writeVarint(former.file.salt)
        writer.writeVarint(former.settled.rawValue)
      }
    }
    try transaction.setRootRecord(stateName, writer.bytes)
  }

  /// Makes a changeset made here the entry of the version that the transaction will make.
  static func appendLocal(_ changeset: [UInt8], at timestamp: OriginTimestamp, to session: WriteSession) throws {
    let base = try state(in: session.transaction).progress.download.server
    let entry = ClientLogEntry(timestamp: timestamp, origin: .none, base: base, changeset: changeset)
    try session.transaction.log(entries).put(entry.encoded(), at: Int64(session.nextVersion.rawValue))
    session.newEntry = entry
  }
}

extension SnapshotVersion {
  /// As cursors report it: 0 while nothing is there yet.
  var clientVersion: ClientVersion { ClientVersion(rawValue > 1 ? rawValue : 0) }
}
