import ChangesetOT

extension ServerConnection {
  /// Everything that can happen to a server connection.
  public enum Event: Hashable, Sendable {
    // From the network and the clock.
    /// A message arrived. ``ServerConnection/receive(_:)`` takes the bytes.
    case received(ClientMessage)
    /// Bytes arrived that are no message.
    case malformed(MessageDecodingError)
    /// A message arrived that is larger than allowed: the bytes that it begins with, and how many it has.
    /// ``ServerConnection/receive(oversized:byteCount:)`` says what becomes of it.
    case receivedOversized(head: [UInt8], byteCount: Int)
    /// A WebSocket text message arrived, which the protocol does not have.
    case receivedText
    /// The socket is gone.
    case disconnected
    /// So much is buffered for writing that no DOWNLOAD must be added.
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
    case clientFileFound(SessionKey, ClientFileRecord?, ServerHistoryState)
    /// The answer to ``Action/scanHistory(_:_:)``.
    case historyScanned(SessionKey, DownloadScan)
    /// The history of the session's realm grew.
    case historyAdvanced(SessionKey)
    /// The answer to ``Action/integrate(_:_:)``: durable; `bytes` of changesets are no longer queued.
    case uploadIntegrated(SessionKey, bytes: Int)
    /// The session must end: an answer to any action, or by itself (access withdrawn, realm deleted).
    case sessionFailed(SessionKey, SessionFailure)
    /// News that leave the session active: 231 and 236.
    case sessionWarned(SessionKey, SessionFailure)
    /// A subscription set cannot be served; flexible sync only.
    case queryRefused(SessionKey, QueryVersion, message: String)

    // From the server.
    /// The client file is bound on a newer connection: this one is a leftover.
    case displaced(SessionKey)
    /// The access token expired.
    case tokenExpired
    /// The user is not welcome any more: logged out for good.
    case userRefused
    /// The server shuts down.
    case shutDown
  }

  /// What a machine can be waiting for.
  public enum Timer: Hashable, Sendable {
    /// Nothing was heard for long.
    case idle
    /// The client does not close after an error.
    case closing
    /// Clients that could not integrate a download have had time to upload.
    case refusedDownloads
  }
}

/// Names a session for as long as it lives: a client may bind the same ident again, and answers for the earlier one must not
/// reach the later one. Opaque to the owner.
public struct SessionKey: Hashable, Sendable {
  /// The ident on the wire.
  public let ident: SessionIdent
  /// Counts the sessions of this connection.
  public let generation: UInt64
}
