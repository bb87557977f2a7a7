import Concurrency
import Permissions
import Synchronization
import Telemetry
public import Transport

/// A realm object server: logs users in over HTTP, and synchronises their realms over WebSockets.
///
///     let server = ObjectServer(configuration: configuration, environment: environment)
///     let address = try await server.start()   // 127.0.0.1:9080
///     …
///     await server.stop()
///
/// Everything runs on the loop of the environment's network, except for blocking work (disk, password hashes), which runs on
/// the executor. So the same server runs on a simulated network, with one thread and one seed.
public final class ObjectServer: HTTPServerHandler {
  /// The settings of the operator.
  public let configuration: ServerConfiguration
  let environment: ServerEnvironment
  let api: HTTPAPI
  private let authenticator: UpgradeAuthenticator
  let hub: SyncHub
  /// Brings HTTP requests to the nodes that have their realms; nil for a server that is alone.
  private let relay: RequestRelay?
  private let audit: AuditTrail?
  private let listener = Mutex<(any Listener)?>(nil)
  /// Set when the server begins to stop: work on the executor may end early.
  let isStopping = StopSignal()

  /// A server that does nothing yet.
  public init(configuration: ServerConfiguration, environment: ServerEnvironment) {
    let configuration = configuration.withRulesOfApps()
    self.configuration = configuration
    self.environment = environment
    let scheduler = environment.network.scheduler
    let context = LoopContext(scheduler: scheduler, executor: environment.executor)
    let metrics = ServerMetrics(environment.metrics)
    let providers = TokenProviders(
      Accounts.plainProvider(environment.foreignKeys, configuration.accounts) + configuration.tokenProviders,
      network: environment.network, logger: environment.logger.child("http"))
    let keys = LiveTokenKeys(
      environment.issuer, read: environment.readIssuer, isShared: environment.placement != nil)
    var accounts = Accounts(
      directory: environment.directory, policy: configuration.accounts, issuer: environment.issuer,
      foreignKeys: environment.foreignKeys, random: environment.random, clock: scheduler, keys: keys,
      providers: providers)
    accounts.passwordHashes = metrics.passwordHashes
    let sharing = Sharing(
      directory: environment.directory, rules: configuration.accounts.rules, random: environment.random,
      clock: scheduler)
    let hub = SyncHub(
      configuration: configuration, directory: environment.directory, stores: environment.stores, context: context,
      metrics: metrics, logger: environment.logger.child("sync"))
    hub.quarantine = environment.quarantine
    hub.tokenKeys = keys
    hub.member = environment.placement.map {
      ClusterMember(
        placement: $0, network: environment.network,
        links: PeerLinks(
          $0, network: environment.network, random: environment.random, budget: hub.receiveBudget, metrics: metrics,
          logger: environment.logger.child("link")))
    }
    self.hub = hub
    relay = hub.member.map {
      RequestRelay($0, hub: hub, accounts: accounts, logger: environment.logger.child("http"))
    }
    authenticator = UpgradeAuthenticator(hub: hub, accounts: accounts, logger: environment.logger.child("sync"))
    let limits = environment.accountLimits ?? MemoryAccountLimits(clock: scheduler)
    api = HTTPAPI(
      accounts: accounts, sharing: sharing, context: context, configuration: configuration, limits: limits,
      network: environment.network, metrics: metrics, registry: environment.metrics,
      logger: environment.logger.child("http"),
      events: HTTPAPIEvents(
        isStopping: { hub.isStopping }, refusal: { [placement = environment.placement] in placement?.refusal },
        deleteRealm: { hub.deleteRealm($0, then: $1) },
        renameRealm: { hub.renameRealm($0, to: $1, then: $2) },
        sessions: { hub.sessions(of: $0) },
        explain: { hub.explain($0, by: $1, then: $2) }))
    api.writeProbe = environment.writeProbe
    audit = environment.audit.map {
      AuditTrail(log: $0, context: context, logger: environment.logger.child("audit"))
    }
    if let settings = configuration.mail, let mail = environment.mail {
      api.mail = MailService(
        settings: settings, accounts: accounts, limits: limits, folder: mail.folder, key: mail.key,
        transport: mail.transport, pending: environment.pendingAccounts, context: context,
        logger: environment.logger.child("mail"))
      api.mailPages = MailPages.files(serviceName: settings.serviceName)
    }
    hub.audit = audit
    api.audit = audit
    let admin = AdminServices(
      accounts: accounts, sharing: sharing, context: context, hub: hub, registry: environment.metrics,
      logger: environment.logger.child("admin"), configuration: configuration, startedAt: scheduler.wallTime,
      tasks: AdminTasks(), live: LiveStreams(), recentLogs: environment.recentLogs, files: environment.files,
      audit: audit, exchange: environment.files.map { ExchangeFiles(folder: $0.exchange) },
      webhooks: environment.webhooks)
    api.admin = AdminAPI(admin)
    hub.whenFilesChanged = { [positions = admin.positions, pasts = admin.pasts] path in
      positions.forget(path.description)
      pasts.forget(path)
    }
    hub.member?.links.whenOffered = { [weak self] request, passed, responder in
      self?.upgrade(request, passed: passed, with: responder)
    }
    guard configuration.graphQL.isEnabled else { return }
    let graphQL = GraphQLRealms(
      configuration.graphQL, hub: hub, accounts: accounts, registry: environment.metrics,
      logger: environment.logger.child("graphql"))
    api.graphQL = graphQL
    hub.graphQL = graphQL
  }

  // MARK: Start and stop

  /// Starts to listen.
  ///
  /// - Parameter completion: called once, on the loop, with the address including the assigned port, or with the error.
  public func start(_ completion: @escaping @Sendable (Result<ListenAddress, ServerError>) -> Void) {
    var options = configuration.http
    options.proxies = configuration.trustedProxies.ranges
    options.serverName = "OpenRealm/\(configuration.version)"
    options.receiveBudget = hub.receiveBudget
    // Connections that are not admitted yet take some 50 KiB each with TLS.
    options.maximumGuests = min(options.maximumGuests, max(256, configuration.memoryBudget >> 16))
    environment.network.listen(on: configuration.address, options: options, handler: self) { [self] result in
      switch result {
      case .success(let listener):
        self.listener.withLock { $0 = listener }
        environment.logger.info("listening", ["address": LogValue(listener.address)])
        hub.followDirectory()
        hub.followPlacement()
        scheduleCleaning()
        scheduleReview()
        scheduleVacuum()
        api.mail?.wake()
        audit?.scheduleSync { [isStopping] in !isStopping.isSet }
        audit?.note(AuditLog.Event("server.start", details: [.init("version", configuration.version)]))
        completion(.success(listener.address))
      case .failure(let error):
        completion(.failure(Self.startFailure(error, configuration.address)))
      }
    }
  }

  /// The form of ``start(_:)`` for asynchronous code.
  ///
  /// - Returns: the address including the assigned port.
  /// - Throws: ``ServerError/Code/cannotListen``
  public func start() async throws -> ListenAddress {
    try await withCheckedThrowingContinuation { continuation in
      start { continuation.resume(with: $0.mapError { $0 as any Error }) }
    }
  }

  /// Stops: accepts nothing more, waits for queued uploads to become durable, closes every connection with a code that makes
  /// clients come back later, and closes the files. From any thread.
  ///
  /// - Parameter completion: called once, when everything is closed.
  public func stop(_ completion: @escaping @Sendable () -> Void) {
    let listener = listener.withLock { $0 }
    listener?.stopAccepting()
    isStopping.set()
    environment.network.scheduler.execute { [self] in
      environment.logger.info("stopping")
      environment.directory.whenChanged(nil)
      hub.stop { [self] in
        hub.member?.links.stop()
        guard let listener else { return closeFiles(completion) }
        listener.shutDown(grace: configuration.stopGrace) { [self] in closeFiles(completion) }
      }
    }
  }

  /// The form of ``stop(_:)`` for asynchronous code.
  public func stop() async {
    await withCheckedContinuation { continuation in stop { continuation.resume() } }
  }

  /// Replaces the certificate for new connections.
  ///
  /// - Throws: ``ServerError/Code/badKey`` when the new certificate cannot be used; the old one stays.
  public func replaceTLS(_ tls: TLSServerConfiguration) throws(ServerError) {
    do throws(TransportError) {
      try listener.withLock({ $0 })?.replaceTLS(tls)
    } catch {
      throw ServerError(
        .badKey, error.message, remedy: "put a certificate chain and its private key in place, then try again",
        cause: error)
    }
    environment.logger.info("the certificate was replaced")
  }

  private func closeFiles(_ completion: @escaping @Sendable () -> Void) {
    // The listener retains its handler, this server.
    let hasListened = listener.withLock { listener in
      defer { listener = nil }
      return listener != nil
    }
    environment.executor.shutDown { [environment] in
      if hasListened { environment.audit?.note(AuditLog.Event("server.stop")) }
      environment.audit?.sync()
      environment.directory.close()
      environment.release()
      environment.logger.info("stopped")
      completion()
    }
  }

  private func scheduleCleaning() {
    environment.network.scheduler.schedule(after: .seconds(3_600)) { [weak self] in
      guard let self, !hub.isStopping else { return }
      let (directory, now) = (environment.directory, environment.network.scheduler.wallTime)
      environment.executor.submit(to: .directory) { try? directory.removeExpired(before: now) }
      if let mail = api.mail {
        environment.executor.submit(to: .mail) {
          mail.removeExpired(at: now)
        }
      }
      scheduleCleaning()
    }
  }

  /// Schedules the review of logins: they expire, and so do tokens.
  private func scheduleReview() {
    environment.network.scheduler.schedule(after: configuration.loginReviewInterval) { [weak self] in
      guard let self, !hub.isStopping else { return }
      hub.reviewLogins(at: environment.network.scheduler.wallTime) { [weak self] in self?.scheduleReview() }
    }
  }

  private static func startFailure(_ error: TransportError, _ address: ListenAddress) -> ServerError {
    let (reason, remedy) =
      switch error.code {
      case .addressInUse: ("the port is in use", "stop the other process, or choose another port with --port")
      case .permissionDenied: ("the system does not allow it", "choose a port above 1023 with --port")
      case .addressUnavailable, .unresolvedHost:
        ("this machine has no such address", "choose an address of this machine with --host")
      default: (error.message, "check --host and --port")
      }
    return ServerError(.cannotListen, "cannot listen on \(address): \(reason)", remedy: remedy)
  }

  // MARK: HTTPServerHandler

  /// Answers an HTTP request. On the loop.
  public func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    let request = hub.configuration.trustedProxies.resolving(request)
    guard let relay else { return api.respond(to: request, with: responder) }
    relay.respond(to: request, with: responder) { [self] in api.respond(to: $0, with: responder) }
  }

  /// Accepts or refuses a sync connection. On the loop.
  public func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    var request = request
    request.http = hub.configuration.trustedProxies.resolving(request.http)
    guard let links = hub.member?.links else { return decide(request, passed: nil, with: responder) }
    guard request.http.path != LinkHandshake.path else { return links.accept(request, with: responder) }
    upgrade(request, passed: nil, with: responder)
  }

  /// Decides on the WebSocket of a client, which may have come over another node, or passes it on. On the loop.
  private func upgrade(
    _ request: WebSocketUpgradeRequest, passed: PassedOn?, with responder: any WebSocketUpgradeResponder
  ) {
    guard let relay, api.graphQL != nil, let path = GraphQLRealms.path(of: request) else {
      return decide(request, passed: passed, with: responder)
    }
    let origin = ClusterMember.Origin(request: request.http, passed: passed)
    relay.upgrade(path, origin, request.protocolTokens, with: responder) { [self] in
      decide(request, passed: passed, with: responder)
    }
  }

  private func decide(
    _ request: WebSocketUpgradeRequest, passed: PassedOn?, with responder: any WebSocketUpgradeResponder
  ) {
    if let graphQL = api.graphQL, let path = GraphQLRealms.path(of: request) {
      return graphQL.upgrade(path, request, with: responder)
    }
    authenticator.upgrade(request, passed: passed, with: responder)
  }
}
