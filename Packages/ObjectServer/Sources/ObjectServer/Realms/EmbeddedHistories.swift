import ChangesetOT
import ObjectStore
public import Permissions
import SyncProtocol
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

  private let place: Place
  private let random: RandomSource
  private let isDurable: Bool
  private let clock: any WallClock

  /// The realms at `place`.
  ///
  /// - Parameters:
  ///   - random: draws the salts of histories and client files.
  ///   - isDurable: whether a commit is on disk before it returns; false only for tests.
  ///   - clock: says when clients were last seen.
  public init(
    _ place: Place, random: RandomSource, isDurable: Bool = true, clock: any WallClock = SystemWallClock()
  ) {
    self.clock = clock
    self.place = place
    self.random = random
    self.isDurable = isDurable
  }

  public func open(_ path: Permissions.RealmPath) throws -> any HistoryStore {
    let location: RealmLocation
    switch place {
    case .memory(let prefix): location = .inMemory(name: prefix + path.description)
    case .folder(let folder):
      let file = folder + "/" + RealmFileName.relativePath(of: path)
      try FolderMaker.makeFolder(ofFile: file)
      location = .file(path: file)
    }
    // The server's own history is that of ServerHistory; a recorded one is a client's.
    let clock = clock
    let options = RealmFile.Options(
      recordsChangesets: false, isDurable: isDurable,
      clock: { OriginTimestamp(unixMilliseconds: clock.wallTime.millisecondsSince1970) })
    return try EmbeddedHistory(RealmFile.open(location, options: options), random: random)
  }
}

/// One realm's files, read and written through ObjectStore.
final class EmbeddedHistory: HistoryStore {
  private let history: ServerHistory
  private let random: RandomSource

  init(_ file: RealmFile, random: RandomSource) throws {
    var generator = RandomSource.Generator(source: random)
    history = try ServerHistory(file, random: &generator)
    self.random = random
  }

  func state(claiming version: ServerVersion) throws -> SyncProtocol.ServerHistoryState {
    let state = try history.state(claim: version)
    return SyncProtocol.ServerHistoryState(current: state.current, base: state.base, saltOfClaim: state.saltOfClaim)
  }

  func allocateClientFile() throws -> SaltedFileIdent {
    var generator = RandomSource.Generator(source: random)
    return try history.allocateClientFile(random: &generator)
  }

  func clientFile(_ ident: FileIdent) throws -> ClientFileRecord? {
    try history.clientFile(ident).map { file in
      ClientFileRecord(
        salt: file.salt, kind: ClientFileRecord.Kind(rawValue: file.kind.rawValue) ?? .regular, upload: file.upload,
        lockedServerVersion: file.lockedServerVersion, isExpired: file.isExpired)
    }
  }

  func scan(_ request: DownloadScanRequest) throws -> DownloadScan {
    let scan = try history.scan(for: request.file, from: request.from, byteLimit: request.byteBudget)
    return DownloadScan(
      progress: scan.progress, remaining: .bytes(UInt64(max(0, scan.remainingBytes))), reachedEnd: scan.reachedEnd,
      entries: scan.entries.map { entry in
        DownloadEntry(
          cursor: entry.cursor, timestamp: entry.timestamp, origin: entry.origin, originalSize: entry.originalSize,
          changeset: entry.changeset)
      })
  }

  func integrate(_ batches: [SyncProtocol.UploadBatch]) throws -> [SessionFailure?] {
    let outcomes = try history.integrate(batches.map(Self.batch))
    return outcomes.map { outcome in
      switch outcome {
      case .integrated: nil
      case .refused(let refusal): Self.failure(refusal)
      }
    }
  }

  private static func batch(_ batch: SyncProtocol.UploadBatch) -> ObjectStore.UploadBatch {
    ObjectStore.UploadBatch(
      file: batch.file, progress: batch.progress, lockedServerVersion: batch.lockedServerVersion,
      entries: batch.entries.map { entry in
        UploadedChangeset(
          cursor: entry.cursor, timestamp: entry.timestamp, origin: entry.origin == batch.file ? .none : entry.origin,
          changeset: entry.changeset)
      })
  }

  private static func failure(_ refusal: UploadRefusal) -> SessionFailure {
    switch refusal {
    case .badChangeset(let error): SessionFailure(.badChangeset, "Bad changeset (UPLOAD): \(error)")
    case .badOriginFile(let file):
      SessionFailure(.badOriginFileIdent, "Bad origin file ident \(file.rawValue) (UPLOAD)")
    case .unknownClientFile(let file): SessionFailure(.badClientFileIdent, "Unknown client file \(file.rawValue)")
    case .clientFileExpired: SessionFailure(.clientFileExpired, "The client was away for too long and must start anew")
    }
  }

  func close() {}
}
