public import ChangesetOT
import StorageEngine

/// A state on its way to one client that has nothing yet, in pieces under server versions of their own.
///
///     var bootstrap = try history.bootstrap(of: ident, plan)
///     let scan = try bootstrap.scan(from: .zero, byteLimit: 1 << 20, history)    // again with the cursor it gives, until isDone
///
/// Holds the snapshot that it reads; a client that lost some of it goes on from any cursor that it was given.
public struct ServerBootstrap: Sendable {
  /// The version of the state: where history goes on.
  public let version: ServerVersion
  /// The measured plan; valid for the next client too, as long as nothing is appended.
  public let plan: BootstrapPlan
  private let start: StateSynthesis
  private var synthesis: StateSynthesis
  /// The version of the last piece that was taken; the pieces have versions 1, 2, …
  private var position: UInt64 = 0
  private var sentBytes = 0

  init(_ synthesis: StateSynthesis, version: ServerVersion, plan: BootstrapPlan) {
    start = synthesis
    self.synthesis = synthesis
    self.version = version
    self.plan = BootstrapPlan(version: version, pieces: plan.pieces, bytes: plan.bytes)
  }

  /// The next pieces, as a part of history; the last one ends at ``version``.
  ///
  /// - Parameters:
  ///   - cursor: what the client has of it: 0, or the cursor of an earlier part.
  ///   - byteLimit: stop adding when this many bytes are collected; at least one piece is taken.
  ///   - latest: the newest version of the history.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public mutating func scan(
    from cursor: DownloadCursor, byteLimit: Int, latest: SaltedServerVersion
  ) throws -> DownloadScan {
    if position != cursor.server.rawValue {
      (synthesis, position, sentBytes) = (start, 0, 0)
      while position < cursor.server.rawValue, let piece = try synthesis.next() {
        position += 1
        sentBytes += piece.count
      }
    }
    var entries: [DownloadEntry] = []
    var bytes = 0
    var isDone = false
    while bytes < byteLimit {
      guard let piece = try synthesis.next() else {
        isDone = true
        break
      }
      position += 1
      bytes += piece.count
      entries.append(
        DownloadEntry(
          cursor: DownloadCursor(server: ServerVersion(position), client: .zero), timestamp: OriginTimestamp(0),
          origin: .server, changeset: piece))
    }
    sentBytes += bytes
    let reached = isDone ? version : ServerVersion(position)
    return DownloadScan(
      progress: SyncProgress(
        latestServerVersion: latest, download: DownloadCursor(server: reached, client: .zero), upload: .zero),
      remainingBytes: isDone ? 0 : max(0, plan.bytes - sentBytes), reachedEnd: isDone && version == latest.version,
      isPrivate: true, entries: entries)
  }
}

/// The measured cost of sending the state instead of the past.
public struct BootstrapPlan: Hashable, Sendable {
  /// The version that was measured.
  public var version: ServerVersion
  /// The number of pieces.
  public var pieces: Int
  /// Bytes of all pieces.
  public var bytes: Int
}

extension ServerHistory {
  /// Bytes of a piece.
  public static let bootstrapPieceSize = 128 << 10

  /// Measures the present state.
  ///
  /// - Parameters:
  ///   - limit: nil is returned when the state takes more bytes.
  ///   - pieceSize: bytes of a piece.
  /// - Complexity: O(objects), without keeping them.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func bootstrapPlan(
    limit: Int = .max, pieceSize: Int = bootstrapPieceSize
  ) throws -> BootstrapPlan? {
    var synthesis = try synthesis(pieceSize: pieceSize)
    var plan = BootstrapPlan(version: synthesis.serverVersion ?? .zero, pieces: 0, bytes: 0)
    while let piece = try synthesis.next() {
      plan.pieces += 1
      plan.bytes += piece.count
      if plan.bytes > limit { return nil }
    }
    return plan
  }

  /// Begins to bring a client up with the present state, and remembers that, durably.
  ///
  /// Pieces need versions of their own below that of the state. A history that has had fewer gets empty ones.
  ///
  /// - Parameters:
  ///   - pieceSize: bytes of a piece.
  ///   - known: measured earlier, with the same piece size; measured again when it is out of date.
  /// - Throws: ``RecordStoreError`` when the file cannot be written; nothing has then changed.
  public func bootstrap(
    of ident: FileIdent, pieceSize: Int = bootstrapPieceSize, plan known: BootstrapPlan? = nil
  ) throws -> ServerBootstrap {
    var known = known
    while true {
      let current = try state().current.version
      guard let plan = try known?.version == current ? known : bootstrapPlan(pieceSize: pieceSize) else {
        throw ServerHistory.unprepared
      }
      known = nil
      let version: ServerVersion? = try file.write(isRecorded: false) { session in
        guard var state = try ServerState(in: session.transaction) else { throw ServerHistory.unprepared }
        guard state.current == plan.version, var client = try ClientFileTable.file(ident, in: session.transaction)
        else { return nil }
        var log = ServerLog(session.transaction, incarnation: incarnation)
        while state.current.rawValue < UInt64(plan.pieces) {
          state.current = try log.append(
            [], timestamp: file.options.clock(), origin: .none, source: .none, sourceVersion: .zero)
        }
        try log.finish()
        client.bootstrap = state.current
        client.lastSeen = max(client.lastSeen, file.options.clock())
        try ClientFileTable.update(ident, client, session.transaction)
        return state.current
      }
      let synthesis = try synthesis(pieceSize: pieceSize)
      if let version, synthesis.serverVersion == version {
        return ServerBootstrap(synthesis, version: version, plan: plan)
      }
      // The realm changed meanwhile: once more.
    }
  }
}
