import ChangesetOT
public import Permissions
import SyncProtocol
import Synchronization

/// Realms as journals: merged histories in SQLite, without the state that they lead to.
///
/// Merging needs changesets only, so a server that never looks into its realms can do with this: it is the smallest durable
/// ``HistoryStore``, and the yardstick for the complete one, ``EmbeddedHistories``, which must send the same entries.
/// What it cannot see is a changeset that merges but does not fit the state.
public struct JournalHistories: HistoryStores {
  private let folder: String?
  private let random: RandomSource
  private let isDurable: Bool

  /// Journals below a folder; in memory, gone when their realm is closed, without one.
  public init(folder: String?, random: RandomSource, isDurable: Bool = true) {
    self.folder = folder
    self.random = random
    self.isDurable = isDurable
  }

  public func open(_ path: Permissions.RealmPath, isNew: Bool) throws -> any HistoryStore {
    guard let folder else { return try JournalHistory(path: ":memory:", isDurable: false, random: random) }
    let file = folder + "/" + RealmFileName.relativePath(of: path, in: folder)
    try FolderMaker.makeFolder(ofFile: file)
    return try JournalHistory(path: file, isDurable: isDurable, random: random)
  }
}

extension JournalHistories {
  public func remove(_ path: Permissions.RealmPath) throws {
    if let folder { try RealmFiles(folder: folder).remove(path) }
  }

  public func move(_ path: Permissions.RealmPath, to newPath: Permissions.RealmPath) throws {
    if let folder { try RealmFiles(folder: folder).move(path, to: newPath) }
  }
}

/// One journal.
final class JournalHistory: HistoryStore {
  private let database: Mutex<JournalDatabase?>
  private let random: RandomSource

  init(path: String, isDurable: Bool, random: RandomSource) throws {
    self.random = random
    database = Mutex(try JournalDatabase(path: path, isDurable: isDurable, salt: random.salt()))
  }

  private func use<Value: Sendable>(_ work: (inout JournalDatabase) throws -> Value) throws -> Value {
    try database.withLock { database in
      guard var open = database else {
        throw ServerError(.realmFailure, "the realm is closed", remedy: "open it again")
      }
      defer { database = open }
      return try work(&open)
    }
  }

  func close() { database.withLock { $0 = nil } }

  func state(claiming version: ServerVersion) throws -> ServerHistoryState {
    try use { database in
      ServerHistoryState(
        current: database.currentWithSalt,
        saltOfClaim: version > database.current ? nil : (version == .zero ? 0 : database.salt))
    }
  }

  func allocateClientFile() throws -> SaltedFileIdent {
    let salt = random.salt()
    return try use { database in SaltedFileIdent(ident: try database.allocateFile(salt: salt), salt: salt) }
  }

  func clientFile(_ ident: FileIdent) throws -> ClientFileRecord? {
    try use { database in
      try database.file(ident).map { file in
        ClientFileRecord(
          salt: file.salt, upload: file.upload, lockedServerVersion: file.locked, isExpired: file.isRetired)
      }
    }
  }

  func retire(_ ident: FileIdent) throws { try use { database in try database.retire(ident) } }

  func scan(_ request: DownloadScanRequest) throws -> DownloadScan {
    try use { database in
      var cursor = request.from
      var entries: [DownloadEntry] = []
      var bytes = 0
      var remaining = 0
      try database.entries(after: request.from.server) { entry in
        if bytes >= request.byteBudget {
          remaining += entry.bytes.count
          return true
        }
        cursor.server = entry.version
        if entry.author == request.file {
          cursor.client = entry.authorVersion
        } else if !entry.bytes.isEmpty {
          bytes += entry.bytes.count
          entries.append(
            DownloadEntry(
              cursor: cursor, timestamp: entry.timestamp, origin: entry.author, changeset: entry.bytes))
        }
        return true
      }
      return DownloadScan(
        progress: SyncProgress(
          latestServerVersion: database.currentWithSalt, download: cursor,
          upload: try database.file(request.file)?.upload ?? .zero),
        remainingBytes: remaining, reachedEnd: cursor.server == database.current, entries: entries)
    }
  }

  func integrate(_ batches: [UploadBatch]) throws -> [SessionFailure?] {
    try use { database in
      let before = database.current
      do {
        try database.run("BEGIN IMMEDIATE")
        var failed: Set<FileIdent> = []
        var outcomes: [SessionFailure?] = []
        for batch in batches {
          let failure = failed.contains(batch.file) ? Self.afterFailure : try database.take(batch)
          if failure != nil { failed.insert(batch.file) }
          outcomes.append(failure)
        }
        try database.run("COMMIT")
        return outcomes
      } catch {
        if database.connection.isInTransaction { try? database.run("ROLLBACK") }
        database.current = before
        throw error
      }
    }
  }

  private static let afterFailure = SessionFailure(.badChangeset, "a changeset before this one was refused")
}

extension JournalDatabase {
  var currentWithSalt: SaltedServerVersion {
    SaltedServerVersion(version: current, salt: current == .zero ? 0 : salt)
  }

  /// Integrates one batch; of one that is to have no effect only what could be left out.
  mutating func take(_ batch: UploadBatch) throws -> SessionFailure? {
    guard batch.hasNoEffect else { return try integrate(batch) }
    guard ReaderUploads.declareOnly(batch) else { return ReaderUploads.refusal }
    var batch = batch
    for index in batch.entries.indices { batch.entries[index].changeset = [] }
    return try integrate(batch)
  }

  /// Integrates one batch, or leaves everything as it was and says why.
  mutating func integrate(_ batch: UploadBatch) throws -> SessionFailure? {
    guard var file = try file(batch.file) else {
      return SessionFailure(.badClientFileIdent, "the client file was never given out")
    }
    guard !file.isRetired else { return SessionFailure(.clientFileExpired, "the client goes on under another ident") }
    let before = current
    try run("SAVEPOINT batch")
    do {
      let fresh = batch.entries.filter { $0.cursor.client > file.upload.client }
      for group in Self.groups(fresh) { try integrate(group, from: batch.file) }
      if batch.progress.client >= file.upload.client { file.upload = batch.progress }
      file.locked = max(file.locked, batch.lockedServerVersion)
      try store(file, ident: batch.file)
      try run("RELEASE batch")
      return nil
    } catch {
      try run("ROLLBACK TO batch")
      try run("RELEASE batch")
      current = before
      switch error {
      case is ChangesetDecodingError, is TransformError:
        return SessionFailure(.badChangeset, "Bad changeset (UPLOAD): \(error)")
      default: throw error
      }
    }
  }

  /// Merges entries of one base against what their author had not seen, and appends them.
  private mutating func integrate(_ group: ArraySlice<UploadEntry>, from author: FileIdent) throws {
    guard let base = group.first?.cursor.server else { return }
    let known = try reciprocal(of: author, after: base)
    var window: [ServerVersion] = []
    var local: [Changeset] = []
    try entries(after: base) { entry in
      guard entry.author != author, !entry.bytes.isEmpty else { return true }
      window.append(entry.version)
      local.append(try Changeset(decoding: known[entry.version] ?? entry.bytes, origin: entry.origin))
      return true
    }
    var rewritten: Set<Int> = []
    var incoming = try group.enumerated().map { index, entry in
      let origin = ChangesetOrigin(timestamp: entry.timestamp, file: author)
      var changeset = try Changeset(decoding: entry.changeset, origin: origin)
      if changeset.resolveProvisionalKeys() { rewritten.insert(index) }
      return changeset
    }
    let changed = try Transformer().transform(local: &local, incoming: &incoming)
    rewritten.formUnion(changed.incoming)
    for (index, entry) in group.enumerated() {
      try append(
        Entry(
          version: ServerVersion(current.rawValue + 1), author: author, authorVersion: entry.cursor.client,
          timestamp: entry.timestamp,
          bytes: rewritten.contains(index) ? incoming[index].encoded() : entry.changeset))
    }
    for index in changed.local { try storeReciprocal(local[index].encoded(), of: author, at: window[index]) }
  }

  /// Consecutive entries with the same base.
  private static func groups(_ entries: [UploadEntry]) -> [ArraySlice<UploadEntry>] {
    var groups: [ArraySlice<UploadEntry>] = []
    var start = 0
    for index in entries.indices where index > start && entries[index].cursor.server != entries[start].cursor.server {
      groups.append(entries[start..<index])
      start = index
    }
    if start < entries.count { groups.append(entries[start...]) }
    return groups
  }
}

extension RandomSource {
  /// A salt: 1 to 2^63 - 1.
  func salt() -> Int64 { max(1, Int64(next() >> 1)) }
}
