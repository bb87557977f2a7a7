import SyncClient
import TestKit
import Transport
import TransportSimulated

/// One device: its hardware, and an app with a client that syncs one or more realms.
final class Device {
  let name: String
  let user: String
  /// Whether its user may only read.
  let isReader: Bool
  let hardware: HostHardware
  let replicas: [Replica]
  private let network: SimulatedNetwork
  private let tokens: FixedTokenSource
  private let seed: UInt64
  private let tell: (@Sendable (String) -> Void)?
  private var lifetime: ProcessLifetime
  private var client: SyncClient?

  init(
    name: String, user: String, isReader: Bool, hardware: HostHardware, replicas: [Replica], network: SimulatedNetwork,
    tokens: FixedTokenSource, seed: UInt64, tell: (@Sendable (String) -> Void)?
  ) throws {
    self.name = name
    self.user = user
    self.isReader = isReader
    self.hardware = hardware
    self.replicas = replicas
    self.network = network
    self.tokens = tokens
    self.seed = seed
    self.tell = tell
    lifetime = ProcessLifetime {}
    try start()
  }

  private func start() throws {
    let (network, name, seed) = (network, name, seed)
    lifetime = ProcessLifetime { network.crash(name) }
    let client = SyncClient(
      SyncEnvironment(
        network: network.host(name), executor: ProcessExecutor(network.loop, lifetime, delay: .microseconds(300)),
        seed: { seed }))
    self.client = client
    let refusals = Dictionary(uniqueKeysWithValues: replicas.map { ($0.path, $0.refusals) })
    client.errorHandler = { [tell] error, session in
      refusals[session.target.path]?.note(error)
      tell?("\(name) \(session.target.path): \(error)")
      for write in error.compensatingWriteInfo ?? [] {
        tell?("  \(write.objectType) \(write.primaryKey): \(write.reason)")
      }
    }
    for replica in replicas { try replica.start(client, user: user, tokens: tokens) }
  }

  var sessions: [SyncSession] { replicas.compactMap(\.session) }

  /// Whether its app was killed and has not started again.
  var isDead: Bool { !lifetime.isAlive }

  /// Kills the app at one of the next jobs on its files.
  func killAtJob(after count: Int, completes: Bool) { lifetime.killAtJob(after: count, completes: completes) }

  /// Kills the app, unless it is dead already, and starts it again.
  func restart(losingPower: Bool = false) throws {
    lifetime.kill()
    if losingPower { network.vanish(name) } else { network.crash(name) }
    shutDown()
    network.loop.run(for: .milliseconds(1))
    for replica in replicas { replica.stop() }
    if losingPower {
      network.loop.run(for: .milliseconds(100))
      network.restart(name)
    }
    network.loop.run(for: .milliseconds(1))
    try start()
  }

  /// Changes the subscriptions of its realms that are synced by queries.
  func subscribe(using random: inout SeededGenerator) throws {
    for replica in replicas {
      if let set = try replica.view?.change(using: &random) { tell?("\(name) \(replica.path) subscribes: \(set)") }
    }
  }

  /// Shuts the client down.
  func shutDown() { client?.shutDown() }

  /// One write transaction in one of its realms.
  ///
  /// - Returns: whether it was made.
  func edit(using random: inout SeededGenerator) throws -> Bool {
    let number = replicas.count > 1 ? Int.random(in: 0..<replicas.count, using: &random) : 0
    return try replicas[number].edit(using: &random)
  }
}
