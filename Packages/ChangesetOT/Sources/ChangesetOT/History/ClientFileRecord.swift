/// The server's record of one client file.
public struct ClientFileRecord: Hashable, Sendable {
  /// The kinds of client files; the numbers up to 6 are those of the wire's table of client files.
  public enum Kind: UInt8, Hashable, Sendable {
    case upstream = 0, indirect = 1, regular = 2, subserver = 4, legacy = 5, own = 6
    /// A consumer of the realm's commits in the server's process, which writes under the ident. Its cursor holds history, and
    /// not its file, which is expired from the start.
    case consumer = 7
  }

  /// The salt given out with the ident; 0 is never valid.
  public var salt: Int64
  /// The kind of the file; only regular files take part in sync.
  public var kind: Kind
  /// The last integrated upload of the file. The server half is the base of the kept reciprocal history.
  public var upload: UploadCursor
  /// The client never again needs history at or below this version.
  public var lockedServerVersion: ServerVersion
  /// When the client last uploaded or began its first download.
  public var lastSeen: OriginTimestamp
  /// Whether the client was away for too long and must start anew.
  public var isExpired: Bool
  /// The version of the state that the client was brought up with instead of the past; 0 when it had the past.
  public var bootstrap: ServerVersion
  /// The versions that the client is sent in a shorter form, which both sides merge with; nil for none. They count until the
  /// client has acknowledged the last of them.
  public var compacted: ClosedRange<ServerVersion>?
  /// Whether that state is still at hand, so that a client with a part of it can get the rest. Not stored: the server that
  /// holds the state fills it in.
  public var canResumeBootstrap: Bool

  /// A record; by default of a regular file that has uploaded nothing yet.
  public init(
    salt: Int64, kind: Kind = .regular, upload: UploadCursor = .zero, lockedServerVersion: ServerVersion = .zero,
    lastSeen: OriginTimestamp = OriginTimestamp(0), isExpired: Bool = false, bootstrap: ServerVersion = .zero,
    compacted: ClosedRange<ServerVersion>? = nil, canResumeBootstrap: Bool = false
  ) {
    self.salt = salt
    self.kind = kind
    self.upload = upload
    self.lockedServerVersion = lockedServerVersion
    self.lastSeen = lastSeen
    self.isExpired = isExpired
    self.bootstrap = bootstrap
    self.compacted = compacted
    self.canResumeBootstrap = canResumeBootstrap
  }

  /// The versions that the client does not have, or has not acknowledged, and gets in a shorter form; nil for none.
  public var pendingCompaction: ClosedRange<ServerVersion>? {
    compacted.flatMap { $0.upperBound > upload.server ? $0 : nil }
  }
}
