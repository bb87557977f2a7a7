import ChangesetOT

extension ClientConnection {
  /// Everything that a client connection asks of its owner. To be performed in order.
  public enum Action: Hashable, Sendable {
    // To the network and the clock.
    /// Open a socket that offers ``ClientConnection/protocolTokens``. Events of earlier sockets must not come any more.
    case openSocket
    /// Close the socket; no event of it must come any more.
    case closeSocket
    /// Send this; ``Event/writable`` when the next may follow.
    case send(ClientMessage)
    /// ``Event/timerEnded(_:)`` after this; replaces a running one of the same name.
    case startTimer(Timer, after: Duration)
    /// Forget the timer.
    case stopTimer(Timer)

    // To the file.
    /// Store the ident in a transaction; answer ``Event/fileIdentStored(_:newest:)``.
    case storeFileIdent(SessionIdent, SaltedFileIdent)
    /// Scan the local history for uploading; answer ``Event/historyScanned(_:_:_:)``.
    case scanHistory(SessionIdent, UploadScanRequest)
    /// Merge and apply; answer ``Event/integrated(_:_:progress:newest:)`` when durable, or ``Event/workFailed(_:_:message:)``.
    /// One at a time for each session.
    case integrate(SessionIdent, WorkIdent, DownloadMessage)

    // To the application.
    /// The connection is in another state.
    case connectionChanged(ConnectionState)
    /// The session is in another state.
    case sessionChanged(SessionIdent, SessionState)
    /// The cursors or the remaining bytes moved.
    case progressed(SessionIdent, TransferProgress)
    /// Everything committed when the wait began is acknowledged.
    case uploadsCompleted(SessionIdent, WaitIdent)
    /// Everything that was on the server when the wait began is integrated.
    case downloadsCompleted(SessionIdent, WaitIdent)
    /// Something for the error handler.
    case report(SessionIdent, SyncFailure)
    /// The session is gone.
    case deactivated(SessionIdent)
    /// A line from the server's log.
    case log(LogMessage)
    /// Get a new access token, then ``Event/reconnectNow``.
    case refreshAccessToken
    /// Ask where the server is, then ``Event/reconnectNow``.
    case refreshLocation
    /// The server refuses the user: log out.
    case logOut
    /// The file must be reset, because of this.
    case resetClient(SessionIdent, SyncFailure)
    /// The local file is to be deleted when it is opened next.
    case deleteRealm(SessionIdent)
    /// A subscription set was refused; flexible sync only.
    case queryRefused(SessionIdent, QueryVersion, message: String)
  }

  /// Whether there is a connection.
  public enum ConnectionState: String, Hashable, Sendable {
    case disconnected, connecting, connected
  }

  /// How a session stands.
  public enum SessionState: Hashable, Sendable {
    /// Waiting for a connection, or for the server's answers.
    case binding
    /// IDENT is sent: data flows.
    case active
    /// Resting after an error; comes back by itself.
    case suspended
    /// Stopped by a fatal error; comes back when ``Event/reconnectNow`` asks.
    case failed
    /// Ending.
    case deactivating
  }
}

/// What to scan: local history after `after`, until about `byteBudget` bytes of changesets are found.
public struct UploadScanRequest: Hashable, Sendable {
  /// The work, to be given back.
  public var work: WorkIdent
  /// Where the previous scan ended.
  public var after: UploadCursor
  /// Stop adding when this many bytes of changesets are collected. At least one changeset is taken.
  public var byteBudget: Int

  /// A request.
  public init(work: WorkIdent, after: UploadCursor, byteBudget: Int) {
    self.work = work
    self.after = after
    self.byteBudget = byteBudget
  }
}

/// How far a session is.
public struct TransferProgress: Hashable, Sendable {
  /// The cursors as stored in the file.
  public var progress: SyncProgress
  /// The newest version of the file.
  public var newest: ClientVersion
  /// What the server says is left to download.
  public var remaining: DownloadRemaining

  /// A progress.
  public init(progress: SyncProgress, newest: ClientVersion, remaining: DownloadRemaining) {
    self.progress = progress
    self.newest = newest
    self.remaining = remaining
  }
}

/// An error as the application hears of it.
public struct SyncFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Who found it.
  public enum Origin: Hashable, Sendable {
    /// The server sent an error.
    case server
    /// The server broke the protocol.
    case violation
    /// The local file could not do what was asked.
    case file
    /// The connection was closed with this code.
    case closed(CloseCode)
    /// The upgrade was answered with this status.
    case status(Int)
    /// The network.
    case network
  }

  /// Who found it.
  public var origin: Origin
  /// The protocol error, if it is one.
  public var code: ProtocolErrorCode?
  /// What went wrong, for people.
  public var message: String
  /// What the client does about it.
  public var action: ErrorAction
  /// Whether the session stays stopped until the application asks.
  public var isFatal: Bool
  /// With 231: what the server undid.
  public var compensation: CompensatingWrite?
  /// With a reset: everything that the server has of the client file, up to this version; nil when it did not say.
  public var integrated: ClientVersion?

  /// A failure.
  public init(
    origin: Origin, code: ProtocolErrorCode? = nil, message: String, action: ErrorAction = .transient,
    isFatal: Bool = false, compensation: CompensatingWrite? = nil, integrated: ClientVersion? = nil
  ) {
    self.origin = origin
    self.code = code
    self.message = message
    self.action = action
    self.isFatal = isFatal
    self.compensation = compensation
    self.integrated = integrated
  }

  /// What to do about it.
  public var remedy: String {
    if let code { return code.remedy }
    return switch origin {
    case .status(403), .closed(.forbidden): "log in again"
    case .status(404): "correct the server's address"
    case .violation: "update the older side, and report it with the log of both sides"
    default: isFatal ? "correct the server's address or update the older side" : "nothing: the client tries again"
    }
  }

  public var description: String { code.map { "\($0): \(message)" } ?? message }
}
