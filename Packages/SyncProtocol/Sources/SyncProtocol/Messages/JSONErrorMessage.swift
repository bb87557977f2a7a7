import ChangesetOT

/// JSON_ERROR, server to client: an error with instructions.
public struct JSONErrorMessage: Hashable, Sendable {
  /// The number of the error.
  public var code: ProtocolErrorCode
  /// The session, or ``SessionIdent/connection``.
  public var session: SessionIdent
  /// The JSON body.
  public var details: ErrorDetails

  /// A JSON_ERROR.
  public init(code: ProtocolErrorCode, session: SessionIdent, details: ErrorDetails) {
    self.code = code
    self.session = session
    self.details = details
  }
}

/// The JSON body of an error: six required keys, and some that belong to certain codes.
public struct ErrorDetails: Hashable, Sendable {
  /// Whether the client should try again by itself.
  public var tryAgain: Bool
  /// The fault in words, for people.
  public var message: String
  /// The URL of the server's log; may be empty.
  public var logURL: String
  /// Whether the client file must be reset; for clients before version 7.
  public var shouldClientReset: Bool
  /// Whether the reset may not recover local changes; for clients before version 7.
  public var isRecoveryModeDisabled: Bool
  /// The instruction to the client.
  public var action: ErrorAction
  /// The delays between attempts.
  public var backoff: BackoffAdvice?
  /// With 232: the query for the objects of the partition.
  public var partitionQuery: String?
  /// With 236: the schema version before the change.
  public var previousSchemaVersion: UInt64?
  /// With 231: the undone write.
  public var compensation: CompensatingWrite?
  /// With errors that ask for a reset: the last client version that the server has integrated. Other clients ignore this
  /// key.
  public var integratedClientVersion: ClientVersion?
  /// With errors that ask for a reset: the undone writes of this file that the client has not acknowledged. Other clients
  /// ignore this key.
  public var untold: [CompensatingWrite] = []

  /// Details; by themselves with the instruction to stop and to report.
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

/// The delays between attempts that a server advises.
public struct BackoffAdvice: Hashable, Sendable {
  /// The first delay, in seconds.
  public var interval: UInt64
  /// The longest delay, in seconds.
  public var maximum: UInt64
  /// The factor from each delay to the next.
  public var multiplier: UInt64

  /// An advice.
  public init(interval: UInt64, maximum: UInt64, multiplier: UInt64) {
    self.interval = interval
    self.maximum = maximum
    self.multiplier = multiplier
  }
}

/// Writes that the server undid, and the version that undoes them.
public struct CompensatingWrite: Hashable, Sendable {
  /// One object whose change was undone.
  public struct Rejection: Hashable, Sendable {
    /// The reason, for people.
    public var reason: String
    /// The class of the object.
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
  /// The server version that undoes the writes; the client reports after its integration.
  public var serverVersion: ServerVersion?
  /// The client version whose upload was refused.
  public var rejectedClientVersion: ClientVersion
  /// The affected objects.
  public var rejections: [Rejection]

  /// A compensating write.
  public init(serverVersion: ServerVersion?, rejectedClientVersion: ClientVersion, rejections: [Rejection]) {
    self.serverVersion = serverVersion
    self.rejectedClientVersion = rejectedClientVersion
    self.rejections = rejections
  }
}
