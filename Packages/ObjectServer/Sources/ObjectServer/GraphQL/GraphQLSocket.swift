import Concurrency
import GraphQL
import Permissions
import RealmGraphQL
import Telemetry
import Transport

/// One GraphQL WebSocket: runs the protocol's machine and performs its actions.
// @unchecked Sendable: its variables are accessed on the loop only.
final class GraphQLSocket: WebSocketHandler, @unchecked Sendable {
  /// The most bytes that wait for a subscriber that does not read; it is then cut.
  static let mostBufferedBytes = 16 << 20

  let realms: GraphQLRealms
  private let path: String
  /// The token of the upgrade request, for clients that can send headers.
  private let headerToken: String?
  /// The address of the client; that of the peer would be another node's for a connection that was passed on.
  let remoteAddress: String
  private var machine: GraphQLSocketMachine
  private var socket: (any WebSocketConnection)?
  private var initTimer: (any Cancellable)?
  private(set) var bearer: Bearer?
  private(set) var target: RealmTarget?
  /// The subscriptions under way, by the names of their operations.
  private var subscribers: [String: UInt64] = [:]
  private var isClosed = false
  /// The bytes that wait for this subscriber, as they were counted last.
  var countedBytes = 0

  init(
    _ dialect: GraphQLSocketMachine.Dialect, path: String, headerToken: String?, address: String, realms: GraphQLRealms
  ) {
    machine = GraphQLSocketMachine(dialect, mostOperations: realms.settings.operationsPerConnection)
    self.path = path
    self.headerToken = headerToken
    remoteAddress = address
    self.realms = realms
  }

  // MARK: Socket

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    socket = connection
    realms.opened(self)
    initTimer = realms.hub.scheduler.schedule(after: realms.settings.initTimeout) { [weak self] in
      self?.handle(.initTimedOut)
    }
  }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    switch message {
    case .text(let bytes): handle(.message(bytes))
    case .binary: handle(.binary)
    case .oversized: close(4400, "The message has more than \(realms.settings.messageBytes) bytes")
    }
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    isClosed = true
    realms.forgetBuffer(of: self, countedBytes)
    countedBytes = 0
    initTimer?.cancel()
    for id in subscribers.values { realms.unsubscribe(id, at: target?.path) }
    subscribers = [:]
    realms.closed(self)
  }

  // MARK: Machine

  func handle(_ event: GraphQLSocketMachine.Event) {
    for action in machine.handle(event) { perform(action) }
  }

  private func perform(_ action: GraphQLSocketMachine.Action) {
    switch action {
    case .authenticate(let token): authenticate(token ?? headerToken)
    case .start(let id, let request): start(id, request)
    case .stop(let id):
      if let subscriber = subscribers.removeValue(forKey: id) { realms.unsubscribe(subscriber, at: target?.path) }
    case .send(let bytes): send(bytes)
    case .close(let code, let reason): close(code, reason)
    }
  }

  private func send(_ bytes: [UInt8]) {
    guard let socket, !isClosed else { return }
    guard socket.bufferedBytes <= Self.mostBufferedBytes, realms.mayBuffer(for: self) else {
      realms.logger.info("a subscriber does not read", ["bytes": LogValue(socket.bufferedBytes)])
      return socket.abort()
    }
    socket.send(text: String(decoding: bytes, as: UTF8.self))
  }

  func close(_ code: UInt16, _ reason: String) {
    socket?.close(code: WebSocketCloseCode(rawValue: code), reason: reason)
  }

  private func authenticate(_ token: String?) {
    initTimer?.cancel()
    let (realms, path) = (realms, path)
    realms.hub.context.perform(.directory) { () -> Result<(Bearer, RealmTarget), any Error> in
      Result {
        let bearer = try realms.bearer(token)
        return (bearer, try realms.target(path, bearer))
      }
    } then: { [weak self] result in
      guard let self, !isClosed else { return }
      switch result {
      case .success(.success(let (bearer, target))):
        guard realms.admits(bearer.user) else {
          return handle(.refused(code: 4429, reason: "Too many connections of this user"))
        }
        (self.bearer, self.target) = (bearer, target)
        handle(.authenticated)
      case .success(.failure(let error)): handle(.refused(code: 4403, reason: Self.reason(error)))
      }
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case Accounts.TokenRefusal.expired: "Forbidden: the access token has expired"
    case Accounts.TokenRefusal.refused(let reason): "Forbidden: \(reason)"
    case let error as APIError: "Forbidden: \(error.message)"
    default: "Forbidden"
    }
  }

  // MARK: Operations

  private func start(_ id: String, _ request: GraphQLRequest) {
    guard let target else { return }
    let subscriber = realms.makeSubscriber()
    subscribers[id] = subscriber
    realms.start(request, subscriber, at: target, for: self, operation: id)
  }

  /// A result of a subscription, or of an operation that ends with it.
  func deliver(_ bytes: [UInt8], to id: String, of subscriber: UInt64, isFinal: Bool) {
    guard subscribers[id] == subscriber else { return }
    if isFinal { subscribers[id] = nil }
    handle(.result(id, bytes, isFinal: isFinal))
  }

  func fail(_ errors: [GraphQLError], _ id: String, of subscriber: UInt64) {
    guard subscribers[id] == subscriber else { return }
    subscribers[id] = nil
    handle(.failed(id, GraphQLSocketMachine.errors(errors, machine.dialect)))
  }

  /// The token, the login or the access has ended.
  func forbid(_ reason: String) { handle(.refused(code: 4403, reason: reason)) }

  /// Takes what grants decide now.
  func take(_ target: RealmTarget) { self.target = target }

  var requestedPath: String { path }
  /// The bytes that wait for this subscriber.
  var bufferedBytes: Int { isClosed ? 0 : socket?.bufferedBytes ?? 0 }
}
