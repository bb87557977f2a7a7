import ChangesetOT

extension ServerConnection {
  /// Everything that a server connection asks of its owner. To be performed in order.
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
    /// Look up what is known of the client's file. Answer ``Event/clientFileFound(_:_:_:)``.
    case findClientFile(SessionKey, ClientIdentMessage)
    /// The session is identified: tell it ``Event/historyAdvanced(_:)`` from now on, and tell any other connection that has
    /// this file ident bound ``Event/displaced(_:)``. In flexible sync, `query` is the active set.
    case sessionIdentified(SessionKey, FileIdent, query: QuerySet?)
    /// Scan the history for the client. Answer ``Event/historyScanned(_:_:)``.
    case scanHistory(SessionKey, DownloadScanRequest)
    /// Merge, apply, append, and record the progress, durably. Answer ``Event/uploadIntegrated(_:bytes:)``, or
    /// ``Event/sessionFailed(_:_:)`` with 212, 225 or 230. Batches of one session are integrated in order; once one
    /// failed, later ones of the session must not be integrated.
    case integrate(SessionKey, UploadBatch)
    /// A new subscription set; flexible sync only. Scans after this must serve it.
    case changeQuery(SessionKey, QuerySet)
    /// The session is gone: drop its pending work, release its realm.
    case sessionEnded(SessionKey)

    /// A line for the server's log.
    case log(LogMessage.Level, String)
  }
}

/// What a client asks for with BIND.
public struct BindRequest: Hashable, Sendable {
  /// The path field of BIND as it came, at most 1024 bytes. Which realm it names, if any, is the owner's to decide.
  public var rawPath: String
  /// The token; empty in modern clients.
  public var token: String
  /// Whether a file ident will be asked for.
  public var needsFileIdent: Bool
  /// What a flexible BIND says; nil in full sync.
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

/// What to scan: history after `from`, for the client `file`, until about `byteBudget` bytes of changesets are found.
///
/// Entries that the client itself made are skipped and move the client half of the cursor; empty ones are skipped.
public struct DownloadScanRequest: Hashable, Sendable {
  /// Whose changes are skipped.
  public var file: FileIdent
  /// Where the previous scan stopped.
  public var from: DownloadCursor
  /// Stop adding when this many bytes of changesets are collected. At least one changeset is taken.
  public var byteBudget: Int

  /// A request.
  public init(file: FileIdent, from: DownloadCursor, byteBudget: Int) {
    self.file = file
    self.from = from
    self.byteBudget = byteBudget
  }
}
