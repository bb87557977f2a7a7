import ChangesetOT

/// JSON_ERROR, server to client: an error with instructions.
public struct JSONErrorMessage: Hashable, Sendable {
  /// The number of the error.
  public var code: ProtocolErrorCode
  /// The session, or ``SessionIdent/connection``.
  public var session: SessionIdent
  /// What the JSON body says.
  public var details: ErrorDetails

  /// A JSON_ERROR.
  public init(code: ProtocolErrorCode, session: SessionIdent, details: ErrorDetails) {
    self.code = code
    self.session = session
    self.details = details
  }
}

/// The JSON body of an error: six keys that are always there, and some that belong to certain codes.
public struct ErrorDetails: Hashable, Sendable {
  /// Whether the client should try again by itself.
  public var tryAgain: Bool
  /// What went wrong, for people.
  public var message: String
  /// Where to read the server's log; may be empty.
  public var logURL: String
  /// Whether the client file must be reset; for clients before version 7.
  public var shouldClientReset: Bool
  /// Whether the reset may not recover local changes; for clients before version 7.
  public var isRecoveryModeDisabled: Bool
  /// What the client must do.
  public var action: ErrorAction
  /// How to wait between attempts.
  public var backoff: BackoffAdvice?
  /// With 232: which objects form the partition.
  public var partitionQuery: String?
  /// With 236: the schema version before the change.
  public var previousSchemaVersion: UInt64?
  /// With 231: what was undone.
  public var compensation: CompensatingWrite?
  /// With errors that ask for a reset: everything that the server has of the client file, up to this version. A key that
  /// other clients do not know and do not look at.
  public var integratedClientVersion: ClientVersion?

  /// Details; by themselves "stop and tell the application".
  public init(
    message: String, action: ErrorAction = .applicationBug, tryAgain: Bool = false, logURL: String = "",
    shouldClientReset: Bool? = nil, isRecoveryModeDisabled: Bool? = nil
  ) {
    self.message = message
    self.action = action
    self.tryAgain = tryAgain
    self.logURL = logURL
    self.shouldClientReset = shouldClientReset ?? (action == .clientReset || action == .clientResetNoRecovery)
    self.isRecoveryModeDisabled = isRecoveryModeDisabled ?? (action == .clientResetNoRecovery)
  }
}

/// How long a client waits between attempts, as told by the server.
public struct BackoffAdvice: Hashable, Sendable {
  /// The first delay, in seconds.
  public var interval: UInt64
  /// The longest delay, in seconds.
  public var maximum: UInt64
  /// What each delay is multiplied by to get the next.
  public var multiplier: UInt64

  /// An advice.
  public init(interval: UInt64, maximum: UInt64, multiplier: UInt64) {
    self.interval = interval
    self.maximum = maximum
    self.multiplier = multiplier
  }
}

/// Writes that the server undid, and where in its history.
public struct CompensatingWrite: Hashable, Sendable {
  /// One object whose change was undone.
  public struct Rejection: Hashable, Sendable {
    /// Why.
    public var reason: String
    /// The class.
    public var className: String
    /// Base64 of the encoded primary key; see the changeset format.
    public var primaryKey: String

    /// A rejection.
    public init(reason: String, className: String, primaryKey: String) {
      self.reason = reason
      self.className = className
      self.primaryKey = primaryKey
    }
  }
  /// The server version that undoes them; the client reports once it has it.
  public var serverVersion: ServerVersion?
  /// The client version whose upload was refused.
  public var rejectedClientVersion: ClientVersion
  /// The objects.
  public var rejections: [Rejection]

  /// A compensating write.
  public init(serverVersion: ServerVersion?, rejectedClientVersion: ClientVersion, rejections: [Rejection]) {
    self.serverVersion = serverVersion
    self.rejectedClientVersion = rejectedClientVersion
    self.rejections = rejections
  }
}
