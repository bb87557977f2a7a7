import ChangesetOT

/// The client's half of one connection with all its sessions, as a value. It performs nothing: an event goes in, actions come out.
///
///     var client = ClientConnection(seed: 1)
///     client.handle(.activate(SessionIdent(1), SessionSetup(path: "/alice/notes", newest: ClientVersion(2))), at: .zero)
///     // [.sessionChanged(1, .binding), .connectionChanged(.connecting), .openSocket, …]
///
/// The owner performs the actions in order and feeds back what comes of them. It may be any class with a lock, an actor, or a
/// test: actions hold identifiers only. The machine never traps on anything the peer sends; it closes the connection instead.
public struct ClientConnection: Sendable {
  /// Full or flexible sync.
  public let flavour: SyncFlavour
  /// The versions offered.
  public let versions: ClosedRange<ProtocolVersion>
  /// How long things take.
  public var timing: SyncTiming
  /// How much the server may claim.
  public var limits: MessageLimits
  /// Changeset bytes after which an UPLOAD is sent.
  public var uploadBudget = 128 << 10

  /// A connection without sessions. `seed` starts its randomness.
  public init(
    flavour: SyncFlavour = .full, versions: ClosedRange<ProtocolVersion> = ProtocolVersion.supported,
    timing: SyncTiming = .stock, limits: MessageLimits = .ofDownloads, seed: UInt64
  ) {
    self.flavour = flavour
    self.versions = versions
    self.timing = timing
    self.limits = limits
    random = MachineRandom(seed: seed)
    backoff = Backoff(timing.backoff)
  }

  /// What the upgrade request offers, best first.
  public var protocolTokens: [String] { SubprotocolOffer.tokens(for: flavour, versions: versions) }

  // MARK: State

  enum SocketState: Hashable, Sendable {
    /// Nobody needs a connection, or it rests until ``Event/reconnectNow``.
    case idle
    /// Waiting for the reconnect timer.
    case waiting
    /// The socket is opening.
    case opening
    /// Messages flow.
    case open(Dialect)
  }

  var socket = SocketState.idle
  var sessions: [SessionIdent: ClientSession] = [:]
  /// Sessions with something to send, in the order in which they get their turn.
  var sendQueue: [SessionIdent] = []
  /// The highest ident ever used; messages for older ones are late, not wrong.
  var highestIdent = SessionIdent(0)
  var isWriting = false
  /// When the socket began to open.
  var openingSince: Duration = .zero
  var backoff: Backoff
  var random: MachineRandom
  var heartbeat = Heartbeat()
  var lastLoss: Duration?
  var work: UInt64 = 0
  /// Asked for a token or a location, and waiting for ``Event/reconnectNow``.
  var isWaitingForOwner = false
  /// A fatal error: no attempt until ``Event/reconnectNow``.
  var isStopped = false
  var afterWait = AfterWait.connect
  /// How often a token or location was asked for since data last flowed.
  var askedSinceProgress = 0
  /// The time of the event in hand.
  var now: Duration = .zero
  /// What this event asks of the owner.
  var actions: [Action] = []
}

extension ClientConnection {
  /// What both sides speak; nil while there is no connection.
  public var dialect: Dialect? {
    if case .open(let dialect) = socket { return dialect }
    return nil
  }

  /// Bytes of changesets that arrived and wait for their turn at a file, without those in its hands: when they are many,
  /// an owner does well to read no further. O(sessions).
  public var waitingDownloadBytes: Int { sessions.values.reduce(0) { $0 + $1.arrivedBytes } }
}
