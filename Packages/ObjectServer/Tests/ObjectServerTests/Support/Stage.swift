import AccessTokens
import AuthClient
import ChangesetOT
import Concurrency
import Cryptography
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import ServerClusterTestSupport
import SyncProtocol
import Synchronization
import Telemetry
import TestKit
import Testing
import Transport
import TransportSimulated

/// A simulated network with one server, and the means to act on it step by step.
final class Stage {
  let network: SimulatedNetwork
  let directory: any Directory
  let histories: any HistoryStores
  let issuer: TokenIssuer
  var configuration: ServerConfiguration
  private(set) var server: ObjectServer
  private let foreignKeys: [VerificationKey]
  let metrics = MetricsRegistry()
  private let seed: UInt64
  private var executor: KillableExecutor
  /// The attributes of the jobs that the server submitted, in order.
  var jobs: [JobAttributes] { executor.jobs.withLock { $0 } }
  /// The queue whose job is running.
  var runningQueue: Box<SerialQueue> { executor.running }
  private let writeProbe: WriteProbe?
  private let vacuum: Vacuum?
  private let mail: MailEnvironment?
  private let audit: AuditLog?
  private let placement: (any RealmPlacement)?
  private let accountLimits: (any AccountLimits)?

  typealias Vacuum = @Sendable (_ isCancelled: () -> Bool) throws(ServerError) -> VacuumReport

  var loop: SimulatedLoop { network.loop }
  var plain: PlainHistories { histories as? PlainHistories ?? PlainHistories() }

  init(
    seed: UInt64 = 1, directory: (any Directory)? = nil, histories: any HistoryStores = PlainHistories(),
    foreignKeys: [VerificationKey] = [], writeProbe: WriteProbe? = nil, mail: MailEnvironment? = nil,
    audit: AuditLog? = nil, placement: (any RealmPlacement)? = nil, accountLimits: (any AccountLimits)? = nil,
    _ configure: (inout ServerConfiguration) -> Void = { _ in }, vacuum: Vacuum? = nil
  ) throws {
    self.seed = seed
    self.foreignKeys = foreignKeys
    self.writeProbe = writeProbe
    self.vacuum = vacuum
    self.mail = mail
    self.audit = audit
    // Over PostgreSQL, a node with the record of its realms has the directory of the same database.
    let node = try Self.folder(of: histories).flatMap { try TestStorage.node(of: $0) }
    let placement = placement ?? node?.placement
    self.placement = placement
    self.accountLimits = accountLimits
    network = SimulatedNetwork(seed: seed)
    let directory = try directory ?? node?.directory ?? TestStorage.directory()
    self.directory = directory
    self.histories = histories
    issuer = TokenIssuer(key: try .sharedSecret(Array(repeating: 9, count: 32)))
    configuration = ServerConfiguration()
    configuration.accounts.passwordCost = 4
    configuration.accounts.registration = .all
    configuration.accounts.anonymous = .all
    configuration.accounts.minimumPasswordBytes = 1
    configuration.address = ListenAddress(host: "server", port: 9080)
    configure(&configuration)
    executor = KillableExecutor(network.loop)
    server = Self.makeServer(
      configuration, network, executor, directory, histories, issuer, foreignKeys, metrics, seed,
      writeProbe, vacuum, mail, audit, placement, accountLimits)
    start()
  }

  private static func folder(of histories: any HistoryStores) -> String? {
    let histories = (histories as? ObservedHistories)?.inner ?? histories
    guard case .folder(let folder)? = (histories as? EmbeddedHistories)?.storage else { return nil }
    return folder
  }

  private static func makeServer(
    _ configuration: ServerConfiguration, _ network: SimulatedNetwork, _ executor: any BlockingExecutor,
    _ directory: any Directory,
    _ histories: any HistoryStores, _ issuer: TokenIssuer, _ foreignKeys: [VerificationKey], _ metrics: MetricsRegistry,
    _ seed: UInt64, _ writeProbe: WriteProbe?, _ vacuum: Vacuum?, _ mail: MailEnvironment?,
    _ audit: AuditLog?, _ placement: (any RealmPlacement)?, _ accountLimits: (any AccountLimits)?
  ) -> ObjectServer {
    var environment = ServerEnvironment(
      network: network.host("server"),
      executor: executor, directory: directory,
      stores: histories, issuer: issuer, foreignKeys: foreignKeys,
      random: RandomSource(SeededGenerator(seed: seed)),
      logger: Logger(level: .error, sink: FileDescriptorSink.standardError()), metrics: metrics)
    environment.writeProbe = writeProbe
    environment.vacuum = vacuum
    environment.mail = mail
    environment.audit = audit
    environment.placement = placement
    environment.accountLimits = accountLimits
    return ObjectServer(configuration: configuration, environment: environment)
  }

  func start() {
    server.start { result in
      if case .failure(let error) = result { Issue.record(error) }
    }
    run()
  }

  func stop() {
    server.stop {}
    run(.seconds(10))
  }

  /// A new server over the same storage.
  func restart() {
    executor = KillableExecutor(network.loop)
    server = Self.makeServer(
      configuration, network, executor, directory, histories, issuer, foreignKeys, metrics, seed + 1, writeProbe,
      vacuum, mail, audit, placement, accountLimits)
    start()
  }

  /// The process dies in the middle of everything, and a new one starts.
  func crashAndRestart() {
    executor.kill()
    network.crash("server")
    run(.milliseconds(1))
    restart()
  }

  func run(_ duration: Duration = .milliseconds(200)) { loop.run(for: duration) }

  /// The number of password hashes made or compared.
  var passwordHashes: UInt64 { metrics.counter("openrealm_password_hashes_total", help: "").value }

  /// The most that waits to be sent on one connection.
  var bufferedBytes: Int { server.hub.connections.values.compactMap { $0.socket?.bufferedBytes }.max() ?? 0 }

  // MARK: HTTP

  func send(
    _ method: String, _ path: String, bearer: String? = nil, body: String = "", headers: HTTPHeaders = [:],
    to server: String = "server"
  ) throws -> HTTPResponse {
    var headers = headers
    if let bearer { headers["Authorization"] = "Bearer \(bearer)" }
    let box = Box<Result<HTTPResponse, TransportError>>()
    let url = try NetworkURL("http://\(server):9080" + path)
    network.host("browser").send(
      HTTPClientRequest(method: method, url: url, headers: headers, body: Array(body.utf8))
    ) { box.value = $0 }
    run(.seconds(1))
    return try #require(box.value).get()
  }

  /// Runs the loop while asynchronous code waits for it.
  func drive<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let box = Box<Result<Value, any Error>>()
    Task.detached {
      do { box.value = .success(try await work()) } catch { box.value = .failure(error) }
    }
    for _ in 0..<100_000 where box.value == nil {
      loop.run(for: .milliseconds(1))
      await Task.yield()
      if box.value == nil { try await Task.sleep(for: .microseconds(50)) }
    }
    return try #require(box.value).get()
  }

  func client(_ name: String = "phone", store: any TokenStore = MemoryTokenStore()) throws -> AuthClient {
    try AuthClient(server: try NetworkURL("http://server:9080"), network: network.host(name), store: store)
  }

  // MARK: Sync

  /// A user made without HTTP, and an access token.
  func user(_ name: String, isAdministrator: Bool = false) throws -> (id: UserId, token: String) {
    let id = UserId(name)
    let now = loop.wallTime
    _ = try directory.createUser(
      UserRecord(id: id, isAdministrator: isAdministrator, createdAt: now),
      identity: IdentityRecord(provider: "local-userpass", name: name, user: id))
    let login = LoginRecord(
      id: "login-\(name)", user: id, app: "app", createdAt: now, expiresAt: now + .seconds(86_400 * 30))
    try directory.createLogin(login, proof: .lasting)
    return (id, try token(id))
  }

  func token(
    _ id: UserId, lifetime: Duration = .seconds(86_400), level: AccessLevel = .admin, path: String? = nil
  ) throws -> String {
    try issuer.sign(
      TokenClaims(
        kind: .access, user: id, app: "app", login: "login-\(id)", issuedAt: loop.wallTime,
        expiresAt: loop.wallTime + lifetime, path: path, level: level))
  }

  func connect(
    _ token: String?, path: String = "/realm-sync",
    offers: [String] = SubprotocolOffer.tokens(for: .full), headers: HTTPHeaders = [:], from host: String = "phone",
    to server: String = "server"
  ) throws -> WireClient {
    let query = token.map { "?baas_at=\($0)" } ?? ""
    let client = WireClient()
    let url = try NetworkURL("ws://\(server):9080\(path)\(query)")
    client.connection = network.host(host).connectWebSocket(
      to: WebSocketEndpoint(url: url, protocolTokens: offers, headers: headers), options: WebSocketOptions(),
      handler: client)
    run()
    return client
  }
}

/// An executor on the loop that can be killed: jobs that have not begun are dropped.
final class KillableExecutor: BlockingExecutor {
  private let executor: LoopExecutor
  private let isDead = Box<Bool>()
  /// The attributes of all submitted jobs, in order.
  let jobs = Mutex<[JobAttributes]>([])
  /// The queue whose job is running.
  let running = Box<SerialQueue>()

  init(_ loop: SimulatedLoop) { executor = LoopExecutor(loop: loop, delay: .microseconds(200)) }

  func submit(_ job: JobAttributes, _ work: @escaping @Sendable () -> Void) {
    jobs.withLock { $0.append(job) }
    executor.submit(job) { [isDead, running] in
      guard isDead.value != true else { return }
      running.value = job.queue
      work()
      running.value = nil
    }
  }

  func shutDown(_ completion: @escaping @Sendable () -> Void) { executor.shutDown(completion) }
  func kill() { isDead.value = true }
}

/// A variable that callbacks on the simulated loop may set.
// @unchecked Sendable: set on the loop, read by the test when the loop rests, or under the polling of `drive`.
final class Box<Value>: @unchecked Sendable {
  private let lock = NSLockBox()
  private var stored: Value?
  var value: Value? {
    get { lock.locked { stored } }
    set { lock.locked { stored = newValue } }
  }
}
