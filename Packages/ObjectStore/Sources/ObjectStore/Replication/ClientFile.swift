public import ChangesetOT
public import DataModel

/// What a server knows of one client file.
public struct ClientFile: Hashable, Sendable {
  /// What kind of file it is; numbers as in the wire's table of client files.
  public enum Kind: UInt8, Hashable, Sendable {
    case upstream = 0, indirect = 1, regular = 2, subserver = 4, legacy = 5, own = 6
  }

  /// The salt given out with the ident.
  public var salt: Int64
  public var kind: Kind
  /// How far its uploads are integrated. The server half is the base of the kept reciprocal history.
  public var upload: UploadCursor
  /// The client will never again need history at or below this.
  public var lockedServerVersion: ServerVersion
  /// When it last uploaded or began its first download.
  public var lastSeen: OriginTimestamp
  /// Whether it was away for too long: it must start anew.
  public var isExpired: Bool
  /// The version of the state that it was brought up with instead of the past; 0 when it had the past.
  public var bootstrap: ServerVersion

  public init(
    salt: Int64, kind: Kind = .regular, upload: UploadCursor = .zero, lockedServerVersion: ServerVersion = .zero,
    lastSeen: OriginTimestamp, isExpired: Bool = false, bootstrap: ServerVersion = .zero
  ) {
    self.bootstrap = bootstrap
    self.salt = salt
    self.kind = kind
    self.upload = upload
    self.lockedServerVersion = lockedServerVersion
    self.lastSeen = lastSeen
    self.isExpired = isExpired
  }
}

/// What one client uploaded and is to be integrated together.
public struct UploadBatch: Hashable, Sendable {
  /// The client file.
  public var file: FileIdent
  /// The progress pair to be stored with the batch.
  public var progress: UploadCursor
  /// To be stored with the batch.
  public var lockedServerVersion: ServerVersion
  /// In the order of their client versions. Those at or below what is integrated already are skipped.
  public var entries: [UploadEntry]
  /// Whether the entries are taken without effect and undone in the client's file, because its user may only read.
  public var hasNoEffect: Bool

  public init(
    file: FileIdent, progress: UploadCursor, lockedServerVersion: ServerVersion, entries: [UploadEntry],
    hasNoEffect: Bool = false
  ) {
    self.hasNoEffect = hasNoEffect
    self.file = file
    self.progress = progress
    self.lockedServerVersion = lockedServerVersion
    self.entries = entries
  }
}

/// What became of one ``UploadBatch``.
public enum UploadOutcome: Sendable {
  /// Integrated and durable.
  case integrated
  /// Taken without effect, durably; what undoes it is on its way to its author.
  case undone(UndoneUpload)
  /// Left out, with all of its changesets.
  case refused(UploadRefusal)
}

/// Why a batch was left out.
public enum UploadRefusal: Error, Sendable {
  /// A changeset cannot be decoded, merged or applied (212, or 225 for a contradicting schema).
  case badChangeset(BadChangesetError)
  /// An entry names an origin file that was never given out (216).
  case badOriginFile(FileIdent)
  /// The client file was never given out (208).
  case unknownClientFile(FileIdent)
  /// The client was away for too long (222).
  case clientFileExpired(FileIdent)
  /// It changes what the client was brought up with from a state, on a base before that state: there is no history to
  /// merge it with. The client must reset itself, and do its changes again (222).
  case madeBeforeState(ObjectReference)
  /// It was to have no effect, and what it does in the client's file cannot be undone (230).
  case cannotBeUndone(String)
  /// It builds on a version from before this one, through which history is no longer kept (222).
  case historyTrimmed(ServerVersion)
}

/// What a server knows of its own history.
public struct ServerHistoryState: Hashable, Sendable {
  /// The newest version with its salt.
  public var current: SaltedServerVersion
  /// The oldest version from which a download can resume; 0 when nothing is trimmed.
  public var base: ServerVersion
  /// The salt of the version that was asked for; nil when unknown.
  public var saltOfClaim: Int64?

  public init(current: SaltedServerVersion, base: ServerVersion, saltOfClaim: Int64?) {
    self.current = current
    self.base = base
    self.saltOfClaim = saltOfClaim
  }
}

/// A part of the server's history, as scanned for one client.
public struct HistoryScan: Hashable, Sendable {
  /// Whether some of it is for this client alone.
  public var isPrivate = false
  /// What to send, in order.
  public var entries: [DownloadEntry]
  /// Where the scan stopped, skipped entries included; the end of history; the client's stored upload cursor.
  public var progress: SyncProgress
  /// Bytes of changesets after the scan; an estimate.
  public var remainingBytes: Int
  /// Whether the scan reached the end of history as it was when the scan began.
  public var reachedEnd: Bool

  public init(entries: [DownloadEntry], progress: SyncProgress, remainingBytes: Int, reachedEnd: Bool) {
    self.entries = entries
    self.progress = progress
    self.remainingBytes = remainingBytes
    self.reachedEnd = reachedEnd
  }
}
