import ChangesetOT
import RecordStore
import SyncProtocol

/// The realm file of a session. Calls in the file's queue.
struct HistoryFile: SyncedFile {
  let realm: RealmFile
  private var history: ClientHistory { ClientHistory(realm) }
  private let pending: PendingUploadCounter

  /// Whether the file belongs to one session of this process, and needs no lock.
  let isPrivate: Bool

  init(_ realm: RealmFile, isPrivate: Bool = false) {
    self.realm = realm
    pending = PendingUploadCounter(ClientHistory(realm))
    self.isPrivate = isPrivate
  }

  func state() throws -> FileState {
    FileState(
      file: try history.fileIdent(), progress: try history.progress(), newest: try history.newestVersion(),
      pendingUploads: try pendingUploads(), queries: try queries(), reports: try reports())
  }

  func storeFileIdent(_ file: SaltedFileIdent) throws -> ClientVersion { try history.storeFileIdent(file) }

  func scan(_ request: UploadScanRequest) throws -> UploadScan {
    try history.uploadableEntries(after: request.after, byteLimit: request.byteBudget)
  }

  func integrate(_ message: DownloadMessage, reports: [SyncFailure]) throws -> IntegratedBatch {
    let reports = try reports.compactMap { try RefusalReport($0)?.pending() }
    if let batch = message.batch {
      return try history.integrate(message.entries, progress: message.progress, batch: batch, reports: reports)
    }
    let newest = try history.integrate(message.entries, progress: message.progress, reports: reports)
    return IntegratedBatch(newest: newest, progress: message.progress)
  }

  private func reports() throws -> [SyncFailure] {
    try history.pendingReports().map { try RefusalReport(decoding: $0.content).failure }
  }

  func given(_ report: SyncFailure) throws {
    if let report = try RefusalReport(report)?.pending() { try history.reportGiven(report) }
  }

  func pendingUploads() throws -> PendingUploads { try pending.count() }

  func observeCommits(_ handler: @escaping @Sendable (ClientVersion) -> Void) throws -> any Sendable {
    try history.observeCommits(handler)
  }

  var lockPath: String? {
    switch realm.location {
    case .file(let path): isPrivate ? nil : path + ".sync-lock"
    case .inMemory: nil
    }
  }

  var identity: String? {
    switch realm.location {
    case .file: lockPath
    case .inMemory(let name): "memory \(name)"
    }
  }

  /// Ends the file's hold of its session, which holds the file.
  func released(by session: SyncSession) {
    realm.attachments.withLock { attachments in attachments = attachments.filter { $0.value !== session } }
  }

  func code(for error: any Error) -> ProtocolErrorCode {
    error is BadChangesetError ? .badChangeset : .otherSessionError
  }
}

extension SyncClient {
  /// Starts keeping a realm file in step with a realm on a server, or gives the session that does.
  ///
  /// - Parameters:
  ///   - file: must record changesets.
  ///   - target: where the realm is.
  ///   - tokens: where the connection gets its access tokens; the connection is shared, and the first source counts.
  ///
  /// When the server cannot continue the file's history, local changes that it lacks are replayed on its state.
  ///
  /// Safe from any thread; the session starts on the client's loop.
  ///
  /// - Returns: the session; the same one for the same file and target until it is closed.
  @discardableResult
  public func open(_ file: RealmFile, at target: SyncTarget, tokens: any TokenSource) -> SyncSession {
    open(HistoryFile(file), at: target, tokens: tokens)
  }

  /// As ``open(_:at:tokens:)``, with a policy for resets and for waits.
  func open(
    _ file: RealmFile, at target: SyncTarget, tokens: any TokenSource, resets: ResetPolicy, givesUpEarly: Bool
  ) -> SyncSession {
    open(HistoryFile(file), at: target, tokens: tokens, resets: resets, givesUpEarly: givesUpEarly)
  }
}
