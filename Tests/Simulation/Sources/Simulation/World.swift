import AccessTokens
import ChangesetOT
import Cryptography
import Foundation
import ObjectServer
import ObjectServerTestSupport
import RecordStore
import Permissions
import SyncClient
import Telemetry
import TestKit
import Transport
import TransportSimulated

/// The system under test: the real server and real clients over files in memory, on a simulated network with a virtual
/// clock, on one thread, under one seed.
final class World {
  let network: SimulatedNetwork
  let scenario: Scenario
  /// Called with each step and each error, when set.
  var tell: (@Sendable (String) -> Void)?
  private(set) var devices: [Device] = []
  let prefix: String
  let seed: UInt64
  private let issuer: TokenIssuer
  private let directory = MemoryDirectory()
  private let configuration: ServerConfiguration
  /// The server's hardware.
  let serverHardware = HostHardware()
  private(set) var lifetime = ProcessLifetime {}
  private var server: ObjectServer?
  private var starts: UInt64 = 0
  /// The server's files in memory, kept open so that they outlive the server's processes.
  private var disk: [RealmFile] = []
  /// The folder of the server's files, in runs that need them on a disk.
  var folder: URL?
  private let root = FileManager.default.temporaryDirectory.appendingPathComponent("simulation-\(UUID().uuidString)")
  private var folders = 0
  /// The folders of the backups, oldest first.
  var backups: [URL] = []

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
    if scenario.needsFolder { folder = try newFolder() } else { disk = try paths.map(serverFile) }
    try startServer()
  }

  /// The realms of the run.
  var paths: [String] { (0..<max(1, scenario.realms)).map { $0 == 0 ? "/ann/notes" : "/ann/notes-\($0)" } }

  func newFolder() throws -> URL {
    folders += 1
    let folder = root.appendingPathComponent("\(folders)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Ends all processes and removes all files.
  func tearDown() {
    for device in devices { device.shutDown() }
    // Sessions leave their connections on the loop.
    run(.milliseconds(100))
    devices = []
    server = nil
    network.tearDown()
    disk = []
    try? FileManager.default.removeItem(at: root)
  }

  func run(_ duration: Duration) { network.loop.run(for: duration) }

  func startServer() throws {
    starts += 1
    let network = network
    lifetime = ProcessLifetime { network.crash("server") }
    let random = RandomSource(SeededGenerator(seed: seed &+ starts))
    let hardware = serverHardware
    let server = ObjectServer(
      configuration: configuration,
      environment: ServerEnvironment(
        network: network.host("server"), executor: ProcessExecutor(network.loop, lifetime, delay: .microseconds(200)),
        directory: directory,
        stores: EmbeddedHistories(
          folder.map { .folder($0.path) } ?? .memory(prefix: prefix), random: random, isDurable: false,
          clock: network.loop, retention: scenario.hasShortHistory ? .short : RetentionPolicy(),
          beforeCommit: { try hardware.checkDiskSpace() }),
        issuer: issuer, random: random))
    self.server = server
    server.start { _ in }
    run(.milliseconds(50))
  }

  func addDevice(_ name: String, clockError: Duration, isReader: Bool = false) throws -> Device {
    let number = devices.count
    let user = isReader ? "rita" : number % max(1, scenario.users) == 0 ? "ann" : "ann-\(number % scenario.users)"
    let hardware = HostHardware(clockError: clockError)
    let replicas = try paths.enumerated().map { realm, path in
      try Replica(
        path: path, device: name, location: "\(prefix) \(name)" + (realm == 0 ? "" : " \(realm)"), hardware: hardware,
        loop: network.loop, usesEveryType: scenario.usesEveryType, isQueried: scenario.isQueried(number))
    }
    let device = try Device(
      name: name, user: user, isReader: isReader, hardware: hardware, replicas: replicas, network: network,
      tokens: FixedTokenSource(try token(user, mayWrite: !isReader), scheduler: network.loop), seed: seed, tell: tell)
    devices.append(device)
    return device
  }

  func serverDump(_ path: String) throws -> StateDump { try serverFile(path).dump() }

  private func serverFile(_ path: String) throws -> RealmFile {
    guard let folder else {
      // The server opens the same file in memory, with the options of this first opening.
      let (loop, hardware) = (network.loop, serverHardware)
      var options = RealmFile.Options(
        isDurable: false,
        clock: { OriginTimestamp(unixMilliseconds: loop.wallTime.millisecondsSince1970) })
      options.beforeCommit = { try hardware.checkDiskSpace() }
      return try RealmFile.open(.inMemory(name: prefix + (try RealmPath(path)).description), options: options)
    }
    let name = path.split(separator: "/").map(String.init).joined(separator: ".d/")
    return try RealmFile.open(.file(path: folder.appendingPathComponent("named/\(name).realm").path))
  }

  private func token(_ user: String, mayWrite: Bool) throws -> String {
    let id = UserId(user)
    // The token stays valid when the calendar jumps back.
    let now = network.loop.wallTime + .seconds(-86_400 * 100)
    let expiry = now + .seconds(86_400 * 1_000)
    if try directory.user(id) == nil {
      _ = try directory.createUser(
        UserRecord(id: id, isAdministrator: false, createdAt: now),
        identity: IdentityRecord(provider: "local-userpass", name: user, user: id))
      _ = try directory.createLogin(
        LoginRecord(id: "login \(user)", user: id, app: "app", createdAt: now, expiresAt: expiry),
        proof: .lasting)
      for path in paths where user != "ann" {
        let realm = try RealmPath(path)
        _ = try directory.recordRealm(realm, createdBy: UserId("ann"), at: now)
        try directory.setGrant(Grant(path: realm, grantee: .user(id), level: mayWrite ? .write : .read))
      }
    }
    return try issuer.sign(
      TokenClaims(kind: .access, user: id, app: "app", login: "login \(user)", issuedAt: now, expiresAt: expiry))
  }
}

extension RetentionPolicy {
  /// A history short enough to be trimmed within a run, and compacted for who was away for a few versions.
  static var short: RetentionPolicy {
    RetentionPolicy(
      timeToLive: .seconds(4), firstDownloadGrace: .seconds(1), leastBytes: 300, interval: .seconds(1),
      bootstrapBytes: 600, bootstrapMessageBytes: 400, bootstrapPieceBytes: 150,
      compactionBytes: 100, compactionVersions: 3)
  }
}
