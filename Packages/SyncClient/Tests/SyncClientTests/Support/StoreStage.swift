import AccessTokens
import AuthClient
import ChangesetOT
import Cryptography
import DataModel
import ObjectServer
import Permissions
import SyncProtocol
import Telemetry
import TestKit
import Testing
import Transport
import TransportSimulated

@testable import ObjectStore
@testable import SyncClient

/// A simulated network with the real server, and devices with real files in memory.
final class StoreStage {
  struct Device {
    var name: String
    var client: SyncClient
    var file: RealmFile
    var session: SyncSession
  }

  let network: SimulatedNetwork
  let seed: UInt64
  let issuer: TokenIssuer
  let directory = MemoryDirectory()
  let server: ObjectServer
  let prefix: String
  private(set) var devices: [Device] = []

  init(seed: UInt64) throws {
    self.seed = seed
    network = SimulatedNetwork(seed: seed)
    prefix = "stage \(UInt64.random(in: 0 ... .max))"
    issuer = TokenIssuer(key: try .sharedSecret(Array(repeating: 9, count: 32)))
    var configuration = ServerConfiguration()
    configuration.accounts.passwordCost = 4
    configuration.address = ListenAddress(host: "server", port: 9080)
    let random = RandomSource(SeededGenerator(seed: seed))
    server = ObjectServer(
      configuration: configuration,
      environment: ServerEnvironment(
        network: network.host("server"), workers: LoopWorkers(scheduler: network.loop, delay: .microseconds(200)),
        directory: directory, stores: EmbeddedHistories(.memory(prefix: prefix), random: random), issuer: issuer,
        random: random))
    server.start { result in
      if case .failure(let error) = result { Issue.record(error) }
    }
    run(.milliseconds(200))
  }

  func run(_ duration: Duration = .seconds(1)) { network.loop.run(for: duration) }

  func user(_ name: String) throws -> String {
    let id = UserId(name)
    let now = network.loop.wallTime
    if try directory.user(id) == nil {
      _ = try directory.createUser(
        UserRecord(id: id, isAdministrator: false, createdAt: now),
        identity: IdentityRecord(provider: "local-userpass", name: name, user: id))
      try directory.createLogin(
        LoginRecord(id: "login-\(name)", user: id, app: "app", createdAt: now, expiresAt: now + .seconds(86_400 * 30)))
    }
    return try issuer.sign(
      TokenClaims(
        kind: .access, user: id, app: "app", login: "login-\(name)", issuedAt: now, expiresAt: now + .seconds(86_400)))
  }

  @discardableResult
  func addDevice(_ name: String, user: String = "ann") throws -> Device {
    let client = SyncClient(
      SyncEnvironment(
        network: network.host(name), workers: LoopFileWorkers(scheduler: network.loop, delay: .microseconds(300)),
        seed: { [seed] in seed }))
    let loop = network.loop
    let file = try RealmFile.open(
      .inMemory(name: "\(prefix) \(name)"),
      options: RealmFile.Options(
        recordsChangesets: true,
        clock: { OriginTimestamp(unixMilliseconds: loop.wallTime.millisecondsSince1970) }))
    let target = SyncTarget(
      server: NetworkURL(scheme: .ws, host: "server", port: 9080, target: "/realm-sync"), path: "/\(user)/todo",
      user: user)
    let session = client.open(file, at: target, tokens: FixedTokenSource(try self.user(user), scheduler: network.loop))
    let device = Device(name: name, client: client, file: file, session: session)
    devices.append(device)
    return device
  }

  /// A transaction of the application, with exactly these instructions.
  func commit(_ device: Device, _ instructions: [Instruction]) throws { try device.file.commit(instructions) }

  /// The server's copy of the realm.
  func serverDump(user: String = "ann") throws -> StateDump {
    let name = prefix + (try RealmPath("/\(user)/todo")).description
    return try RealmFile.open(.inMemory(name: name)).dump()
  }
}

extension RealmFile {
  /// A transaction of an application, with exactly these instructions.
  func commit(_ instructions: [Instruction]) throws {
    let time = options.clock()
    let changeset = Changeset(instructions: instructions, origin: ChangesetOrigin(timestamp: time, file: .none))
    try write(isRecorded: false) { session in
      try ChangesetApplier(writer: session.writer).apply(changeset)
      try HistoryRole.stored(in: session.transaction)?.appendLocal(changeset.encoded(), at: time, to: session)
    }
  }
}
