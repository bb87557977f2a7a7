import Concurrency
import Permissions
import SyncProtocol
import Telemetry
import Transport

extension SyncHub {
  private static let tooManyNewRealms = SessionFailure(
    .sessionClosed, "too many new realms at a time; it will be tried again", tryAgain: true)

  /// Answers a BIND message: checks the path and the access, and joins the session to its realm.
  func openRealm(_ request: BindRequest, _ key: SessionKey, for connection: SyncConnection) {
    let bearer = connection.bearer
    let named: Permissions.RealmPath
    do {
      named = try path(named: request.rawPath, for: connection)
    } catch {
      return connection.handle(
        .sessionFailed(key, SessionFailure(.illegalRealmPath, "Illegal Realm path (BIND): \(error)")))
    }
    guard realms[named] != nil || realmRate.hasRoom(bearer.user.rawValue, at: scheduler.now) else {
      return connection.handle(.sessionFailed(key, Self.tooManyNewRealms))
    }
    connection.realms[key] = .some(nil)
    let (directory, rules, clock) = (directory, configuration.accounts.rules, context.scheduler)
    let feedPosition = feed.position
    context.perform(.directory) { () throws(ServerError) -> Opening in
      // Stock clients cannot change the path: the old name of a realm still opens it, with tokens for it as well.
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
        audit?.note(
          AuditLog.Event(
            "realm.open", actor: bearer.user.rawValue, subject: named.description,
            address: connection.clientAddress, outcome: "PermissionDenied"))
        let reason = "Permission denied (BIND): \(opening.decision.explanation)"
        connection.handle(.sessionFailed(key, SessionFailure(.permissionDenied, reason)))
      case .success(let opening):
        join(opening, key, connection)
        // The grants may have changed since they were looked up.
        if feed.position != feedPosition { grantsChanged([opening.path]) }
      }
    }
  }

  /// The realm of a session, and the decision about its access.
  private struct Opening: Sendable {
    var path: Permissions.RealmPath
    var subject: AccessSubject
    var decision: AccessDecision
    /// Whether there never was a realm at the path.
    var isNew = false
  }

  private func join(_ opening: Opening, _ key: SessionKey, _ connection: SyncConnection) {
    guard !locked.contains(opening.path) else { return connection.handle(.sessionFailed(key, Self.busy)) }
    // It may have left since its place was looked up.
    guard isHere(opening.path) else { return connection.handle(.sessionFailed(key, Self.moving)) }
    if opening.isNew { _ = realmRate.admits(connection.bearer.user.rawValue, at: scheduler.now) }
    let realm = sequencer(opening.path, isNew: opening.isNew)
    connection.realms[key] = realm
    let deliver: @Sendable (ServerConnection.Event) -> Void = { [weak connection] event in connection?.handle(event) }
    let ident = connection.member(key)
    var member = RealmMember(deliver: deliver, level: opening.decision.level, subject: opening.subject)
    member.rule = opening.decision.rule
    member.namesRealm = connection.app.map { $0.hasPrefix("/") && configuration.apps[$0] == nil } ?? true
    realm.join(ident, member)
    realm.request(.open, by: ident)
  }

  /// The realm that a BIND names, or that of the connection's app: a client with queries names none. An app id that is a
  /// path names the realm itself, as our own clients' do.
  func path(
    named rawPath: String, for connection: SyncConnection
  ) throws(RealmPathError) -> Permissions.RealmPath {
    let bearer = connection.bearer
    let user = bearer.user == Accounts.administratorTokenUser ? nil : bearer.user
    guard connection.machine.dialect.flavour == .full else {
      guard let app = connection.app, app.hasPrefix("/"), configuration.apps[app] == nil else {
        return configuration.realm(ofApp: connection.app)
      }
      return try Permissions.RealmPath(app, for: user)
    }
    return try Permissions.RealmPath(rawPath, for: user)
  }

  func sequencer(_ path: Permissions.RealmPath, isNew: Bool) -> RealmSequencer {
    if let realm = realms[path] { return realm }
    let realm = RealmSequencer(
      path: path, isNew: isNew, queue: .realm(nextQueue), stores: stores, context: context, metrics: metrics,
      logger: logger.child("realm"), groupCommitBytes: configuration.groupCommitBytes)
    realm.quarantineStore = quarantine
    realm.watches = watches.filter { $0.matches(path) }
    if let placement = member?.placement { realm.didWork = { placement.worked(on: path, for: $0) } }
    realm.closing = { [weak self] in self?.graphQL?.closing(path) }
    realm.didIdentify = { [weak self] in self?.authors.note($0, of: $1, in: path) }
    realm.didOpen = { [weak self] in self?.filesOpened(of: path) }
    realm.didFail = { [weak self] in self?.filesFailed(of: path) }
    let number = nextQueue
    realm.didBecomeIdle = { [weak self, weak realm] in
      guard let self, let realm else { return }
      realmBecameIdle(realm, number)
    }
    nextQueue += 1
    realms[path] = realm
    return realm
  }

  /// Closes a realm after its last session left, unless a session joins within the idle timeout.
  func left(_ realm: RealmSequencer) {
    guard realm.members.isEmpty, !isStopping, !realm.isLeaving else { return }
    realm.isLeaving = true
    let count = realm.useCount
    scheduler.schedule(after: configuration.realmIdleTimeout) { [weak self] in
      realm.isLeaving = false
      guard let self else { return }
      guard realm.useCount == count, realm.isUnused else { return left(realm) }
      guard !realm.hasUnfinishedWork else { return left(realm) }
      // The realm stays listed until its files are closed: they must not be opened a second time before.
      realm.close { [weak self] in
        guard let self, realm.useCount == count, realms[realm.path] === realm else { return }
        realms[realm.path] = nil
      }
    }
  }
}
