import ChangesetOT

/// The client side of one connection with all its sessions, as a pure state machine: an event in, actions out.
///
///     var client = ClientConnection(seed: 1)
///     client.handle(.activate(SessionIdent(1), SessionSetup(path: "/alice/notes", newest: ClientVersion(2))), at: .zero)
///     // [.sessionChanged(1, .binding), .connectionChanged(.connecting), .openSocket, …]
///
/// The owner performs the actions in order and hands their results back as events. Any owner will do, a class with a lock, an
/// actor or a test: actions contain identifiers only. Guarantee: no message of the peer makes the machine trap; illegal ones
/// close the connection. A value: used by one thread at a time.
public struct ClientConnection: Sendable {
  /// Full or flexible sync.
  public let flavour: SyncFlavour
  /// The versions offered.
  public let versions: ClosedRange<ProtocolVersion>
  /// Timeouts and intervals.
  public var timing: SyncTiming
  /// The limits of messages of the server.
  public var limits: MessageLimits
  /// Bytes of changesets after which a scan ends and an UPLOAD is sent.
  public var uploadBudget = 128 << 10

  /// A connection without sessions.
  ///
  /// - Parameter seed: the seed of its random delays; equal seeds and events give equal actions.
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

  /// The tokens for the upgrade request, newest version first.
  public var protocolTokens: [String] { SubprotocolOffer.tokens(for: flavour, versions: versions) }

  // MARK: State

  var socket = SocketState.idle
  var sessions: [SessionIdent: ClientSession] = [:]
  /// Sessions that may have something to send, in round-robin order.
  var sendQueue: [SessionIdent] = []
  /// The highest session ident ever used; messages for ended sessions are late, not illegal.
  var highestIdent = SessionIdent(0)
  /// Whether the last message waits for ``Event/writable``.
  var isWriting = false
  var backoff: Backoff
  var random: MachineRandom
  var heartbeat = Heartbeat()
  /// The time at which an open connection was last lost.
  var lastLoss: Duration?
  /// The number of the last ``WorkIdent``.
  var work: UInt64 = 0
  /// The number of requests for a token or a location since the last DOWNLOAD.
  var askedSinceProgress = 0
  /// The time of the present event.
  var now: Duration = .zero
  /// The actions of the present event.
  var actions: [Action] = []
}

extension ClientConnection {
  /// The dialect of the open connection; nil while there is none.
  public var dialect: Dialect? {
    if case .open(let dialect) = socket { return dialect }
    return nil
  }

  /// Bytes of changesets that wait for integration, without those being integrated. An owner pauses reading when they are
  /// many.
  ///
  /// - Complexity: O(*n*) in the number of sessions.
  public var waitingDownloadBytes: Int { sessions.values.reduce(0) { $0 + $1.downloads.queue.byteCount } }
}
