import ChangesetOT

/// One session of a server connection.
struct ServerSession: Hashable, Sendable {
  enum Stage: Hashable, Sendable {
    /// BIND received; the realm is being opened. A client that knows its ident may send IDENT meanwhile.
    case opening(Claim?)
    /// The realm is open; a file ident is being allocated.
    case allocating
    /// The realm is open; IDENT is awaited.
    case bound
    /// IDENT received and the realm open; the record of the client file is being looked up.
    case verifying(Claim)
    /// Data flows.
    case active(ActiveSession)
    /// An error was sent: only UNBIND is read.
    case failed
  }

  /// IDENT, and the messages that follow it before it is verified.
  struct Claim: Hashable, Sendable {
    /// A message whose turn comes when IDENT is verified.
    enum Message: Hashable, Sendable {
      case upload(UploadMessage)
      case query(QuerySet)
    }

    let ident: ClientIdentMessage
    /// UPLOADs and QUERYs in the order of their arrival.
    var messages: [Message] = []
    /// The newest MARK.
    var mark: RequestIdent?
  }

  let key: SessionKey
  /// The path field of BIND; empty in flexible sync, where every session has the same realm.
  let path: String
  let needsFileIdent: Bool
  var stage: Stage
  /// The weight of uploads that wait for integration.
  var backlog = 0
  /// Whether the client could not integrate a DOWNLOAD: it ignores all that follow.
  var refusedDownload = false

  /// A session after BIND.
  init(key: SessionKey, path: String, needsFileIdent: Bool) {
    self.key = key
    self.path = path
    self.needsFileIdent = needsFileIdent
    stage = .opening(nil)
  }

  /// A session that ended with an error: its ident stays in use until UNBIND.
  static func failed(_ session: ServerSession) -> ServerSession {
    var failed = ServerSession(key: session.key, path: session.path, needsFileIdent: session.needsFileIdent)
    failed.stage = .failed
    return failed
  }

  /// The ident of the client file; nil before IDENT and after an error.
  var file: FileIdent? {
    switch stage {
    case .opening(let claim): claim?.ident.file.ident
    case .verifying(let claim): claim.ident.file.ident
    case .active(let active): active.file
    case .allocating, .bound, .failed: nil
    }
  }

  /// The active session; nil in every other stage.
  var active: ActiveSession? { if case .active(let active) = stage { active } else { nil } }

  var hasFailed: Bool { stage == .failed }

  /// Changes the claim; does nothing in stages without one.
  mutating func updateClaim(_ change: (inout Claim) -> Void) {
    switch stage {
    case .opening(var claim?):
      // The only reference must be the one that is changed, else the array is copied.
      stage = .failed
      change(&claim)
      stage = .opening(claim)
    case .verifying(var claim):
      stage = .failed
      change(&claim)
      stage = .verifying(claim)
    case .opening(nil), .allocating, .bound, .active, .failed: break
    }
  }

  /// Changes the active session; does nothing in other stages.
  mutating func updateActive(_ change: (inout ActiveSession) -> Void) {
    guard case .active(var active) = stage else { return }
    stage = .failed
    change(&active)
    stage = .active(active)
  }
}

/// The data flow of an identified session.
struct ActiveSession: Hashable, Sendable {
  /// The scan of the history for the next DOWNLOAD, one at a time.
  enum Scan: Hashable, Sendable {
    case none
    /// The scan answers this MARK when it reaches the end of the history.
    case running(answering: RequestIdent?)
  }

  // Uploading.
  var uploads: UploadVerification
  /// For each batch being integrated, the client version that a DOWNLOAD must acknowledge; nil for none.
  var integrating: [ClientVersion?] = []
  /// The newest UPLOAD without changesets, held while another one is integrated: a later one replaces an earlier one.
  var heldProgress: UploadBatch?

  // Downloading.
  /// The end of the last scan that was sent.
  var cursor: DownloadCursor
  var scan = Scan.none
  /// Whether the history may have grown since the last scan.
  var needsScan = false
  /// Whether the first DOWNLOAD is due, which is sent even without entries.
  var owesDownload = true
  /// The client version that a DOWNLOAD must acknowledge, even without entries.
  var owedUpload = ClientVersion.zero
  /// The client version that the last DOWNLOAD acknowledged.
  var sentUpload = ClientVersion.zero
  /// The number of consecutive acknowledgements that were left to the next upload.
  var deferredAcknowledgements = 0
  /// The newest unanswered MARK.
  var mark: RequestIdent?
  /// The subscription sets; nil in full sync.
  var queries: SessionQueries?

  /// A session whose IDENT is verified.
  init(_ claim: ServerSession.Claim, record: ClientFileRecord) {
    uploads = UploadVerification(file: claim.ident.file.ident, record: record, resumed: claim.ident.download)
    cursor = claim.ident.download
    mark = claim.mark
    queries = claim.ident.query.map { SessionQueries(held: $0) }
  }

  /// The ident of the client file.
  var file: FileIdent { uploads.file }

  /// Whether a scan that begins now may answer MARK.
  var answersMark: Bool { queries?.isSettled ?? true }

  /// Whether an upload is being integrated or a scan is under way.
  var isBusy: Bool { !integrating.isEmpty || scan != .none }
}
