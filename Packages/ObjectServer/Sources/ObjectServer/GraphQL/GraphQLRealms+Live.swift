import Concurrency
import GraphQL
import Permissions
import RealmGraphQL
import RecordStore
import Telemetry

/// Operations of WebSockets. On the loop.
extension GraphQLRealms {
  /// Begins an operation: a subscription, or a query or a mutation that is answered once.
  func start(
    _ request: GraphQLRequest, _ subscriber: UInt64, at target: RealmTarget, for socket: GraphQLSocket,
    operation: String
  ) {
    let kind = Self.kind(of: request)
    guard kind == .subscription else {
      return execute(request, at: target, mayMutate: true, from: socket.remoteAddress) { [weak socket] result in
        switch result {
        case .success(let answer) where answer.response.data == nil:
          socket?.fail(answer.response.errors, operation, of: subscriber)
        case .success(let answer):
          socket?.deliver(answer.response.bytes, to: operation, of: subscriber, isFinal: true)
        case .failure(let error): socket?.fail([Self.shown(error)], operation, of: subscriber)
        }
      }
    }
    let realm = liveRealm(target)
    realm.listeners[subscriber] = .init(socket: socket, operation: operation)
    metrics.subscriptions.add(1)
    let (access, gone) = (target.access, realm.takeGone())
    hub.serve(target.path, for: target.subject.user) { [weak self] store in
      guard let self else { throw ServerError.closedMeanwhile }
      let caches = try Self.caches(store)
      let queries = realm.queries(caches, self, without: gone)
      return (try queries.add(subscriber, request, for: access, in: caches.history), false)
    } then: { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let admission):
        deliver(admission.deliveries, realm)
        if let refusal = admission.refusal {
          forget(subscriber, realm, at: target.path)
          return socket.fail(refusal.errors, operation, of: subscriber)
        }
        // It may have ended meanwhile.
        if realm.listeners[subscriber] == nil { unsubscribe(subscriber, at: target.path) }
      case .failure(let error):
        realm.gone += gone
        forget(subscriber, realm, at: target.path)
        socket.fail([Self.shown(error)], operation, of: subscriber)
      }
    }
  }

  /// The kind of the operation that a document asks for; that of its only operation, if it names none.
  private static func kind(of request: GraphQLRequest) -> OperationKind? {
    guard request.query.utf8.count <= 1 << 20, let document = try? GraphQLDocument(parsing: request.query) else {
      return nil
    }
    return document.kind(ofOperation: request.operationName)
  }

  private static func shown(_ error: any Error) -> GraphQLError {
    switch error {
    case let error as APIError: GraphQLError(error.message, code: error.code.rawValue)
    case let error as ServerError: GraphQLError("\(error.message); \(error.remedy)", code: "UNAVAILABLE")
    case let error as GraphQLError: error
    default: GraphQLError("The realm could not be read or written.", code: "INTERNAL")
    }
  }

  private func liveRealm(_ target: RealmTarget) -> LiveRealm {
    if let realm = live[target.path] { return realm }
    let path = target.path
    let realm = LiveRealm(isQueryBased: target.isQueryBased)
    live[path] = realm
    let watch = RealmWatch(matching: { $0 == path }) { [weak self] in
      self?.committed(path)
    } end: { _ in
    }
    realm.watch = watch
    hub.add(watch)
    return realm
  }

  /// Ends a subscription.
  func unsubscribe(_ subscriber: UInt64, at path: Permissions.RealmPath?) {
    guard let path, let realm = live[path] else { return }
    forget(subscriber, realm, at: path)
    guard hub.realms[path]?.isOpen == true else { return realm.gone.append(subscriber) }
    hub.serve(path, for: Accounts.administratorTokenUser) { _ in
      realm.remove(subscriber)
      return ((), false)
    } then: { result in
      if case .failure = result { realm.gone.append(subscriber) }
    }
  }

  private func forget(_ subscriber: UInt64, _ realm: LiveRealm, at path: Permissions.RealmPath) {
    guard realm.listeners.removeValue(forKey: subscriber) != nil else { return }
    metrics.subscriptions.add(-1)
    guard realm.listeners.isEmpty, live[path] === realm else { return }
    live[path] = nil
    if let watch = realm.watch { hub.remove(watch) }
    letGo(of: path, realm)
  }

  private func letGo(of path: Permissions.RealmPath, _ realm: LiveRealm) {
    guard hub.realms[path]?.isOpen == true else { return }
    hub.serve(path, for: Accounts.administratorTokenUser) { _ in
      realm.suspend()
      return ((), false)
    } then: { _ in
    }
  }

  /// Lets go of the files of a realm that are to be closed, in its queue; nil when nothing holds them.
  func closing(_ path: Permissions.RealmPath) -> (@Sendable () -> Void)? {
    guard let realm = live[path] else { return nil }
    return { realm.suspend() }
  }

  // MARK: Commits

  /// There may be new commits: several that come while an update waits are one.
  private func committed(_ path: Permissions.RealmPath) {
    guard let realm = live[path] else { return }
    _ = realm.watch?.take()
    guard !realm.isUpdateAsked, !realm.listeners.isEmpty else { return }
    realm.isUpdateAsked = true
    let gone = realm.takeGone()
    hub.serve(path, for: Accounts.administratorTokenUser) { [weak self] store in
      guard let self else { throw ServerError.closedMeanwhile }
      let caches = try Self.caches(store)
      let queries = realm.queries(caches, self, without: gone)
      return (try queries.update(caches.history), false)
    } then: { [weak self] result in
      realm.isUpdateAsked = false
      guard let self else { return }
      switch result {
      case .success(let deliveries): deliver(deliveries, realm)
      case .failure(let error):
        realm.gone += gone
        logger.error("subscriptions cannot be brought up to date", ["reason": LogValue("\(error)")])
      }
    }
  }

  private func deliver(_ deliveries: [LiveQueries.Delivery], _ realm: LiveRealm) {
    for delivery in deliveries {
      metrics.pushes.increment(by: UInt64(delivery.subscribers.count))
      for subscriber in delivery.subscribers {
        guard let listener = realm.listeners[subscriber] else { continue }
        if delivery.isFinal {
          realm.listeners[subscriber] = nil
          metrics.subscriptions.add(-1)
        }
        listener.socket?.deliver(
          delivery.response, to: listener.operation, of: subscriber, isFinal: delivery.isFinal)
      }
    }
  }

  // MARK: Sockets

  /// Whether a user may have another WebSocket.
  func admits(_ user: UserId) -> Bool {
    sockets.values.count { $0.bearer?.user == user } < settings.connectionsPerUser
  }

  func opened(_ socket: GraphQLSocket) {
    sockets[ObjectIdentifier(socket)] = socket
    metrics.connections.add(1)
  }

  func closed(_ socket: GraphQLSocket) {
    if sockets.removeValue(forKey: ObjectIdentifier(socket)) != nil { metrics.connections.add(-1) }
  }

  /// Closes every WebSocket: the server stops.
  func stop() {
    for socket in sockets.values { socket.close(1001, "the server is stopping") }
  }

  /// The realms of the open sockets.
  var openPaths: Set<Permissions.RealmPath> { Set(sockets.values.compactMap { $0.target?.path }) }

  /// Ends the subscriptions to a realm that is moved or deleted.
  func withdrawn(_ path: Permissions.RealmPath) {
    named.forget(path)
    for socket in sockets.values where socket.target?.path == path {
      socket.close(4404, "the realm was moved or deleted")
    }
  }
}
