import Concurrency
import Permissions
import SyncProtocol
import Telemetry
import Transport

/// All sync connections and all realms in use.
// @unchecked Sendable: its variables are touched on the loop only.
final class SyncHub: @unchecked Sendable {
  let configuration: ServerConfiguration
  let directory: any Directory
  let stores: any HistoryStores
  let context: LoopContext
  let metrics: ServerMetrics
  let logger: Logger

  private(set) var connections: [ConnectionIdent: SyncConnection] = [:]
  var realms: [Permissions.RealmPath: RealmSequencer] = [:]
  private var nextQueue: UInt64 = 1
  /// Realms that an operator is moving or deleting.
  var locked: Set<Permissions.RealmPath> = []
  var quarantine: (any Quarantine)?
  private(set) var isStopping = false
  private var isClosing = false
  var budget: MemoryBudget
  /// What connections hold of what their clients send, and what is made of it. It and ``budget`` share one limit.
  let receiveBudget: ReceiveBudget
  /// Connections whose scans wait for room in the budget, in order.
  var held: [SyncConnection] = []
  /// Connections that are not read from because their uploads are too much.
  var paused: [SyncConnection] = []
  var isReleasing = false
  /// Realms whose files are open and that rest.
  var resting = RestingRealms()
  var restTimer: (any Cancellable)?
  /// Realms closed since memory was given back.
  var closedRealms = 0
  var connectionRate: RateLimit
  /// How fast a user makes realms, each of which is a file.
  private var realmRate: RateLimit
  private var whenEmpty: (@Sendable () -> Void)?

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
    connectionRate = RateLimit(perSecond: configuration.connectionsPerSecond)
    realmRate = RateLimit(
      perSecond: Double(configuration.realmsPerSecond), burst: Double(configuration.realmsPerSecond * 20))
    receiveBudget.onRelease = { [weak self] in self?.release() }
  }

  var scheduler: any Scheduler { context.scheduler }

  // MARK: Connections

  func opened(_ connection: SyncConnection) {
    connections[connection.ident] = connection
    metrics.connections.add(1)
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

  func ordered() -> [SyncConnection] {
    connections.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
  }

  /// Connections of ended logins are told to get a new token, which they cannot.
  func loginsEnded(_ logins: [String]) {
    let ended = Set(logins)
    for connection in ordered() where connection.bearer.login.map(ended.contains) ?? false {
      connection.handle(.tokenExpired)
    }
  }

  // MARK: Opening realms

  private static let tooManyNewRealms = SessionFailure(
    .sessionClosed, "too many new realms at a time; it will be tried again", tryAgain: true)

  /// Answers a BIND: checks the path and the permission, and joins the session to its realm.
  func openRealm(_ request: BindRequest, _ key: SessionKey, for connection: SyncConnection) {
    let bearer = connection.bearer
    let named: Permissions.RealmPath
    do {
      named = try Self.path(of: request, for: bearer)
    } catch {
      return connection.handle(
        .sessionFailed(key, SessionFailure(.illegalRealmPath, "Illegal Realm path (BIND): \(error)")))
    }
    guard realms[named] != nil || realmRate.hasRoom(bearer.user.rawValue, at: scheduler.now) else {
      return connection.handle(.sessionFailed(key, Self.tooManyNewRealms))
    }
    connection.realms[key] = .some(nil)
    let (directory, rules, clock) = (directory, configuration.accounts.rules, context.scheduler)
    context.perform(.directory) { () throws(ServerError) -> Opening in
      // Stock clients cannot go to another path: the old name of a realm goes on opening it, tokens for it included.
      let path = try directory.renamedPath(of: named) ?? named
      var subject = bearer.subject
      if subject.tokenPath == named { subject.tokenPath = path }
      let facts = try directory.facts(of: path)
      var opening = Opening(path: path, subject: subject, decision: rules.decide(subject, wants: .read, of: facts))
      if opening.decision.isAllowed, !facts.exists {
        opening.isNew = try directory.recordRealm(path, createdBy: bearer.user, at: clock.wallTime)
      }
      return opening
    } then: { [weak self, weak connection] result in
      guard let self, let connection, connection.realms[key] != nil else { return }
      switch result {
      case .failure(let error):
        logger.error("the directory failed", ["reason": LogValue("\(error)")])
        connection.handle(.sessionFailed(key, RealmJob.storageFailure))
      case .success(let opening) where !opening.decision.isAllowed:
        logger.info("permission denied", ["path": .string(named.description), "user": .string(bearer.user.rawValue)])
        let reason = "Permission denied (BIND): \(opening.decision.explanation)"
        connection.handle(.sessionFailed(key, SessionFailure(.permissionDenied, reason)))
      case .success(let opening): join(opening, key, connection)
      }
    }
  }

  /// A realm that a session asks for, and what it may do there.
  private struct Opening: Sendable {
    var path: Permissions.RealmPath
    var subject: AccessSubject
    var decision: AccessDecision
    /// Whether there never was a realm of that path.
    var isNew = false
  }

  private func join(_ opening: Opening, _ key: SessionKey, _ connection: SyncConnection) {
    guard !locked.contains(opening.path) else { return connection.handle(.sessionFailed(key, Self.busy)) }
    if opening.isNew { _ = realmRate.admits(connection.bearer.user.rawValue, at: scheduler.now) }
    let realm = sequencer(opening.path, isNew: opening.isNew)
    connection.realms[key] = realm
    let deliver: @Sendable (ServerConnection.Event) -> Void = { [weak connection] event in connection?.handle(event) }
    let ident = connection.member(key)
    realm.join(ident, RealmMember(deliver: deliver, level: opening.decision.level, subject: opening.subject))
    realm.request(.open, by: ident)
  }

  private static func path(
    of request: BindRequest, for bearer: Bearer
  ) throws(RealmPathError) -> Permissions.RealmPath {
    let user = bearer.user == Accounts.administratorTokenUser ? nil : bearer.user
    return try Permissions.RealmPath(request.rawPath, for: user)
  }

  private func sequencer(_ path: Permissions.RealmPath, isNew: Bool) -> RealmSequencer {
    if let realm = realms[path] { return realm }
    let realm = RealmSequencer(
      path: path, isNew: isNew, queue: .realm(nextQueue), stores: stores, context: context, metrics: metrics,
      logger: logger.child("realm"), groupCommitBytes: configuration.groupCommitBytes)
    realm.quarantinePlace = quarantine
    let number = nextQueue
    realm.didRest = { [weak self, weak realm] in
      guard let self, let realm else { return }
      realmRests(realm, number)
    }
    nextQueue += 1
    realms[path] = realm
    return realm
  }

  /// A session left; a realm without sessions is closed after a while.
  func left(_ realm: RealmSequencer) {
    guard realm.members.isEmpty, !isStopping else { return }
    let count = realm.useCount
    scheduler.schedule(after: configuration.realmIdleTimeout) { [weak self] in
      guard let self, realm.useCount == count, realm.isIdle else { return }
      guard !realm.hasUnfinishedWork else { return left(realm) }
      // It stays listed until its files are closed, so that nobody opens them a second time meanwhile.
      realm.close { [weak self] in
        guard let self, realm.useCount == count, realms[realm.path] === realm else { return }
        realms[realm.path] = nil
      }
    }
  }

  // MARK: Grants change

  /// Decides again for every live session of these realms.
  func grantsChanged(_ paths: [Permissions.RealmPath]) {
    for path in paths {
      guard let realm = realms[path] else { continue }
      let directory = directory
      context.perform(.directory) { () throws(ServerError) -> RealmFacts in
        try directory.facts(of: path)
      } then: { [weak self] result in
        guard let self, case .success(let facts) = result else { return }
        apply(facts, to: realm)
      }
    }
  }

  private func apply(_ facts: RealmFacts, to realm: RealmSequencer) {
    for (ident, member) in realm.ordered() {
      let decision = configuration.accounts.rules.decide(member.subject, wants: .read, of: facts)
      if decision.isAllowed {
        realm.setLevel(decision.level, of: ident)
      } else {
        member.deliver(
          .sessionFailed(
            ident.session, SessionFailure(.permissionDenied, "Permission withdrawn: \(decision.explanation)")))
      }
    }
  }

  // MARK: Stopping

  /// Lets queued uploads become durable and answered, for a moment, then closes every connection and every realm.
  /// What was not answered is uploaded again by its client.
  func stop(_ completion: @escaping @Sendable () -> Void) {
    isStopping = true
    restTimer?.cancel()
    let open = realms.sorted { $0.key.description < $1.key.description }.map(\.value)
    let settled = Countdown(open.count) { [self] in closeConnections(completion) }
    for realm in open { realm.afterWork { settled.count() } }
    scheduler.schedule(after: .seconds(1)) { [self] in closeConnections(completion) }
  }

  private func closeConnections(_ completion: @escaping @Sendable () -> Void) {
    guard !isClosing else { return }
    isClosing = true
    let connections = ordered()
    let finish: @Sendable () -> Void = { [self] in closeRealms(completion) }
    guard !connections.isEmpty else { return finish() }
    whenEmpty = finish
    for connection in connections { connection.handle(.shutDown) }
    scheduler.schedule(after: configuration.stopGrace) { [self] in
      for connection in ordered() { connection.socket?.abort() }
    }
  }

  private func closeRealms(_ completion: @escaping @Sendable () -> Void) {
    let open = realms.sorted { $0.key.description < $1.key.description }.map(\.value)
    realms = [:]
    let closed = Countdown(open.count, completion)
    for realm in open { realm.afterWork { realm.close { closed.count() } } }
  }
}
