import ChangesetOT

extension ServerConnection {
  /// The inputs of a server connection.
  public enum Event: Hashable, Sendable {
    // From the network and the clock.
    /// A message arrived. ``ServerConnection/receive(_:)`` takes the bytes.
    case received(ClientMessage)
    /// Bytes arrived that are no message.
    case malformed(MessageDecodingError)
    /// A message above the size limit arrived: its first bytes, and its size; see
    /// ``ServerConnection/receive(oversized:byteCount:)``.
    case receivedOversized(head: [UInt8], byteCount: Int)
    /// A WebSocket text message arrived, which the protocol does not have.
    case receivedText
    /// The socket is closed.
    case disconnected
    /// The write buffer is full: no DOWNLOAD may follow.
    case congested
    /// The buffer is low again.
    case drained
    /// A timer ended.
    case timerEnded(Timer)

    // From the realms.
    /// The answer to ``Action/openRealm(_:_:)``: it is open and the user may read it.
    case realmOpened(SessionKey)
    /// The answer to ``Action/allocateFileIdent(_:)``: durable.
    case fileIdentAllocated(SessionKey, SaltedFileIdent)
    /// The answer to ``Action/findClientFile(_:_:)``; nil when the ident was never given out.
    case clientFileFound(SessionKey, ClientFileRecord?, ServerHistoryState, untold: [CompensatingWrite] = [])
    /// The answer to ``Action/scanHistory(_:_:)``.
    case historyScanned(SessionKey, DownloadScan)
    /// The history of the session's realm grew.
    case historyAdvanced(SessionKey)
    /// The answer to ``Action/integrate(_:_:)``: durable; `bytes` of changesets are no longer queued.
    case uploadIntegrated(SessionKey, bytes: Int)
    /// The session must end: an answer to any action, or by itself (access withdrawn, realm deleted).
    case sessionFailed(SessionKey, SessionFailure)
    /// A warning that leaves the session active: 231 and 236.
    case sessionWarned(SessionKey, SessionFailure)
    /// The answer to ``Action/scanHistory(_:_:)`` when a subscription set cannot be served; flexible sync only.
    case queryRefused(SessionKey, QueryVersion, message: String)

    // From the server.
    /// The client file is bound on a newer connection; this one closes.
    case displaced(SessionKey)
    /// The access token expired.
    case tokenExpired
    /// The user is logged out for good.
    case userRefused
    /// The server shuts down.
    case shutDown
  }

  /// The timers of the machine.
  public enum Timer: Hashable, Sendable {
    /// The connection was silent.
    case idle
    /// The client has not closed after an error.
    case closing
    /// The grace period of clients that could not integrate a download.
    case refusedDownloads
  }
}

/// The identity of one session: a client may bind an ident again, and answers for the earlier session must not reach the
/// later one. Opaque to the owner.
public struct SessionKey: Hashable, Sendable {
  /// The ident on the wire.
  public let ident: SessionIdent
  /// The number of the session among all of the connection.
  public let generation: UInt64
}
