import Concurrency
import Foundation
public import ObjectServer
public import Permissions
import Synchronization
public import Telemetry
public import Transport

/// The realms of one node: takes shards that nobody has, keeps the lease, and gives shards away when they are wanted elsewhere.
///
/// Decisions come from the tables and from pure values (``Lease``, ``ShardBalance``, ``LoadBalance``); one thread renews the lease and reads what others
/// changed, each second or three times a lease.
public final class ShardOwnership: RealmPlacement {
  struct State {
    var incarnation: Int64
    var lease: Lease
    /// The shards of this node, with their epochs.
    var held: [ShardNumber: Int64] = [:]
    /// The newest epochs that this node gave away: tables that were read before that have them as its own.
    var given: [ShardNumber: Int64] = [:]
    /// Those that are being given away, each with a group that is left when it is.
    var leaving: [ShardNumber: DispatchGroup] = [:]
    /// The loads of the shards of this node.
    var loads = ShardLoads(at: .now)
    /// When a shard with load got another owner last, as far as this node knows.
    var lastLoadMove: ContinuousClock.Instant?
    /// The epochs of the shards that had load when they were given away.
    var loadEpochs: [ShardNumber: Int64] = [:]
    /// The others' shards, as last read.
    var elsewhere: [ShardNumber: ServerNode] = [:]
    var handler: (@Sendable (@escaping @Sendable (RealmPath) -> Bool, @escaping @Sendable () -> Void) -> Void)?
    /// Whether another server was started under the name of this node.
    var isReplaced = false
    var isStopped = false
  }

  /// This node.
  public let node: ServerNode
  /// The secret that the nodes share.
  public let peerKey: [UInt8]
  /// The certificates that this node accepts from the others.
  public var peerTLS: TLSClientConfiguration { settings.peerTLS }
  let settings: ClusterNode
  let table: ShardTable
  let logger: Logger
  let metrics: NodeMetrics
  let state: Mutex<State>
  private let stop = StopSignal()
  private let ended = DispatchSemaphore(value: 0)

  /// Enters the node and begins to renew its lease.
  ///
  /// - Parameter peerKey: the secret that the nodes share, at least 32 bytes: see `RealmPlacement`.
  /// - Throws: ``ServerError/Code/clusterFailure``
  public init(
    _ settings: ClusterNode, _ database: ClusterDatabase, peerKey: [UInt8], logger: Logger = .disabled,
    metrics: MetricsRegistry = MetricsRegistry()
  ) throws(ServerError) {
    self.peerKey = peerKey
    self.settings = settings
    self.logger = logger
    self.metrics = NodeMetrics(metrics)
    node = ServerNode(name: settings.name, address: settings.address)
    table = ShardTable(database: database, node: settings)
    var lease = Lease(settings.lease)
    let now = ContinuousClock.now
    do {
      state = Mutex(State(incarnation: try table.register(), lease: lease))
    } catch { throw ClusterDatabase.failure(error) }
    lease.renewed(askedAt: now)
    state.withLock { $0.lease = lease }
    renew()
    Thread.detachNewThread { [self] in
      while !stop.isSet(within: settings.interval) { renew() }
      ended.signal()
    }
  }

  /// Gives up the lease, so that other nodes may take the realms at once. To be called when they are closed.
  public func close() {
    guard
      state.withLock({ state in
        defer { state.isStopped = true }
        return !state.isStopped
      })
    else { return }
    stop.set()
    ended.wait()
    let incarnation = state.withLock { state in
      state.held = [:]
      return state.incarnation
    }
    _ = try? table.leave(incarnation)
  }

  // MARK: Places

  /// The reason why clients go to other nodes: another server has the name of this one.
  public var refusal: String? {
    state.withLock { $0.isReplaced } ? "another server was started under the name of this node" : nil
  }

  /// The place of a realm, from memory: this node while its lease is held, another, or nobody.
  public func place(of path: RealmPath) -> RealmPlace { place(of: ShardNumber(of: path)) }

  func place(of shard: ShardNumber) -> RealmPlace {
    state.withLock { state in
      if state.held[shard] != nil, state.leaving[shard] == nil {
        return state.lease.isHeld(at: .now) ? .here : .nobody
      }
      return state.elsewhere[shard].map { .node($0) } ?? .nobody
    }
  }

  /// Takes a realm that nobody has, with the others of its shard.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure`` when the database cannot be reached, or another server has this node's name.
  public func acquire(_ path: RealmPath) throws(ServerError) -> RealmPlace {
    let shard = ShardNumber(of: path)
    let (incarnation, isReady) = state.withLock { ($0.incarnation, !$0.isReplaced && !$0.isStopped) }
    guard isReady else { throw Self.notReady }
    if let given = state.withLock({ $0.leaving[shard] }) {
      // Its files are closed: the statement that gives it away is under way.
      guard given.wait(timeout: .now() + Self.longestGiving) == .success else { return place(of: shard) }
      if case .node(let node) = place(of: shard) { return .node(node) }
    }
    do {
      let place = try take(shard, incarnation)
      guard place == .nobody else { return place }
      // This node may have been away for longer than its lease.
      guard try renewLease(incarnation) != nil else { throw Self.notReady }
      return try take(shard, incarnation)
    } catch { throw ClusterDatabase.failure(error) }
  }

  private func take(_ shard: ShardNumber, _ incarnation: Int64) throws -> RealmPlace {
    guard let owner = try table.take(shard, incarnation) else { return .nobody }
    guard owner.node == settings.name, owner.incarnation == incarnation else {
      let (shards, members) = try table.read()
      adopt(shards, members)
      return place(of: shard)
    }
    let isOlder = state.withLock { state in
      state.elsewhere[shard] = nil
      if state.held[shard] == nil { state.loads.begin(shard, at: owner.load) }
      return state.held.updateValue(owner.epoch, forKey: shard).map { $0 < owner.epoch } ?? false
    }
    // Somebody else had it in between: what is open is older.
    if isOlder { close([shard]) {} }
    return .here
  }

  /// - Returns: whether the node drains; nil when another server has its name.
  func renewLease(_ incarnation: Int64) throws -> Bool? {
    let now = ContinuousClock.now
    let load = state.withLock { $0.loads.total }
    let isDraining = try table.renew(incarnation, load: load)
    if isDraining != nil { state.withLock { $0.lease.renewed(askedAt: now) } }
    return isDraining
  }

  private static let longestGiving: DispatchTimeInterval = .seconds(5)

  private static var notReady: ServerError {
    ServerError(
      .clusterFailure, "this server has lost its place in the cluster",
      remedy: "check that each node has a name of its own, and start it again")
  }

  /// The row of a shard under which this node writes its realms; nil when it does not have it.
  func fence(of shard: ShardNumber) -> ShardFence? {
    state.withLock { state in
      state.held[shard].map {
        ShardFence(shard: shard, node: settings.name, incarnation: state.incarnation, epoch: $0)
      }
    }
  }

  /// Called when a commit was refused: another node has the shard, or had it.
  func lost(_ shard: ShardNumber) {
    state.withLock { $0.held[shard] = nil }
    metrics.lostShards.increment()
    close([shard]) {}
  }

  /// Notes what a realm cost.
  public func worked(on path: RealmPath, for time: Duration) {
    let shard = ShardNumber(of: path)
    state.withLock { $0.loads.add(time, of: shard) }
  }

  /// Chooses the function that closes the realms of shards that leave this node.
  public func whenLeaving(
    _ handler: @escaping @Sendable (@escaping @Sendable (RealmPath) -> Bool, @escaping @Sendable () -> Void) -> Void
  ) { state.withLock { $0.handler = handler } }

  /// Lets the server close the realms of some shards.
  func close(_ shards: Set<ShardNumber>, then done: @escaping @Sendable () -> Void) {
    guard let handler = state.withLock({ $0.handler }) else { return done() }
    handler({ shards.contains(ShardNumber(of: $0)) }, done)
  }
}
