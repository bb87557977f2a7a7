import AccessTokens
import ChangesetOT
import Cryptography
import ObjectServer
import ObjectStore
import Permissions
import SyncClient
import Telemetry
import TestKit
import Transport
import TransportSimulated

/// Everything that a run is made of: the real server and real clients over files in memory, on a simulated network with
/// a virtual clock, on one thread, under one seed.
final class World {
  let network: SimulatedNetwork
  let scenario: Scenario
  private(set) var devices: [Device] = []
  private let prefix: String
  private let seed: UInt64
  private let issuer: TokenIssuer
  private let directory = MemoryDirectory()
  private let configuration: ServerConfiguration
  private var workers: MortalWorkers
  private var server: ObjectServer?
  private var starts: UInt64 = 0
  /// The server's file, held as a disk would hold it while no server runs.
  private var disk: RealmFile?

  init(seed: UInt64, scenario: Scenario) throws {
    self.seed = seed
    self.scenario = scenario
    network = SimulatedNetwork(seed: seed)
    prefix = "simulation \(UInt64.random(in: 0 ... .max))"
    issuer = TokenIssuer(key: try .sharedSecret(Array(repeating: 9, count: 32)))
    var configuration = ServerConfiguration()
    configuration.accounts.passwordCost = 4
    configuration.address = ListenAddress(host: "server", port: 9080)
    self.configuration = configuration
    workers = MortalWorkers(network.loop)
    try startServer()
  }

  /// Ends everything, so that nothing of one run is left for the next.
  func tearDown() {
    for device in devices { device.client.shutDown() }
    devices = []
    server = nil
    network.tearDown()
  }

  func run(_ duration: Duration) { network.loop.run(for: duration) }

  func startServer() throws {
    starts += 1
    let random = RandomSource(SeededGenerator(seed: seed &+ starts))
    let server = ObjectServer(
      configuration: configuration,
      environment: ServerEnvironment(
        network: network.host("server"), workers: workers, directory: directory,
        stores: EmbeddedHistories(.memory(prefix: prefix), random: random), issuer: issuer, random: random))
    self.server = server
    server.start { _ in }
    run(.milliseconds(50))
  }

  /// The server process dies in the middle of everything, and a new one starts over the same files.
  func crashServer() throws {
    if disk == nil { disk = try RealmFile.open(.inMemory(name: serverFileName())) }
    workers.kill()
    network.crash("server")
    run(.milliseconds(1))
    workers = MortalWorkers(network.loop)
    try startServer()
  }

  func addDevice(_ name: String, clockError: Duration) throws -> Device {
    let host = network.host(name)
    let seed = self.seed
    let client = SyncClient(
      SyncEnvironment(
        network: host, workers: LoopFileWorkers(scheduler: network.loop, delay: .microseconds(300)), seed: { seed }))
    let device = try Device(
      name: name, location: "\(prefix) \(name)", client: client, network: network, clockError: clockError,
      tokens: FixedTokenSource(try token(), scheduler: network.loop))
    devices.append(device)
    return device
  }

  func serverDump() throws -> StateDump { try RealmFile.open(.inMemory(name: serverFileName())).dump() }

  private func serverFileName() throws -> String { prefix + (try RealmPath("/ann/notes")).description }

  private func token() throws -> String {
    let id = UserId("ann")
    let now = network.loop.wallTime
    let expiry = now + .seconds(86_400 * 30)
    if try directory.user(id) == nil {
      _ = try directory.createUser(
        UserRecord(id: id, isAdministrator: false, createdAt: now),
        identity: IdentityRecord(provider: "local-userpass", name: "ann", user: id))
      try directory.createLogin(LoginRecord(id: "login", user: id, app: "app", createdAt: now, expiresAt: expiry))
    }
    return try issuer.sign(
      TokenClaims(kind: .access, user: id, app: "app", login: "login", issuedAt: now, expiresAt: expiry))
  }
}
