import ChangesetOT

/// One session of a client connection.
struct ClientSession: Hashable, Sendable {
  /// A wait of the application until a version or a request is reached.
  struct Wait<Target: Hashable & Sendable>: Hashable, Sendable {
    var ident: WaitIdent
    var target: Target
  }

  /// The numbers of MARKs; a request is due while `wanted` is beyond `sent`.
  struct Marks: Hashable, Sendable {
    var wanted = RequestIdent(1)
    var sent = RequestIdent(0)
    var received = RequestIdent(0)

    /// Asks for a MARK after all that were sent.
    mutating func want() { wanted = RequestIdent(sent.rawValue + 1) }
  }

  /// A subscription set that is not active yet.
  struct PendingQuery: Hashable, Sendable {
    var query: QuerySet
    /// The snapshot with which the set was made.
    var after: ClientVersion
    var isSent = false
  }

  // Given by the application.
  let path: String
  let token: String
  let allowsUploads: Bool

  // The exchange.
  var stage = Stage.unbound
  var availability = Availability.running
  /// Whether the application has ended the session: UNBIND is due or sent.
  var isDeactivating = false
  /// The state that the application knows; nil before the first report.
  var state: ClientConnection.SessionState?
  var backoff: Backoff

  // The file.
  var file: FileIdentity
  /// The progress stored in the file.
  var progress: SyncProgress
  /// The newest version of the file.
  var newest: ClientVersion

  // Downloading.
  /// The progress of the last DOWNLOAD received.
  var received: SyncProgress
  /// The rest to download, as the server last stated it.
  var remaining = DownloadRemaining.bytes(0)
  var downloads = DownloadIntake.empty
  /// The running integration.
  var integration: WorkIdent?
  /// The batch of the running integration; nil in full sync.
  var integratingBatch: DownloadBatch?
  var throttle = IntegrationThrottle()
  var marks = Marks()
  /// Whether a MARK was ever answered: a fast reconnect then does not hold uploads again.
  var hasCompletedDownload = false
  /// Compensating writes that are reported once they are integrated.
  var compensations: [SyncFailure] = []

  var uploads: UploadProgress

  // Waits of the application.
  var uploadWaits: [Wait<ClientVersion>] = []
  var downloadWaits: [Wait<RequestIdent>] = []

  // Flexible sync.
  var activeQuery: QuerySet?
  var pendingQueries: [PendingQuery] = []
  /// The set in force that is complete with the next answer to MARK.
  var markedQuery: QueryVersion?

  init(_ setup: SessionSetup, backoff: BackoffPolicy) {
    path = setup.path
    token = setup.token
    allowsUploads = setup.uploads
    file = setup.file.ident == .none ? .unknown : .known(setup.file)
    progress = setup.progress
    received = setup.progress
    newest = setup.newest
    uploads = UploadProgress(from: setup.progress.upload, isHeld: true)
    activeQuery = setup.query
    markedQuery = setup.query?.version
    self.backoff = Backoff(backoff)
  }

  /// Whether everything up to `target` is acknowledged.
  func hasUploaded(_ target: ClientVersion) -> Bool {
    // Version 1 is the empty file: there is nothing to upload.
    target.rawValue <= 1
      || (max(uploads.scanned.client, uploads.emptyUpTo) >= target && !uploads.isReady
        && progress.upload.client >= uploads.lastSent)
      || progress.upload.client >= target
  }

  /// The end of the time in which changes coalesce: at once while the application waits for uploads, and earlier when the
  /// last UPLOAD is acknowledged.
  var coalescingEnd: Duration {
    guard uploadWaits.isEmpty else { return .zero }
    let coalescing = uploads.coalescing
    return uploads.lastSent > received.upload.client
      ? max(coalescing.end, coalescing.streamEnd) : coalescing.streamEnd
  }

  /// The version behind which nothing is uploaded before QUERY is sent: a write is judged by the set under which it was made.
  var uploadLimit: ClientVersion? { allowsUploads ? pendingQueries.first { !$0.isSent }?.after : nil }

  /// Whether the next integration may be delayed: the application waits for nothing, and little has arrived.
  var mayThrottle: Bool { uploadWaits.isEmpty && downloadWaits.isEmpty && downloads.queue.mayWait }

  /// The compensating writes that are reported once `message` is integrated. A message that is only kept, for the end of a
  /// bootstrap, makes none due.
  func compensations(dueWith message: DownloadMessage) -> [SyncFailure] {
    guard message.batch?.state != .moreToCome else { return [] }
    return compensations.filter { $0.isDue(at: message.progress.download.server) }
  }

  /// Returns to the stage before BIND, after the loss of the connection or at the end of a suspension.
  mutating func startOver(holdsUploads: Bool) {
    stage = .unbound
    downloads = .empty
    throttle = IntegrationThrottle()
    received = progress
    uploads = UploadProgress(from: progress.upload, isHeld: holdsUploads)
    marks.want()
    for index in pendingQueries.indices { pendingQueries[index].isSent = false }
  }
}

extension SyncFailure {
  /// Whether a file that has integrated up to `version` has what a compensating write undid.
  func isDue(at version: ServerVersion) -> Bool { (compensation?.serverVersion ?? .zero) <= version }
}
