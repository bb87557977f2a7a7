import ChangesetOT

/// One session of a client connection.
struct ClientSession: Hashable, Sendable {
  /// How far the conversation about this session is, on the present connection.
  enum Stage: Hashable, Sendable {
    /// BIND is not sent.
    case unbound
    /// BIND asked for a file ident; waiting for it.
    case awaitingIdent
    /// The file ident came and is being stored.
    case storingIdent
    /// BIND is sent and the ident known; IDENT is not sent.
    case bound
    /// IDENT is sent.
    case active
  }

  /// Whether the session may take part at all.
  enum Rest: Hashable, Sendable {
    case none
    /// Until the resume timer ends.
    case suspended
    /// Until the application asks.
    case failed
    /// Until the owner has dealt with it and activates another session.
    case awaitingOwner
  }

  /// What arrived and waits for its turn at the file.
  enum Arrival: Hashable, Sendable {
    case download(DownloadMessage)
    case mark(RequestIdent)

    var isDownload: Bool { if case .download = self { true } else { false } }

    /// Bytes of changesets.
    var bytes: Int {
      guard case .download(let message) = self else { return 0 }
      return message.entries.reduce(0) { $0 + $1.changeset.count }
    }
  }

  struct Wait<Target: Hashable & Sendable>: Hashable, Sendable {
    var ident: WaitIdent
    var target: Target
  }

  let path: String
  let token: String
  let allowsUploads: Bool

  var stage = Stage.unbound
  var rest = Rest.none
  var state: ClientConnection.SessionState?
  var isDeactivating = false
  var errorReceived = false
  var unbindSent = false
  /// The rest is over, but UNBIND must go out before the next BIND.
  var resumesAfterUnbind = false
  var backoff: Backoff

  // The file.
  var file: SaltedFileIdent
  /// Received from the server, being stored.
  var storing: SaltedFileIdent?
  /// Stored in the file.
  var progress: SyncProgress
  /// Of the last DOWNLOAD received.
  var received: SyncProgress
  var newest: ClientVersion
  var remaining = DownloadRemaining.bytes(0)

  // Downloading.
  private(set) var arrivals: [Arrival] = []
  /// Bytes of changesets in ``arrivals``.
  private(set) var arrivedBytes = 0
  var integration: WorkIdent?
  var throttle = IntegrationThrottle()
  /// Integration failed: DOWNLOADs are ignored until the session restarts.
  var isBroken = false
  var clientError: ClientErrorMessage?
  var markSent = RequestIdent(0)
  var markReceived = RequestIdent(0)
  var markWanted = RequestIdent(1)
  var hasCompletedDownload = false
  var compensations: [SyncFailure] = []

  // Uploading.
  /// Uploads wait for the first MARK reply.
  var uploadsHeld = true
  var scanned: UploadCursor
  var scan: WorkIdent?
  /// Where the running scan began.
  var scanFrom = UploadCursor.zero
  /// The file had nothing to scan up to here.
  var emptyUpTo = ClientVersion.zero
  var upload: UploadMessage?
  /// The newest changeset sent on this connection.
  var lastSelected = ClientVersion.zero
  var coalescing = UploadCoalescing()

  // Waiting applications.
  var uploadWaits: [Wait<ClientVersion>] = []
  var downloadWaits: [Wait<RequestIdent>] = []

  // Flexible sync.
  var activeQuery: QuerySet?
  var pendingQueries: [PendingQuery] = []

  struct PendingQuery: Hashable, Sendable {
    var query: QuerySet
    var after: ClientVersion
    var isSent = false
  }

  init(_ setup: SessionSetup, backoff: BackoffPolicy) {
    path = setup.path
    token = setup.token
    allowsUploads = setup.uploads
    file = setup.file
    progress = setup.progress
    received = setup.progress
    newest = setup.newest
    scanned = setup.progress.upload
    activeQuery = setup.query
    self.backoff = Backoff(backoff)
  }

  /// Whether BIND is sent on this connection.
  var isBound: Bool { stage != .unbound }

  /// Whether everything up to `target` is acknowledged.
  func hasUploaded(_ target: ClientVersion) -> Bool {
    // Version 1 is the empty file: nothing is there yet.
    target.rawValue <= 1
      || (max(scanned.client, emptyUpTo) >= target && upload == nil && progress.upload.client >= lastSelected)
      || progress.upload.client >= target
  }

  mutating func arrived(_ arrival: Arrival) {
    arrivals.append(arrival)
    arrivedBytes += arrival.bytes
  }

  /// Bytes of changesets up to which DOWNLOADs are integrated together: the application's writes wait meanwhile.
  static let integrationBytes = 256 << 10

  /// What arrived first. DOWNLOADs that follow each other are taken as one, so that what came while the file was busy costs
  /// one commit.
  mutating func takeArrival() -> Arrival? {
    guard let first = arrivals.first else { return nil }
    var count = 1
    var taken = first
    var bytes = first.bytes
    if case .download(var message) = first, message.batch == nil {
      for case .download(let next) in arrivals[1...].prefix(while: \.isDownload) where next.batch == nil {
        let size = Arrival.download(next).bytes
        guard bytes + size <= Self.integrationBytes else { break }
        message.append(next)
        bytes += size
        count += 1
      }
      taken = .download(message)
    }
    arrivals.removeFirst(count)
    arrivedBytes -= bytes
    return taken
  }

  /// Until when changes coalesce: for no time while somebody waits for them, and for less when the last ones are acknowledged.
  var coalescingEnd: Duration {
    guard uploadWaits.isEmpty else { return .zero }
    return lastSelected > received.upload.client ? max(coalescing.end, coalescing.streamEnd) : coalescing.streamEnd
  }

  /// Whether what arrived may wait until the pause is over: nobody waits for it, and it is not much.
  var mayThrottle: Bool {
    uploadWaits.isEmpty && downloadWaits.isEmpty && !arrivals.isEmpty && arrivals.allSatisfy(\.isDownload)
      && arrivedBytes < Self.integrationBytes
  }

  mutating func dropArrivals() {
    arrivals = []
    arrivedBytes = 0
  }

  /// Back to before BIND, as after the loss of the connection or at the end of a rest.
  mutating func startOver(holdsUploads: Bool) {
    stage = .unbound
    errorReceived = false
    unbindSent = false
    resumesAfterUnbind = false
    dropArrivals()
    throttle = IntegrationThrottle()
    isBroken = false
    clientError = nil
    received = progress
    uploadsHeld = holdsUploads
    scanned = progress.upload
    scan = nil
    emptyUpTo = .zero
    upload = nil
    lastSelected = .zero
    coalescing = UploadCoalescing()
    markWanted = RequestIdent(markSent.rawValue + 1)
    for index in pendingQueries.indices { pendingQueries[index].isSent = false }
  }
}
