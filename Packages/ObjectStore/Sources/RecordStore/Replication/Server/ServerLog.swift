import ByteCoding
import ChangesetOT
import StorageEngine

/// One entry of a server's history.
///
///     timestamp, origin file, receiving session's file, its client version, bytes before, bytes of the changeset
struct ServerLogEntry {
  var timestamp: OriginTimestamp
  /// The author; ``FileIdent/none`` for the server itself.
  var origin: FileIdent
  /// Which client file uploaded it; ``FileIdent/none`` for the server itself.
  var source: FileIdent
  /// The client version that it has in its source.
  var sourceVersion: ClientVersion
  /// Sum of the sizes of all changesets up to this one.
  var bytesThrough: UInt64
  var changeset: [UInt8]

  func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: changeset.count + 32)
    writer.writeVarint(timestamp.rawValue)
    writer.writeVarint(origin.rawValue)
    writer.writeVarint(source.rawValue)
    writer.writeVarint(sourceVersion.rawValue)
    writer.writeVarint(bytesThrough)
    writer.writeBytes(changeset)
    return writer.bytes
  }

  init(
    timestamp: OriginTimestamp, origin: FileIdent, source: FileIdent, sourceVersion: ClientVersion,
    bytesThrough: UInt64, changeset: [UInt8]
  ) {
    self.timestamp = timestamp
    self.origin = origin
    self.source = source
    self.sourceVersion = sourceVersion
    self.bytesThrough = bytesThrough
    self.changeset = changeset
  }

  init(decoding bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    timestamp = OriginTimestamp(try reader.readVarint())
    origin = FileIdent(try reader.readVarint())
    source = FileIdent(try reader.readVarint())
    sourceVersion = ClientVersion(try reader.readVarint())
    bytesThrough = try reader.readVarint()
    changeset = try reader.readBytes(reader.remaining)
  }

  /// Whether only its source is sent it: it undoes what the source did in its own file without being allowed to.
  /// Uploaded entries have a client version, which is never 0.
  var isPrivate: Bool { source > .server && sourceVersion == .zero }

  /// The author as others see it: the server itself has an ident too.
  var author: ChangesetOrigin { ChangesetOrigin(timestamp: timestamp, file: origin == .none ? .server : origin) }
}

/// The extent of a server's history; part of the snapshot.
struct ServerState {
  /// The salt of the newest versions; ``ServerSalts`` has those of older ones.
  var salt: Int64
  /// The newest version.
  var current = ServerVersion.zero
  /// The newest version that is trimmed away.
  var base = ServerVersion.zero
  /// Sum of the sizes of all changesets ever.
  var bytes: UInt64 = 0

  private static let recordName = "server state"

  /// The newest version as clients hear of it.
  var salted: SaltedServerVersion { SaltedServerVersion(version: current, salt: current == .zero ? 0 : salt) }

  init(salt: Int64) { self.salt = salt }

  init?(in reader: any StorageReader) throws {
    guard let bytes = try reader.rootRecord(Self.recordName) else { return nil }
    var content = ByteReader(bytes)
    salt = try content.readVarint()
    current = ServerVersion(try content.readVarint())
    base = ServerVersion(try content.readVarint())
    self.bytes = try content.readVarint()
  }

  func store(in transaction: WriteTransaction) throws {
    var writer = ByteWriter()
    writer.writeVarint(salt)
    writer.writeVarint(current.rawValue)
    writer.writeVarint(base.rawValue)
    writer.writeVarint(bytes)
    try transaction.setRootRecord(Self.recordName, writer.bytes)
  }
}

/// A server's history within a write transaction.
///
/// Entries and state are written together by ``flush()`` and ``finish()``; nobody else may change them in between.
struct ServerLog {
  static let entries = "history"
  static func reciprocals(_ file: FileIdent) -> String { "reciprocals \(file.rawValue)" }

  let transaction: WriteTransaction
  /// The marks of what this process appends.
  let incarnation: ServerIncarnation
  /// The extent with everything appended; nil until it is first needed.
  private var current: ServerState?
  /// Entries appended and not written yet, and the sum of their sizes.
  private var pending: [LogEntry] = []
  /// Everything appended.
  private(set) var appended: [ServerLogEntry] = []
  private var pendingBytes = 0

  init(_ transaction: WriteTransaction, incarnation: ServerIncarnation) {
    self.transaction = transaction
    self.incarnation = incarnation
  }

  /// The extent of the history.
  mutating func state() throws -> ServerState {
    if let current { return current }
    guard let state = try ServerState(in: transaction) else {
      throw StorageError(.corrupt, "The server's file has lost its history. Restore it from a backup.")
    }
    current = state
    return state
  }

  /// Appends an entry; returns its version. Written by ``flush()`` at the latest.
  ///
  /// - Throws: ``RecordStoreError`` with code `incompatibleHistories` when the epoch of this process is over.
  mutating func append(
    _ changeset: [UInt8], timestamp: OriginTimestamp, origin: FileIdent, source: FileIdent,
    sourceVersion: ClientVersion
  ) throws -> ServerVersion {
    var state = try state()
    if let salt = incarnation.salt, salt != state.salt {
      try ServerSalts.close(state, in: transaction)
      state.salt = salt
    }
    let version = ServerVersion(state.current.rawValue + 1)
    if appended.isEmpty, let epoch = incarnation.epoch {
      try ServerEpochs.begin(epoch, with: version, base: state.base, in: transaction)
    }
    state.current = version
    state.bytes += UInt64(changeset.count)
    let entry = ServerLogEntry(
      timestamp: timestamp, origin: origin, source: source, sourceVersion: sourceVersion, bytesThrough: state.bytes,
      changeset: changeset)
    appended.append(entry)
    pending.append(LogEntry(position: Int64(state.current.rawValue), content: entry.encoded()))
    pendingBytes += changeset.count
    current = state
    if pendingBytes > 1 << 20 { try flush() }
    return state.current
  }

  /// Writes what was appended; the state follows with ``finish()``.
  mutating func flush() throws {
    guard !pending.isEmpty else { return }
    try transaction.log(Self.entries).put(pending)
    pending.removeAll(keepingCapacity: true)
    pendingBytes = 0
  }

  /// Writes what was appended, and where the history stands.
  mutating func finish() throws {
    try flush()
    try current?.store(in: transaction)
    current = nil
  }

  /// Appends what the server itself did, with its inverse where these are kept.
  static func appendLocal(_ changeset: [UInt8], at timestamp: OriginTimestamp, to session: WriteSession) throws {
    var log = ServerLog(session.transaction, incarnation: session.file.incarnation)
    let version = try log.append(
      changeset, timestamp: timestamp, origin: session.author, source: .none, sourceVersion: .zero)
    try log.finish()
    try InverseLog.keep(changeset, at: version, of: session)
  }

  static func missing(_ version: Int64) -> StorageError {
    StorageError(.corrupt, "Server version \(version) is missing in the history. Restore it from a backup.")
  }
}
