import ChangesetOT

/// One session of a server connection.
struct ServerSession: Hashable, Sendable {
  enum Stage: Hashable, Sendable {
    /// BIND received; the realm is being opened.
    case opening
    /// The realm is open; a file ident is being allocated.
    case allocating
    /// Waiting for the client's IDENT.
    case bound
    /// IDENT received; the realm is being opened or the client's record looked up.
    case verifying
    /// Data flows.
    case active
    /// An error was sent: only UNBIND counts.
    case failed
  }

  let key: SessionKey
  /// The path field of BIND; in flexible sync there is one realm, whatever it says.
  let path: String
  let needsFileIdent: Bool
  var stage = Stage.opening
  var isRealmOpen = false
  /// The client's IDENT, once received.
  var claim: ClientIdentMessage?
  /// UPLOADs that came before the verdict about IDENT.
  var early: [UploadMessage] = []
  var uploads: UploadVerification?
  /// For each batch that is being integrated, the client version to be acknowledged with a DOWNLOAD; nil for none.
  var integrating: [ClientVersion?] = []
  /// The newest UPLOAD without changesets, while one is being integrated: a later one says all that an earlier one does.
  var heldProgress: UploadBatch?
  /// The weight of uploads that wait for integration.
  var backlog = 0

  // Downloading.
  /// Where the last scan that was sent stopped.
  var cursor = DownloadCursor.zero
  var isScanning = false
  /// There may be something that the last scan did not see.
  var needsScan = false
  /// The first DOWNLOAD goes out even without entries.
  var owesDownload = true
  /// The client version that a DOWNLOAD must acknowledge, even without entries.
  var owedUpload = ClientVersion.zero
  /// How many acknowledgements in a row were left to that of the next upload.
  var deferredAcknowledgements = 0
  /// The client version that the last DOWNLOAD acknowledged.
  var sentUpload = ClientVersion.zero
  /// The client said that it could not integrate a DOWNLOAD: it ignores all that follow.
  var refusedDownload = false
  /// The newest MARK not yet answered.
  var mark: RequestIdent?
  /// The MARK that the running scan answers when it reaches the end.
  var scannedMark: RequestIdent?

  init(key: SessionKey, path: String, needsFileIdent: Bool) {
    self.key = key
    self.path = path
    self.needsFileIdent = needsFileIdent
  }

  var hasIdent: Bool { claim != nil }
}
