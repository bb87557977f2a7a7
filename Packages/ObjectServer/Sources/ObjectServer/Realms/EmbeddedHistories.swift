import ChangesetOT
import RecordStore
public import Permissions
import SyncProtocol
import Synchronization
public import Telemetry

/// The realms of one server as object store files below a folder, or in memory.
public struct EmbeddedHistories: HistoryStores {
  /// Where the files are.
  public enum Place: Hashable, Sendable {
    /// Below a folder, by its path.
    case folder(String)
    /// In memory, under names that begin with this text; gone with the process.
    case memory(prefix: String)
  }

  let place: Place
  private let random: RandomSource
  private let isDurable: Bool
  private let clock: any WallClock
  /// The salt of the versions that this server makes: what a restored server makes later has another.
  private let incarnation: Int64
  private let upkeep: HistoryUpkeep
  /// What was found out about realms that are closed meanwhile.
  private let book = KeeperNotesBook()
  private let beforeCommit: (@Sendable () throws -> Void)?

  /// The realms at `place`.
  ///
  /// - Parameters:
  ///   - random: draws the salts of histories and client files.
  ///   - isDurable: whether a commit is on disk before it returns; false only for tests.
  ///   - clock: says when clients were last seen.
  ///   - upkeep: how long history is kept, and when clients get the state instead of it.
  ///   - beforeCommit: called at the end of each write transaction; what it throws fails the commit as a full disk does.
  ///     For simulations.
  public init(
    _ place: Place, random: RandomSource, isDurable: Bool = true, clock: any WallClock = SystemWallClock(),
    upkeep: HistoryUpkeep = HistoryUpkeep(), beforeCommit: (@Sendable () throws -> Void)? = nil
  ) {
    self.beforeCommit = beforeCommit
    self.upkeep = upkeep
    self.clock = clock
    incarnation = random.salt()
    self.place = place
    self.random = random
    self.isDurable = isDurable
  }

  public func open(_ path: Permissions.RealmPath, isNew: Bool) throws -> any HistoryStore {
    let location: RealmLocation
    switch place {
    case .memory(let prefix): location = .inMemory(name: prefix + path.description)
    case .folder(let folder):
      let file = folder + "/" + RealmFileName.relativePath(of: path, in: folder)
      try FolderMaker.makeFolder(ofFile: file)
      location = .file(path: file)
    }
    // The server's own history is that of ServerHistory; a recorded one is a client's.
    let clock = clock
    var options = RealmFile.Options(
      recordsChangesets: false, isDurable: isDurable,
      clock: { OriginTimestamp(unixMilliseconds: clock.wallTime.millisecondsSince1970) })
    options.beforeCommit = beforeCommit
    return try EmbeddedHistory(
      RealmFile.open(location, options: options), random: random, incarnation: incarnation, isNew: isNew,
      upkeep: upkeep, notes: KeptNotes(book, path))
  }
}

extension EmbeddedHistories {
  public func remove(_ path: Permissions.RealmPath) throws {
    book.forget(path)
    // What is in memory goes with its last holder.
    if case .folder(let folder) = place { try RealmFiles(folder: folder).remove(path) }
  }

  public func move(_ path: Permissions.RealmPath, to newPath: Permissions.RealmPath) throws {
    guard case .folder(let folder) = place else {
      throw ServerError(.realmFailure, "a realm in memory cannot be renamed", remedy: "keep realms in a folder")
    }
    book.forget(path)
    try RealmFiles(folder: folder).move(path, to: newPath)
  }

  public func releaseMemory() {
    // What SQLite and the node caches gave back lies in the heaps of the workers; the system gets the whole pages of it.
    if case .folder = place { ProcessMemory.release() }
  }
}

/// One realm's files, read and written through ObjectStore.
final class EmbeddedHistory: HistoryStore {
  private struct Parts: Sendable {
    let history: ServerHistory
    let keeper: HistoryKeeper
  }

  private let random: RandomSource
  /// Nil when closed: the file is closed by letting go of it.
  private let parts: Mutex<Parts?>

  init(
    _ file: RealmFile, random: RandomSource, incarnation: Int64, isNew: Bool, upkeep: HistoryUpkeep, notes: KeptNotes
  ) throws {
    var generator = RandomSource.Generator(source: random)
    let history = try ServerHistory(file, random: &generator, incarnation: incarnation, isNew: isNew)
    self.random = random
    parts = Mutex(Parts(history: history, keeper: HistoryKeeper(history, upkeep: upkeep, notes: notes)))
  }

  private func opened() throws -> Parts {
    guard let parts = parts.withLock({ $0 }) else {
      throw ServerError(.realmFailure, "the files of the realm are closed", remedy: "open them again")
    }
    return parts
  }

  func state(claiming version: ServerVersion) throws -> ServerHistoryState {
    try opened().history.state(claim: version)
  }

  func allocateClientFile() throws -> SaltedFileIdent {
    var generator = RandomSource.Generator(source: random)
    return try opened().history.allocateClientFile(random: &generator)
  }

  func clientFile(_ ident: FileIdent) throws -> ClientFileRecord? {
    let parts = try opened()
    var record = try parts.history.clientFile(ident)
    record?.canResumeBootstrap = parts.keeper.hasBootstrap(of: ident)
    return record
  }

  func retire(_ ident: FileIdent) throws { try opened().history.retireClientFile(ident) }

  func scan(_ request: DownloadScanRequest) throws -> DownloadScan {
    let parts = try opened()
    return try parts.keeper.bootstrapScan(request)
      ?? parts.history.scan(for: request.file, from: request.from, byteLimit: request.byteBudget)
  }

  func integrate(_ batches: [UploadBatch]) throws -> [SessionFailure?] {
    let parts = try opened()
    let bounded = try OriginBound(now: parts.history.file.options.clock(), history: parts.history).bounded(batches)
    let outcomes = try parts.history.integrate(bounded)
    for batch in batches { parts.keeper.acknowledged(batch.progress.server, by: batch.file) }
    try parts.keeper.trimIfDue()
    return zip(batches, outcomes).map { batch, outcome in
      switch outcome {
      case .integrated: nil
      case .undone(let upload): ReaderUploads.warning(of: upload, in: batch)
      case .refused(let refusal): Self.failure(refusal)
      }
    }
  }

  private static func failure(_ refusal: UploadRefusal) -> SessionFailure {
    switch refusal {
    case .badChangeset(let error): SessionFailure(.badChangeset, "Bad changeset (UPLOAD): \(error)")
    case .badOriginFile(let file):
      SessionFailure(.badOriginFileIdent, "Bad origin file ident \(file.rawValue) (UPLOAD)")
    case .unknownClientFile(let file): SessionFailure(.badClientFileIdent, "Unknown client file \(file.rawValue)")
    case .clientFileExpired: SessionFailure(.clientFileExpired, "The client was away for too long and must start anew")
    case .madeBeforeState(let object):
      SessionFailure(
        .clientFileExpired,
        "\(object.className)[\(object.key)] was changed before the client had the realm's state, which has it already")
    case .cannotBeUndone: ReaderUploads.refusal
    case .historyTrimmed(let base):
      SessionFailure(.clientFileExpired, "\(TrimmedHistoryError(base: base)); the client must start anew")
    }
  }

  var hasUnfinishedWork: Bool {
    guard let parts = parts.withLock({ $0 }) else { return false }
    // What is in memory would be gone.
    if case .inMemory = parts.history.file.location { return true }
    return parts.keeper.hasLiveBootstrap
  }

  func close() {
    // Outside of the lock: letting go of the file writes its log back.
    let closed = parts.withLock { parts in
      defer { parts = nil }
      return parts
    }
    closed?.keeper.leaveNotes()
  }
}
