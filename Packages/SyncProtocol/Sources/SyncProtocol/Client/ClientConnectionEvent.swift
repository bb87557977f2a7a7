import ChangesetOT

extension ClientConnection {
  /// The inputs of a client connection.
  public enum Event: Hashable, Sendable {
    // From the application.
    /// A session is wanted. Its ident must never have been used in this machine.
    case activate(SessionIdent, SessionSetup)
    /// A session is no longer wanted; ends in ``Action/deactivated(_:)``.
    case deactivate(SessionIdent)
    /// The request for ``Action/uploadsCompleted(_:_:)`` when everything committed so far is acknowledged.
    case waitForUploads(SessionIdent, WaitIdent)
    /// The request for ``Action/downloadsCompleted(_:_:)`` when everything on the server now is integrated.
    case waitForDownloads(SessionIdent, WaitIdent)
    /// A new subscription set, made at the snapshot `after`; flexible sync only.
    case changeQuery(SessionIdent, QuerySet, after: ClientVersion)
    /// Try now: end every wait, resume every suspended session. Also the answer to ``Action/refreshAccessToken``
    /// and ``Action/refreshLocation``.
    case reconnectNow
    /// The network may have changed: PING at once.
    case checkLiveness

    // From the file.
    /// The local history grew to `newest`.
    case localCommit(SessionIdent, newest: ClientVersion)
    /// The file ident is stored, which took a version.
    case fileIdentStored(SessionIdent, newest: ClientVersion)
    /// The answer to ``Action/scanHistory(_:_:)``.
    case historyScanned(SessionIdent, WorkIdent, UploadScan)
    /// The answer to ``Action/integrate(_:_:_:)``: done and durable.
    case integrated(SessionIdent, WorkIdent, progress: SyncProgress, newest: ClientVersion)
    /// The answer to any work that failed: an integration (212 or another session code), or storing, or scanning.
    case workFailed(SessionIdent, ProtocolErrorCode, message: String)

    // From the network and the clock.
    /// The socket is open; with the sub-protocol that the server chose.
    case socketOpened(token: String?)
    /// The server answered the upgrade with another status than 101.
    case socketRefused(status: Int, message: String)
    /// The socket was closed by the closing handshake.
    case socketClosed(code: CloseCode, reason: String)
    /// The socket failed.
    case socketFailed(SocketFailure, message: String)
    /// The last message is written; the next may follow.
    case writable
    /// A message arrived.
    case received(ServerMessage)
    /// A timer ended.
    case timerEnded(Timer)
  }

  /// The failures of a socket without a close frame.
  public enum SocketFailure: Hashable, Sendable {
    /// No address, or no connection.
    case unreachable
    /// TLS or certificate.
    case insecure
    /// The stream ended.
    case lost
    /// The peer broke the rules of HTTP or WebSocket.
    case violation
    /// A message is larger than this side accepts.
    case tooLarge
  }

  /// The timers of the machine.
  public enum Timer: Hashable, Sendable {
    /// The end of the wait before a new attempt.
    case reconnect
    /// Opening takes too long.
    case connectTimeout
    /// Time for a PING.
    case ping
    /// The PONG is late.
    case pongTimeout
    /// The connection had no session for a while.
    case linger
    /// The end of a suspension.
    case resume(SessionIdent)
    /// The end of the time in which no DOWNLOAD is integrated.
    case throttle(SessionIdent)
    /// The end of the time in which changes coalesce for an UPLOAD. The owner need not report commits until the timer stops
    /// or ends: the scan that follows finds them.
    case coalesce(SessionIdent)
  }
}

/// The number of one piece of work of the owner; the answer names it.
public struct WorkIdent: RawRepresentable, Hashable, Sendable {
  /// The number.
  public var rawValue: UInt64
  /// The work with this number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of one wait of the application. The owner chooses it and holds the continuation.
public struct WaitIdent: RawRepresentable, Hashable, Sendable {
  /// The number.
  public var rawValue: UInt64
  /// The wait with this number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The parameters of a session.
public struct SessionSetup: Hashable, Sendable {
  /// The path field of BIND: the virtual path, the partition value as JSON, or ``FlexibleBinding/path``.
  public var path: String
  /// The token for BIND; empty when it is in the URL.
  public var token: String
  /// The file ident; none before the first session.
  public var file: SaltedFileIdent
  /// The progress stored in the file.
  public var progress: SyncProgress
  /// The newest version of the file.
  public var newest: ClientVersion
  /// Whether local changes are uploaded; false for the fresh file of a client reset.
  public var uploads: Bool
  /// The active subscription set; in flexible sync only.
  public var query: QuerySet?

  /// A setup.
  public init(
    path: String, token: String = "", file: SaltedFileIdent = .none, progress: SyncProgress = SyncProgress(),
    newest: ClientVersion, uploads: Bool = true, query: QuerySet? = nil
  ) {
    self.path = path
    self.token = token
    self.file = file
    self.progress = progress
    self.newest = newest
    self.uploads = uploads
    self.query = query
  }
}
