public import ChangesetOT
import StorageEngine
import Synchronization

/// The server's half of replication: one realm file with its state, its history and its table of client files, all
/// changing in one transaction.
///
///     let history = try ServerHistory(try RealmFile.open(.file(path: "42.realm")), random: &generator)
///     let ident = try history.allocateClientFile(random: &generator)
///     let outcomes = try history.integrate([batch])
///     let scan = try history.scan(for: ident.ident, from: .zero, byteLimit: 16 << 20)
///
/// Safe to use from any thread; writes wait for each other. The same file can be opened as a `Realm`: what is written
/// there becomes a changeset of the server itself.
public final class ServerHistory: Sendable {
  /// The served file.
  public let file: RealmFile
  let incarnation: Int64?
  private let isNew: Bool
  private let writeSets = Mutex(RecentWriteSets())
  private let served = Mutex(ServedEntries())
  /// Bootstraps of clients with views that are under way.
  let bootstraps = Mutex<[FileIdent: ViewBootstrap]>([:])

  /// The history of `file`, made ready when the file is new.
  ///
  /// - Parameters:
  ///   - random: draws the salt of a new history.
  ///   - incarnation: the salt of the versions that are made through this value. A server draws one in each process, so
  ///     that versions made after the restoration of a backup differ from those of the same number made before it, however
  ///     the files were restored. Nil goes on with the salt of the file.
  ///   - isNew: whether the realm never had another file than this one. When that is lost, clients may hold idents that it
  ///     gave out, and no other file must give them out again.
  /// - Throws: ``RecordStoreError`` with code `incompatibleHistories` for a file that is a client's, or holds unrecorded
  ///   objects.
  public init(
    _ file: RealmFile, random: inout some RandomNumberGenerator, incarnation: Int64? = nil, isNew: Bool = true
  ) throws {
    self.file = file
    self.incarnation = incarnation
    self.isNew = isNew
    let isReady = try translatingErrors { try ServerState(in: file.store.latestSnapshot()) != nil }
    guard !isReady else { return }
    let salt = drawSalt(&random)
    try file.prepareHistory(.server)
    try file.write(isRecorded: false) { session in
      guard try ServerState(in: session.transaction) == nil else { return }
      try ServerState(salt: salt).store(in: session.transaction)
      try ClientFileTable.prepare(session.transaction, salt: salt)
    }
  }

  /// The extent of the history.
  /// - Parameter claim: the version that a client says it heard of; its salt is looked up.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func state(claim: ServerVersion = .zero) throws -> ServerHistoryState {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
      return ServerHistoryState(
        current: state.salted,
        base: state.base, saltOfClaim: try ServerSalts.salt(of: claim, state, in: snapshot))
    }
  }

  /// Gives out a file ident, durable on return: the next one, and when this process gives out its first, one after a leap,
  /// so that it differs from all that were given out before the file was restored from a backup, or begun anew.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written; nothing has then changed.
  public func allocateClientFile(
    _ kind: ClientFileRecord.Kind = .regular, random: inout some RandomNumberGenerator
  ) throws -> SaltedFileIdent {
    let salt = drawSalt(&random)
    let draw = random.next()
    let seen = file.options.clock()
    return try file.write(isRecorded: false) { session in
      let ident = try ClientFileTable.insert(
        ClientFileRecord(salt: salt, kind: kind, lastSeen: seen), session.transaction, incarnation: incarnation,
        isNew: isNew, draw: draw)
      return SaltedFileIdent(ident: ident, salt: salt)
    }
  }

  /// The record of a client file; nil when the ident was never given out.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func clientFile(_ ident: FileIdent) throws -> ClientFileRecord? {
    try translatingErrors { try ClientFileTable.file(ident, in: file.store.latestSnapshot()) }
  }

  /// Merges, applies and appends what clients uploaded, in one commit, durable on return.
  ///
  /// Every changeset becomes one server version, even if nothing is left of it. A batch with a bad changeset is left
  /// out as a whole, as are later batches of the same file in this call; the others proceed.
  ///
  /// - Returns: what became of each batch, in order.
  /// - Throws: ``RecordStoreError`` when the disk fails; nothing is then integrated.
  public func integrate(_ batches: [UploadBatch]) throws -> [UploadOutcome] {
    var refusals: [Int: UploadRefusal] = [:]
    var undone: [Int: UndoneUpload] = [:]
    while true {
      var known = writeSets.withLock { writeSets in
        defer { writeSets = RecentWriteSets() }
        return writeSets
      }
      do {
        let (first, appended) = try file.write(isRecorded: false) { session in
          var integration = try ServerIntegration(session, incarnation: incarnation, writeSets: known)
          // Held once only while it grows.
          known = RecentWriteSets()
          defer { known = integration.writeSets }
          for (number, batch) in batches.enumerated() where refusals[number] == nil {
            do { undone[number] = try integration.integrate(batch) } catch let refusal as UploadRefusal {
              integration.forgetWhatIsNew()
              throw RefusedBatch(number: number, refusal: refusal)
            }
          }
          return integration.finish()
        }
        writeSets.withLock { $0 = known }
        // Every session asks for them next.
        if !appended.isEmpty { served.withLock { $0.insert(appended, from: first) } }
        return batches.indices.map { number in
          if let refusal = refusals[number] { return .refused(refusal) }
          return undone[number].map { .undone($0) } ?? .integrated
        }
      } catch let refused as RefusedBatch {
        // The transaction is gone with everything in it; the next attempt leaves the offender out.
        writeSets.withLock { $0 = known }
        let file = batches[refused.number].file
        for number in refused.number..<batches.count where batches[number].file == file && refusals[number] == nil {
          refusals[number] = refused.refusal
        }
      }
    }
  }

  private struct RefusedBatch: Error {
    let number: Int
    let refusal: UploadRefusal
  }

  /// Marks client files that were not seen since `time` as expired, so that history need not be kept for them.
  /// - Returns: the files that are expired now and were not before.
  /// - Throws: ``RecordStoreError`` when the file cannot be written; nothing has then changed.
  @discardableResult
  public func expireClientFiles(notSeenSince time: OriginTimestamp) throws -> [FileIdent] {
    try file.write(isRecorded: false) { session in
      var expired: [FileIdent] = []
      // A client that has everything does not expire while nothing is appended.
      let current = try ServerState(in: session.transaction)?.current ?? .zero
      for number in try ClientFileTable.idents(in: session.transaction) {
        let ident = FileIdent(number)
        guard var file = try ClientFileTable.file(ident, in: session.transaction), !file.isExpired,
          file.lastSeen < time, file.upload.server < current
        else { continue }
        try Self.expire(ident, &file, session.transaction)
        expired.append(ident)
      }
      return expired
    }
  }

  /// Marks one client file as expired, because its client goes on under another ident. Durable on return.
  ///
  /// Uploads under the old ident are refused from then on: the client repeats them under the new one, and they must not be
  /// applied twice. Does nothing for an ident that was never given out.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written; nothing has then changed.
  public func retireClientFile(_ ident: FileIdent) throws {
    try file.write(isRecorded: false) { session in
      guard var file = try ClientFileTable.file(ident, in: session.transaction), !file.isExpired else { return }
      try Self.expire(ident, &file, session.transaction)
    }
  }

  private static func expire(_ ident: FileIdent, _ file: inout ClientFileRecord, _ transaction: WriteTransaction) throws
  {
    file.isExpired = true
    try ClientFileTable.update(ident, file, transaction)
    try transaction.log(ServerLog.reciprocals(ident)).deleteAll()
  }

  /// The history that a client is to be sent, from its cursor on.
  ///
  /// Changesets that came from the client itself are skipped and move the client half of the cursor; empty ones are
  /// skipped.
  ///
  /// - Throws: ``TrimmedHistoryError`` when the history after the cursor is no longer kept.
  ///
  /// - Parameters:
  ///   - ident: the receiving client.
  ///   - cursor: where its previous scan stopped.
  ///   - byteLimit: stop adding when this many bytes are collected; at least one changeset is taken.
  public func scan(for ident: FileIdent, from cursor: DownloadCursor, byteLimit: Int) throws -> DownloadScan {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
      guard cursor.server >= state.base else { throw TrimmedHistoryError(base: state.base) }
      let client = try ClientFileTable.file(ident, in: snapshot)
      var reached = cursor
      var entries: [DownloadEntry] = []
      var bytes = 0
      var isPrivate = false
      var bytesThrough = state.bytes
      let end = Int64(state.current.rawValue)
      var position = Int64(cursor.server.rawValue) + 1
      reading: while position <= end {
        for entry in try logged(in: position...end, byteLimit: max(byteLimit - bytes, 1)) {
          reached.server = ServerVersion(UInt64(position))
          position += 1
          bytesThrough = entry.bytesThrough
          if entry.isPrivate, entry.source != ident { continue }
          if entry.source == ident, !entry.isPrivate {
            reached.client = max(reached.client, entry.sourceVersion)
          } else if !entry.changeset.isEmpty {
            entries.append(
              DownloadEntry(
                cursor: reached, timestamp: entry.timestamp, origin: entry.author.file, changeset: entry.changeset))
            bytes += entry.changeset.count
            if entry.isPrivate { isPrivate = true }
            if bytes >= byteLimit { break reading }
          }
        }
      }
      let reachedEnd = position > end
      if reachedEnd { reached.server = max(cursor.server, state.current) }
      return DownloadScan(
        progress: SyncProgress(latestServerVersion: state.salted, download: reached, upload: client?.upload ?? .zero),
        remainingBytes: reachedEnd ? 0 : Int(clamping: state.bytes - min(state.bytes, bytesThrough)),
        reachedEnd: reachedEnd, isPrivate: isPrivate, entries: entries)
    }
  }

  /// The first entries of a range, at least one.
  func logged(in range: ClosedRange<Int64>, byteLimit: Int) throws -> ArraySlice<ServerLogEntry> {
    if let known = served.withLock({ $0.entries(in: range) }) { return known }
    let items = try file.store.log(ServerLog.entries).entries(in: range, byteLimit: byteLimit)
    for (version, item) in zip(range, items) where item.position != version { throw ServerLog.missing(version) }
    guard !items.isEmpty else { throw ServerLog.missing(range.lowerBound) }
    let entries = try items.map { try ServerLogEntry(decoding: $0.content) }
    served.withLock { $0.insert(entries, from: range.lowerBound) }
    return entries[...]
  }

  static var unprepared: StorageError {
    StorageError(.corrupt, "The server's file has lost its history. Restore it from a backup.")
  }
}

/// A random number that a wire can carry as a salt: 1 … 2^63 - 1.
private func drawSalt(_ random: inout some RandomNumberGenerator) -> Int64 {
  Int64.random(in: 1...Int64.max, using: &random)
}
