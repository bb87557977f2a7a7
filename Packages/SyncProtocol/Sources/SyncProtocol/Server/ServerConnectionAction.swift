import ChangesetOT

extension ServerConnection {
  /// The work of a server connection for its owner, to be performed in order.
  public enum Action: Hashable, Sendable {
    // To the network and the clock.
    /// Send this.
    case send(ServerMessage)
    /// Start the closing handshake; what was sent before still goes out.
    case close(CloseCode, reason: String)
    /// Read no more messages until ``resumeReading``: too much waits for integration.
    case pauseReading
    /// Read again.
    case resumeReading
    /// ``Event/timerEnded(_:)`` after this; replaces a running one of the same name.
    case startTimer(Timer, after: Duration)

    // To the realms.
    /// Check that the user may read the realm, open or create it. Answer ``Event/realmOpened(_:)``, or
    /// ``Event/sessionFailed(_:_:)`` with 206, 204 or 201.
    case openRealm(SessionKey, BindRequest)
    /// Give out a file ident, durably. Answer ``Event/fileIdentAllocated(_:_:)``.
    case allocateFileIdent(SessionKey)
    /// Look up the record of the client file. Answer ``Event/clientFileFound(_:_:_:)``.
    case findClientFile(SessionKey, ClientIdentMessage)
    /// The session is identified: send it ``Event/historyAdvanced(_:)`` from now on, and send any other connection with this
    /// file ident ``Event/displaced(_:)``.
    case sessionIdentified(SessionKey, FileIdent)
    /// Scan the history for the client. Answer ``Event/historyScanned(_:_:)``; when the wanted set of the view cannot be
    /// served, ``Event/queryRefused(_:_:message:)``.
    case scanHistory(SessionKey, DownloadScanRequest)
    /// Merge, apply, append, and record the progress, durably. Answer ``Event/uploadIntegrated(_:bytes:)``, or
    /// ``Event/sessionFailed(_:_:)`` with 212, 225 or 230. Batches of one session are integrated in order; once one
    /// failed, later ones of the session must not be integrated.
    case integrate(SessionKey, UploadBatch)
    /// The session has ended: cancel its work, release its realm.
    case sessionEnded(SessionKey)

    /// A line for the server's log.
    case log(LogMessage.Level, String)
  }
}

/// The request of a BIND.
public struct BindRequest: Hashable, Sendable {
  /// The path field of BIND, at most 1024 bytes; the owner decides which realm it names.
  public var rawPath: String
  /// The token; empty in modern clients.
  public var token: String
  /// Whether ``ServerConnection/Action/allocateFileIdent(_:)`` follows.
  public var needsFileIdent: Bool
  /// The JSON of a flexible BIND; nil in full sync.
  public var flexible: FlexibleBinding?

  /// A request.
  init(
    rawPath: String, token: String = "", needsFileIdent: Bool, flexible: FlexibleBinding? = nil
  ) {
    self.rawPath = rawPath
    self.token = token
    self.needsFileIdent = needsFileIdent
    self.flexible = flexible
  }
}

/// The range of a scan: the history after `from` for the client `file`, up to about `byteBudget` bytes of changesets.
///
/// Entries of the client itself are skipped and move the client half of the cursor; empty entries are skipped. With a view
/// the scan has a batch. A bootstrap's batches follow each other, each from the cursor of the one before; a bootstrap
/// comes without a change of the set, too, for a client that has nothing yet, and ends above version 0.
public struct DownloadScanRequest: Hashable, Sendable {
  /// The client file, whose own changes are skipped.
  public var file: FileIdent
  /// The end of the previous scan.
  public var from: DownloadCursor
  /// The bytes of changesets after which the scan stops; it takes at least one changeset.
  public var byteBudget: Int
  /// The queries of the client; nil in full sync.
  public var view: ViewRequest?
  /// Whether the scan goes on with a bootstrap of this session. Otherwise one that was not finished is given up; a stock client
  /// may have parts of it, and forgets them when its session is suspended.
  public var continuesBootstrap: Bool
  /// The user of the session, stated by the server that performs the scan; nil when no roles are to be applied.
  public var access: ViewAccess?

  /// A request.
  public init(
    file: FileIdent, from: DownloadCursor, byteBudget: Int, view: ViewRequest? = nil, continuesBootstrap: Bool = false,
    access: ViewAccess? = nil
  ) {
    self.file = file
    self.from = from
    self.byteBudget = byteBudget
    self.view = view
    self.continuesBootstrap = continuesBootstrap
    self.access = access
  }
}
