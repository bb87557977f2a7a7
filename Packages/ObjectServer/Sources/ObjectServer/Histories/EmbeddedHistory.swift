import ChangesetOT
import Permissions
import RecordStore
import SyncProtocol
import Synchronization

/// The files of one realm, read and written through ObjectStore. Blocks; one thread at a time.
final class EmbeddedHistory: HistoryStore {
  private struct Parts: Sendable {
    let history: ServerHistory
    let retention: HistoryRetention
    let roles: RealmRoles
    let graphQL: GraphQLCaches
  }

  private let random: RandomSource
  /// Nil when closed: releasing the file closes it.
  private let parts: Mutex<Parts?>

  init(
    _ file: RealmFile, random: RandomSource, incarnation: Int64, isNew: Bool, policy: RetentionPolicy,
    stats: StoredRetentionStats
  ) throws {
    var generator = RandomSource.Generator(source: random)
    let history = try ServerHistory(file, random: &generator, incarnation: incarnation, isNew: isNew)
    self.random = random
    parts = Mutex(
      Parts(
        history: history, retention: HistoryRetention(history, policy: policy, stored: stats),
        roles: RealmRoles(history), graphQL: GraphQLCaches(history)))
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
    record?.canResumeBootstrap = parts.retention.hasBootstrap(of: ident)
    return record
  }

  func retire(_ ident: FileIdent) throws { try opened().history.retireClientFile(ident) }

  func admit(_ request: DownloadScanRequest) throws { try opened().roles.prepare(for: request) }

  func scan(_ request: DownloadScanRequest) throws -> DownloadScan {
    let parts = try opened()
    try parts.roles.prepare(for: request)
    if let view = request.view { return try parts.retention.viewScan(request, view) }
    return try parts.retention.bootstrapScan(request) ?? parts.retention.historyScan(request)
  }

  func warnings(of scan: inout DownloadScan, for request: DownloadScanRequest) throws -> [SessionFailure] {
    guard scan.isPrivate else { return [] }
    return try opened().history.undoneUploads(
      of: request.file, after: request.from.server, in: &scan
    ).flatMap(Self.warnings)
  }

  func untoldWarnings(of ident: FileIdent) throws -> [SessionFailure] {
    try opened().history.unacknowledgedUndoneUploads(of: ident).flatMap(Self.warnings)
  }

  private static func warnings(of upload: UndoneUpload) -> [SessionFailure] {
    upload.refusals.isEmpty ? ReadOnlyUploadPolicy.warnings(of: upload) : OutsideWriteWarning.warnings(of: upload)
  }

  func integrate(_ batches: [UploadBatch]) throws -> [SessionFailure?] {
    let parts = try opened()
    let bounded = try OriginBound(now: parts.history.file.options.clock(), history: parts.history).bounded(batches)
    let outcomes = try parts.history.integrate(bounded)
    try parts.history.openNewClasses()
    for batch in batches { parts.retention.acknowledged(batch.progress.server, by: batch.file) }
    try parts.retention.trimIfDue()
    return zip(batches, outcomes).map { batch, outcome in
      switch outcome {
      case .integrated: nil
      case .undone(let upload): Self.warnings(of: upload).first
      case .refused(.cannotBeUndone(let cause)): ReadOnlyUploadPolicy.refusal(rule: batch.accessRule, cause: cause)
      case .refused(let refusal): Self.failure(refusal)
      }
    }
  }

  func explain(_ question: ViewQuestion) throws -> SyncExplanation? { try opened().history.explain(question) }

  func takeViewAudience() throws -> ViewAudience { try opened().history.takeViewAudience() }

  func takeTaskAudience() throws -> ViewAudience {
    let parts = try opened()
    try parts.retention.trimIfDue()
    return try parts.history.takeViewAudience()
  }

  func takeScanAudience() throws -> ViewAudience? {
    let parts = try opened()
    return parts.roles.takeConnected() ? try parts.history.takeViewAudience() : nil
  }

  func suspendViews() throws -> SuspendedViews? { try opened().history.suspendViews() }

  func resumeViews(_ views: SuspendedViews) throws { try opened().history.resumeViews(views) }

  func forgetViewWatcher(_ file: FileIdent) { parts.withLock { $0 }?.history.forgetViewWatcher(file) }

  private static func failure(_ refusal: UploadRefusal) -> SessionFailure {
    switch refusal {
    case .badChangeset(let error) where error.contradictsSchema:
      SessionFailure(
        .invalidSchemaChange,
        "Invalid schema change (UPLOAD): \(error). Make the model classes agree with those of the realm, or use another name"
      )
    case .badChangeset(let error): SessionFailure(.badChangeset, "Bad changeset (UPLOAD): \(error)")
    case .badOriginFile(let file):
      SessionFailure(.badOriginFileIdent, "Bad origin file ident \(file.rawValue) (UPLOAD)")
    case .unknownClientFile(let file): SessionFailure(.badClientFileIdent, "Unknown client file \(file.rawValue)")
    case .clientFileExpired: SessionFailure(.clientFileExpired, "The client was away for too long and must start anew")
    case .madeBeforeState(let object):
      SessionFailure(
        .clientFileExpired,
        "\(object.className)[\(object.key)] was changed before the client had the realm's state, which has it already")
    case .cannotBeUndone(let cause): ReadOnlyUploadPolicy.refusal(cause: cause)
    case .needsQueries: RealmRoles.wholeRealmRefusal
    case .historyTrimmed(let base):
      SessionFailure(.clientFileExpired, "\(TrimmedHistoryError(base: base)); the client must start anew")
    }
  }

  var graphQL: GraphQLCaches? { parts.withLock { $0 }?.graphQL }

  var feedLoad: FeedLoad { parts.withLock { $0 }?.retention.feedLoad ?? FeedLoad() }

  func observeCommits(_ handler: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
    parts.withLock { $0 }?.history.observeVersions { _ in handler() }
  }

  /// Whether closing would lose work: a bootstrap under way, or everything when the realm is in memory.
  var hasUnfinishedWork: Bool {
    guard let parts = parts.withLock({ $0 }) else { return false }
    return switch parts.history.file.location {
    case .inMemory: true
    case .file: parts.retention.hasLiveBootstrap
    }
  }

  func close() {
    // Released outside of the lock: closing the file checkpoints its log.
    let closed = parts.withLock { parts in
      defer { parts = nil }
      return parts
    }
    closed?.retention.storeStats()
  }
}
