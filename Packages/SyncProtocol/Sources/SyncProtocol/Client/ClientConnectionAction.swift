import ChangesetOT

extension ClientConnection {
  /// The work of a client connection for its owner, to be performed in order.
  public enum Action: Hashable, Sendable {
    // To the network and the clock.
    /// Open a socket that offers ``ClientConnection/protocolTokens``. No event of an earlier socket may follow.
    case openSocket
    /// Close the socket; no event of it may follow.
    case closeSocket
    /// Send this; ``Event/writable`` when the next may follow.
    case send(ClientMessage)
    /// ``Event/timerEnded(_:)`` after this; replaces a running one of the same name.
    case startTimer(Timer, after: Duration)
    /// Stop the timer.
    case stopTimer(Timer)

    // To the file.
    /// Store the ident in a transaction; answer ``Event/fileIdentStored(_:newest:)``.
    case storeFileIdent(SessionIdent, SaltedFileIdent)
    /// Scan the local history for uploading; answer ``Event/historyScanned(_:_:_:)``.
    case scanHistory(SessionIdent, UploadScanRequest)
    /// Merge and apply; answer ``Event/integrated(_:_:progress:newest:)`` when durable, or ``Event/workFailed(_:_:message:)``.
    /// One at a time for each session. The reports follow as ``report(_:_:)`` once the message is durable: an owner that keeps
    /// them in the same commit can give them to the application even when its process is killed in between.
    case integrate(SessionIdent, WorkIdent, DownloadMessage, reports: [SyncFailure])

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
    /// Report an error to the application.
    case report(SessionIdent, SyncFailure)
    /// The session has ended.
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
    /// A subscription set is in force, and everything that was on the server after its bootstrap is integrated; flexible
    /// sync only. Comes again for the set in force after each start of a session.
    case queryCompleted(SessionIdent, QueryVersion)
    /// A subscription set was refused; flexible sync only.
    case queryRefused(SessionIdent, QueryVersion, message: String)
  }

  /// Whether there is a connection.
  public enum ConnectionState: String, Hashable, Sendable {
    /// No connection.
    case disconnected
    /// The socket is opening.
    case connecting
    /// Messages flow.
    case connected
  }

  /// The state of a session.
  public enum SessionState: Hashable, Sendable {
    /// Waiting for a connection, or for the server's answers.
    case binding
    /// IDENT is sent: data flows.
    case active
    /// Suspended after an error; the session binds again by itself.
    case suspended
    /// Stopped by a fatal error until ``Event/reconnectNow``.
    case failed
    /// Ending.
    case deactivating
  }
}

/// The range of a scan: the local history after `after`, up to about `byteBudget` bytes of changesets.
public struct UploadScanRequest: Hashable, Sendable {
  /// The work, to be named in the answer.
  public var work: WorkIdent
  /// The end of the previous scan.
  public var after: UploadCursor
  /// The bytes of changesets after which the scan stops; it takes at least one changeset.
  public var byteBudget: Int

  /// A request.
  public init(work: WorkIdent, after: UploadCursor, byteBudget: Int) {
    self.work = work
    self.after = after
    self.byteBudget = byteBudget
  }
}

/// The progress of a session.
public struct TransferProgress: Hashable, Sendable {
  /// The cursors as stored in the file.
  public var progress: SyncProgress
  /// The newest version of the file.
  public var newest: ClientVersion
  /// The rest to download, as the server estimates it.
  public var remaining: DownloadRemaining

  /// A progress.
  public init(progress: SyncProgress, newest: ClientVersion, remaining: DownloadRemaining) {
    self.progress = progress
    self.newest = newest
    self.remaining = remaining
  }
}

/// An error for the application.
public struct SyncFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The source of an error.
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

  /// The source of the error.
  public var origin: Origin
  /// The protocol error, if it is one.
  public var code: ProtocolErrorCode?
  /// The fault in words, for people.
  public var message: String
  /// The reaction of the client.
  public var action: ErrorAction
  /// Whether the session stays stopped until the application asks.
  public var isFatal: Bool
  /// With 231: the write that the server undid.
  public var compensation: CompensatingWrite?
  /// With a reset: the last client version that the server has integrated; nil when unknown.
  public var integrated: ClientVersion?
  /// With a reset: the undone writes that the server does not know to be reported.
  public var untold: [CompensatingWrite]

  /// A failure.
  public init(
    origin: Origin, code: ProtocolErrorCode? = nil, message: String, action: ErrorAction = .transient,
    isFatal: Bool = false, compensation: CompensatingWrite? = nil, integrated: ClientVersion? = nil,
    untold: [CompensatingWrite] = []
  ) {
    self.origin = origin
    self.code = code
    self.message = message
    self.action = action
    self.isFatal = isFatal
    self.compensation = compensation
    self.integrated = integrated
    self.untold = untold
  }

  /// The advice for the reader of the error.
  public var remedy: String {
    if let code { return code.remedy }
    return switch origin {
    case .status(403), .closed(.forbidden): "log in again"
    case .status(404): "correct the server's address"
    case .violation: "update the older side, and report it with the log of both sides"
    case .server, .file, .closed, .status, .network:
      isFatal ? "correct the server's address or update the older side" : "nothing: the client tries again"
    }
  }

  /// The code, if any, and the message.
  public var description: String { code.map { "\($0): \(message)" } ?? message }
}
