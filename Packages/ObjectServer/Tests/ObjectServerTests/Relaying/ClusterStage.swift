@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import SyncProtocol
import Telemetry
import TelemetryTestSupport
import TestKit
import Testing
import Transport
import TransportSimulated

/// Nodes a, b and c over one directory and one storage. Node a stands on the host `server`, the others on hosts of their names.
// @unchecked Sendable: touched on the simulated loop, and by the test while the loop rests.
final class ClusterStage: @unchecked Sendable {
  let map: RealmMap
  let stage: Stage
  /// One count for all nodes, by a clock that stands still; nil where each counts for itself.
  private let limits: MemoryAccountLimits?
  let clock = ManualClock()
  private(set) var placements: [String: TestPlacement] = [:]
  /// The node that gave a realm up last.
  private var former: String?
  private var moves = 0
  private var nodes: [String: (server: ObjectServer, executor: KillableExecutor)] = [:]

  init(
    seed: UInt64 = 1, histories: any HistoryStores = PlainHistories(), realmsAt owner: RealmMap.Owner = .node("b"),
    sharesLimits: Bool = false,
    _ configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws {
    map = RealmMap(ofOthers: owner)
    let placement = TestPlacement("a", host: "server", map)
    placements["a"] = placement
    limits = sharesLimits ? MemoryAccountLimits(clock: clock) : nil
    stage = try Stage(seed: seed, histories: histories, placement: placement, accountLimits: limits, configure)
    for name in ["b", "c"] {
      placements[name] = TestPlacement(name, host: name, map)
      start(name)
    }
    stage.run()
  }

  /// Starts node b or c, for the first time or again.
  func start(_ name: String) {
    let executor = KillableExecutor(stage.loop)
    var environment = ServerEnvironment(
      network: stage.network.host(name), executor: executor, directory: stage.directory, stores: stage.histories,
      issuer: stage.issuer, random: RandomSource(SeededGenerator(seed: UInt64(name.utf8.first ?? 0))),
      logger: Logger(level: .error, sink: FileDescriptorSink.standardError()))
    environment.placement = placements[name]
    environment.accountLimits = limits
    var configuration = stage.configuration
    configuration.address = ListenAddress(host: name, port: 9080)
    let server = ObjectServer(configuration: configuration, environment: environment)
    nodes[name] = (server, executor)
    server.start { result in
      if case .failure(let error) = result { Issue.record(error) }
    }
  }

  func server(_ name: String) throws -> ObjectServer {
    name == "a" ? stage.server : try #require(nodes[name]?.server)
  }

  func placement(_ name: String) throws -> TestPlacement { try #require(placements[name]) }

  /// The process of node b or c dies.
  ///
  /// - Parameter heir: the node that gets the realm of `path` if the dead one had it, or was giving it up.
  func crash(_ name: String, of path: RealmPath? = nil, heir: String = "a") {
    nodes[name]?.executor.kill()
    stage.network.crash(name)
    guard let path, map[path] == .node(name) || map[path] == .moving && former == name else { return }
    moves += 1
    map[path] = .node(heir)
  }

  /// Moves a realm from a node that gives it up.
  func move(_ path: RealmPath, to name: String) throws {
    guard case .node(let former) = map[path], former != name else { return }
    map[path] = .moving
    self.former = former
    moves += 1
    let move = moves
    // The word of a node that died meanwhile does not count.
    try placement(former).leave(path) { [weak self] in
      if self?.moves == move { self?.map[path] = .node(name) }
    }
  }

  /// The bytes that wait at a node to be sent to clients and other nodes.
  func waiting(_ name: String) throws -> Int {
    try server(name).hub.connections.values.reduce(0) { $0 + ($1.socket?.bufferedBytes ?? 0) + $1.load.relayed }
  }
}
