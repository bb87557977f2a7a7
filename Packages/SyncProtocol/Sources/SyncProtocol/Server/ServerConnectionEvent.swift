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

/// What the server knows of a client file.
public struct ClientFileRecord: Hashable, Sendable {
  /// What kind of file it is.
  public enum Kind: UInt8, Hashable, Sendable {
    case upstream = 0, indirect = 1, regular = 2, subserver = 4, legacy = 5, own = 6
  }
  /// The salt given out with the ident; 0 is never valid.
  public var salt: Int64
  /// What kind of file it is.
  public var kind: Kind
  /// How far its uploads are integrated. The server half is the base of the kept reciprocal history.
  public var upload: UploadCursor
  /// The client will never again need history at or below this.
  public var lockedServerVersion: ServerVersion
  /// Whether it was away for too long.
  public var isExpired: Bool
  /// The version of the state that it was brought up with instead of the past; 0 for none.
  public var bootstrap: ServerVersion
  /// Whether that state is still at hand, so that a client that has a part of it can get the rest.
  public var canResumeBootstrap: Bool

  /// A record.
  public init(
    salt: Int64, kind: Kind = .regular, upload: UploadCursor = .zero, lockedServerVersion: ServerVersion = .zero,
    isExpired: Bool = false, bootstrap: ServerVersion = .zero, canResumeBootstrap: Bool = false
  ) {
    self.bootstrap = bootstrap
    self.canResumeBootstrap = canResumeBootstrap
    self.salt = salt
    self.kind = kind
    self.upload = upload
    self.lockedServerVersion = lockedServerVersion
    self.isExpired = isExpired
  }
}

/// What the server knows of its own history when a client identifies itself.
public struct ServerHistoryState: Hashable, Sendable {
  /// The newest version with its salt.
  public var current: SaltedServerVersion
  /// The oldest version from which a download can still resume; 0 when nothing is trimmed. Version 0 itself can always be
  /// resumed from when `canBootstrap`.
  public var base: ServerVersion
  /// Whether a client at version 0 can be brought up from the current state.
  public var canBootstrap: Bool
  /// The salt of the version that the client claims as its latest; nil when unknown.
  public var saltOfClaim: Int64?

  /// A state.
  public init(
    current: SaltedServerVersion, base: ServerVersion = .zero, canBootstrap: Bool = true, saltOfClaim: Int64?
  ) {
    self.current = current
    self.base = base
    self.canBootstrap = canBootstrap
    self.saltOfClaim = saltOfClaim
  }
}

/// A part of the server's history, as scanned for one client.
public struct DownloadScan: Hashable, Sendable {
  /// Where the scan stopped, skipped entries included; with the end of history and the client's stored upload cursor.
  public var progress: SyncProgress
  /// What is left after the scan.
  public var remaining: DownloadRemaining
  /// Whether the scan reached the end of history as it was when the scan began (and, in flexible sync, every bootstrap is out).
  public var reachedEnd: Bool
  /// The batch; in flexible sync only.
  public var batch: DownloadBatch?
  /// The changesets.
  public var entries: [DownloadEntry]
  /// Whether the entries were made for this client alone, and say nothing about the history between the cursors.
  public var isPrivate = false

  /// A scan.
  public init(
    progress: SyncProgress, remaining: DownloadRemaining = .bytes(0), reachedEnd: Bool,
    batch: DownloadBatch? = nil, entries: [DownloadEntry]
  ) {
    self.progress = progress
    self.remaining = remaining
    self.reachedEnd = reachedEnd
    self.batch = batch
    self.entries = entries
  }
}
