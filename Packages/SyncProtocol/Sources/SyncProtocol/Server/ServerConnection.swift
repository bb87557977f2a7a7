import ChangesetOT

/// The server side of one connection with all its sessions, as a pure state machine: an event in, actions out.
///
///     var server = ServerConnection(dialect: Dialect(.full, ProtocolVersion(14)))
///     server.receive(Array("ping 51234 0\n".utf8))     // [.send(.pong(PongMessage(timestamp: 51234)))]
///
/// The owner performs the actions in order and hands their results back as events. Guarantee: no message of a peer makes the
/// machine trap; illegal ones are answered with an error. No message that the machine sends terminates a stock client. A
/// value: used by one thread at a time.
public struct ServerConnection: Sendable {
  /// The dialect of the connection.
  public let dialect: Dialect
  /// Budgets and times.
  public var settings: Settings
  /// The name of the connection in the logs of both sides; not empty.
  public let correlation: String

  /// Budgets and times of a server connection.
  public struct Settings: Hashable, Sendable {
    /// The limits of messages of the client.
    public var limits = MessageLimits()
    /// Bytes of changesets after which a scan ends and a DOWNLOAD is sent.
    public var downloadBudget = 1 << 20
    /// The weight of uploads waiting for integration (``UploadBatch/weight``) at which reading pauses. It resumes at half.
    public var uploadBacklog = 16 << 20
    /// The weight of uploads waiting for integration at which a session that uploads more fails with 200, for owners that
    /// cannot pause. An upload of a session without waiting uploads is always accepted.
    public var uploadBacklogLimit = 128 << 20
    /// The most consecutive uploads of a session that are acknowledged together with the next one.
    public var deferredAcknowledgements = 15
    /// The most bytes of a subscription set; flexible sync only. A larger one is refused.
    public var queryBytes = 256 << 10
    /// The most bytes of the subscription sets of all sessions; flexible sync only. Sets beyond it are refused.
    public var connectionQueryBytes = 1 << 20
    /// The most sessions at a time.
    public var maximumSessions = 1_000
    /// The silence after which a connection is closed; nil for a connection that others watch.
    public var idleTimeout: Duration? = .seconds(1_800)
    /// The time for a client to close after an error.
    public var closeTimeout: Duration = .seconds(10)
    /// The time for uploads of a client that could not integrate a download, before it is told to reset.
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
    /// An error was sent: messages are ignored until the socket closes.
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
  /// The sessions by bound client file.
  var boundFiles: [BoundFile: SessionKey] = [:]
  /// The number of sessions so far.
  var generation: UInt64 = 0
  /// The weight of uploads that wait for integration.
  var backlog = 0
  var isPaused = false
  var isCongested = false
  var heardSinceIdleCheck = false
  /// The actions of the present event.
  var actions: [Action] = []
}
