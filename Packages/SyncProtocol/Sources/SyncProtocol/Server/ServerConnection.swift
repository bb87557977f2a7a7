import ChangesetOT

/// The server's half of one connection with all its sessions, as a value. It performs nothing: an event goes in, actions come out.
///
///     var server = ServerConnection(dialect: Dialect(.full, ProtocolVersion(14)))
///     server.receive(Array("ping 51234 0\n".utf8))     // [.send(.pong(PongMessage(timestamp: 51234)))]
///
/// The owner performs the actions in order and feeds back what comes of them. The machine never traps on anything a peer sends:
/// it answers with an error of the table, and closes where the protocol says so. It never sends what kills a stock client.
public struct ServerConnection: Sendable {
  /// What both sides speak.
  public let dialect: Dialect
  /// Budgets and times.
  public var settings: Settings
  /// Names the connection in the logs of both sides; not empty.
  public let correlation: String

  /// Budgets and times of a server connection.
  public struct Settings: Hashable, Sendable {
    /// How much a client may claim.
    public var limits = MessageLimits()
    /// Changeset bytes after which a DOWNLOAD is sent.
    public var downloadBudget = 16 << 20
    /// The weight of uploads waiting for integration (``UploadBatch/weight``) at which reading pauses. It resumes at half.
    public var uploadBacklog = 16 << 20
    /// The weight of uploads waiting for integration at which a session that uploads more is told to come back later, for
    /// owners that cannot pause. An upload of a session for which nothing waits is always taken, whatever its size.
    public var uploadBacklogLimit = 128 << 20
    /// How many uploads of a session in a row may be acknowledged with the one after them, while that is being integrated.
    public var deferredAcknowledgements = 15
    /// Sessions at a time.
    public var maximumSessions = 1_000
    /// A connection that says nothing for this long is closed.
    public var idleTimeout: Duration = .seconds(1_800)
    /// How long a client may take to close after an error.
    public var closeTimeout: Duration = .seconds(10)
    /// How long a client that could not integrate a download may go on uploading before it is told to reset.
    public var refusedDownloadGrace: Duration = .seconds(10)

    /// The values above.
    public init() {}
  }

  /// A connection just opened. Perform ``start()`` first.
  public init(dialect: Dialect, correlation: String = "-", settings: Settings = Settings()) {
    self.dialect = dialect
    self.correlation = correlation
    self.settings = settings
  }

  // MARK: State

  enum Phase: Hashable, Sendable {
    case open
    /// An error was sent: nothing is heard any more, the socket closes.
    case closing
    case closed
  }

  /// A client file of a realm.
  struct BoundFile: Hashable, Sendable {
    var path: String
    var file: FileIdent
  }

  var phase = Phase.open
  var sessions: [SessionIdent: ServerSession] = [:]
  /// Which session has bound which client file of which realm.
  var boundFiles: [BoundFile: SessionKey] = [:]
  var generation: UInt64 = 0
  var backlog = 0
  var isPaused = false
  var isCongested = false
  var heardSinceIdleCheck = false
  /// What this event asks of the owner.
  var actions: [Action] = []
}
