import Concurrency
import Permissions
import SyncProtocol
import Telemetry
import Transport

/// All sync connections, and all realms in use.
// @unchecked Sendable: its variables are accessed on the loop only.
final class SyncHub: @unchecked Sendable {
  let configuration: ServerConfiguration
  let directory: any Directory
  let stores: any HistoryStores
  let context: LoopContext
  let metrics: ServerMetrics
  let logger: Logger

  private(set) var connections: [ConnectionIdent: SyncConnection] = [:]
  var realms: [Permissions.RealmPath: RealmSequencer] = [:]
  /// The number of the next realm's queue; never used twice.
  var nextQueue: UInt64 = 1
  /// The realms that are being moved or deleted.
  var locked: Set<Permissions.RealmPath> = []
  /// The realms whose files consumers hold.
  var holds: [Permissions.RealmPath: HeldFiles] = [:]
  /// The users whose questions about an object are being answered.
  var explaining: Set<UserId> = []
  var quarantine: (any Quarantine)?
  /// Notes refusals; nil for none.
  var audit: AuditTrail?
  /// The keys of tokens, read again when the directory tells of their rotation.
  var tokenKeys: LiveTokenKeys?
  /// The reading of the directory's feed.
  var feed = FeedReading()
  /// The watches of commits, in the order of their beginning.
  var watches: [RealmWatch] = []
  /// Whether no new connection and no new request is accepted.
  var isStopping = false
  /// Whether the connections are being closed.
  var isClosing = false
  var budget: MemoryBudget
  /// The memory of received messages and of what they decode to. Shares one limit with ``budget``.
  let receiveBudget: ReceiveBudget
  /// Connections with scans that wait for memory, in order.
  var held: [SyncConnection] = []
  /// Connections that are not read from because of their waiting uploads.
  var paused: [SyncConnection] = []
  var isReleasing = false
  /// Open realms without requests.
  var idleRealms = IdleRealms()
  var idleTimer: (any Cancellable)?
  /// The realms closed since memory was last returned to the system.
  var closedRealms = 0
  var connectionRate: RateLimit
  /// The rate at which a user creates realms, each of which is a file.
  var realmRate: RateLimit
  /// The users of the client files that were seen.
  var authors = KnownAuthors()
  /// The realms that GraphQL requests were admitted to a moment ago.
  let admissions = GraphQLAdmissions()
  /// This server as a member of a cluster; nil for a server that is alone and has all realms.
  var member: ClusterMember?
  /// The askers of realms that are being taken.
  var acquiring: [Permissions.RealmPath: [@Sendable (Result<PlacedRealm, ServerError>) -> Void]] = [:]
  /// The tests of realms that are leaving for another node.
  var leaving: [UInt64: @Sendable (Permissions.RealmPath) -> Bool] = [:]
  var nextLeaving: UInt64 = 1
  /// Those who ask for the places of realms that are leaving, until the files are closed.
  var waiting: [(path: Permissions.RealmPath, place: () -> Void)] = []
  /// The subscriptions by GraphQL.
  weak var graphQL: GraphQLRealms?
  /// Called when the files of a realm were removed or moved.
  var whenFilesChanged: @Sendable (Permissions.RealmPath) -> Void = { _ in }
  /// Called when the last connection is closed.
  var whenEmpty: (@Sendable () -> Void)?

  init(
    configuration: ServerConfiguration, directory: any Directory, stores: any HistoryStores, context: LoopContext,
    metrics: ServerMetrics, logger: Logger
  ) {
    self.configuration = configuration
    self.directory = directory
    self.stores = stores
    self.context = context
    self.metrics = metrics
    self.logger = logger
    receiveBudget = ReceiveBudget(limit: configuration.memoryBudget)
    budget = MemoryBudget(limit: configuration.memoryBudget, scanBytes: configuration.sync.downloadBudget)
    connectionRate = RateLimit(RateRule(perSecond: configuration.connectionsPerSecond))
    realmRate = RateLimit(
      RateRule(perSecond: Double(configuration.realmsPerSecond), burst: Double(configuration.realmsPerSecond * 20)))
    receiveBudget.onRelease = { [weak self] in self?.release() }
  }

  var scheduler: any Scheduler { context.scheduler }

  // MARK: Connections

  func opened(_ connection: SyncConnection) {
    connections[connection.ident] = connection
    metrics.connections.add(1)
    // A change since the bearer was looked up may concern them.
    if connection.feedPosition != feed.position { review { $0 === connection } }
  }

  func closed(_ connection: SyncConnection) {
    guard connections.removeValue(forKey: connection.ident) != nil else { return }
    held.removeAll { $0 === connection }
    paused.removeAll { $0 === connection }
    metrics.connections.add(-1)
    if connections.isEmpty, let whenEmpty {
      self.whenEmpty = nil
      whenEmpty()
    }
  }

  /// The connections in the order of their opening.
  ///
  /// - Complexity: O(n log n) in the connections.
  func ordered() -> [SyncConnection] {
    connections.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
  }
}
