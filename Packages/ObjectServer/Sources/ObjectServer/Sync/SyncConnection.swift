import Concurrency
import Permissions
import SyncProtocol
import Telemetry
import Transport

/// One sync connection: runs the protocol's machine and performs its actions.
// @unchecked Sendable: its variables are accessed on the loop only.
final class SyncConnection: WebSocketHandler, @unchecked Sendable {
  let bearer: Bearer
  /// The address of the client, also behind a proxy or another node.
  let clientAddress: String
  /// The position of the directory's feed before the bearer was looked up.
  let feedPosition: Int64?
  /// The app id in the URL of the connection.
  let app: String?
  let hub: SyncHub
  let logger: Logger
  private(set) var socket: (any WebSocketConnection)?
  private let runner: MachineRunner<ServerConnection, ServerConnection.Event, ServerConnection.Action>
  /// Whether messages are compressed.
  private let compresses: Bool
  private var timers: [ServerConnection.Timer: any Cancellable] = [:]
  /// The realms by session; nil while the access is being decided.
  var realms: [SessionKey: RealmSequencer?] = [:]
  private(set) var isCongested = false
  /// The connection's part of the server's memory budget.
  var load = ConnectionLoad()
  /// The messages that arrived behind a large one.
  var inbox = MessageInbox()
  /// The sessions that other nodes answer; nil for a server that is alone.
  var relay: ConnectionRelay?

  /// A connection that is not open yet.
  ///
  /// - Parameter isPassedOn: whether another node passes it on, which watches that its client is there.
  init(
    bearer: Bearer, clientAddress: String, feedPosition: Int64?, dialect: Dialect, app: String?, compresses: Bool,
    correlation: String, isPassedOn: Bool, hub: SyncHub, logger: Logger
  ) {
    self.bearer = bearer
    self.clientAddress = clientAddress
    self.feedPosition = feedPosition
    self.app = app
    self.compresses = compresses
    self.hub = hub
    self.logger = logger
    var settings = hub.configuration.connectionSettings
    if isPassedOn { settings.idleTimeout = nil }
    runner = MachineRunner(
      ServerConnection(dialect: dialect, correlation: correlation, settings: settings)
    ) { machine, event in machine.handle(event) }
  }

  var ident: ConnectionIdent { socket?.ident ?? ConnectionIdent(rawValue: 0) }

  // MARK: Socket

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    socket = connection
    hub.opened(self)
    logger.info("connected", ["address": .string(clientAddress)])
    run { $0.start() }
  }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    hub.metrics.messagesIn.increment()
    hub.metrics.bytesIn.increment(by: UInt64(message.bytes.count))
    if let relay { relay.received(message) } else { answer(message) }
  }

  /// Handles a message that this server answers, in the order of these messages.
  func answer(_ message: WebSocketMessage) {
    if inbox.isDecoding { inbox.append(message) } else { take(message) }
  }

  func webSocketDidDrain(_ connection: any WebSocketConnection) {
    noteBuffered(connection.bufferedBytes)
    guard isCongested else { return }
    isCongested = false
    relay?.clientIsCongested(false)
    handle(.drained)
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    logger.info("disconnected", ["how": .string(Self.describe(closure))])
    inbox = MessageInbox()
    relay?.close()
    handle(.disconnected)
    for timer in timers.values { timer.cancel() }
    timers = [:]
    unloadAll()
    hub.closed(self)
  }

  private static func describe(_ closure: WebSocketClosure) -> String {
    switch closure {
    case .closed(let code, _, let byPeer): "code \(code) by \(byPeer ? "the client" : "the server")"
    case .refused: "refused"
    case .failed(let error): error.code.rawValue
    }
  }

  // MARK: Machine

  /// The machine, as its last event left it.
  var machine: ServerConnection { runner.machine }

  /// Feeds one event; events that arise while actions are performed are handled after it.
  func handle(_ event: ServerConnection.Event) {
    account(event)
    runner.handle(event, perform: perform)
  }

  /// Feeds an input that is no event, such as a message of the socket. Never called while actions are performed.
  func run(_ input: (inout ServerConnection) -> [ServerConnection.Action]) { runner.run(input, perform: perform) }

  private func perform(_ action: ServerConnection.Action) {
    switch action {
    case .send(let message): send(message)
    case .close(let code, let reason):
      socket?.close(code: WebSocketCloseCode(rawValue: code.rawValue), reason: reason)
    case .pauseReading: pauseByMachine(true)
    case .resumeReading: pauseByMachine(false)
    case .startTimer(let timer, let delay): start(timer, after: delay)
    case .openRealm(let key, let request): hub.openRealm(request, key, for: self)
    case .allocateFileIdent(let key): ask(.allocateFile, key)
    case .findClientFile(let key, let claim): ask(.findFile(claim), key)
    case .sessionIdentified(let key, let file):
      hub.metrics.sessions.add(1)
      realm(key)?.identify(member(key), as: file)
    case .scanHistory(let key, let request): scan(key, request)
    case .integrate(let key, let batch):
      uploadBegan(key, batch.weight)
      ask(.integrate(batch), key)
    case .sessionEnded(let key):
      unload(key)
      leave(key)
    case .log(let level, let text): log(level, text)
    }
  }

  func send(_ message: ServerMessage) {
    if case .jsonError(let error) = message {
      if error.session == .connection {
        hub.metrics.malformedMessages.increment()
      } else {
        hub.metrics.failedSessions.increment()
      }
    }
    send(message.encoded(for: machine.dialect, compressing: compresses))
  }

  /// Sends the bytes of a message. Above ``ServerConfiguration/congestionBytes`` no DOWNLOAD follows, and no node is read from.
  func send(_ bytes: [UInt8]) {
    guard let socket else { return }
    hub.metrics.messagesOut.increment()
    hub.metrics.bytesOut.increment(by: UInt64(bytes.count))
    socket.send(binary: bytes)
    load.sent += bytes.count
    noteBuffered(socket.bufferedBytes)
    if !isCongested, socket.bufferedBytes > hub.configuration.congestionBytes {
      isCongested = true
      watchReader()
      relay?.clientIsCongested(true)
      runner.handle(.congested, perform: perform)
    }
  }

  private func start(_ timer: ServerConnection.Timer, after delay: Duration) {
    timers[timer]?.cancel()
    timers[timer] = hub.scheduler.schedule(after: delay) { [weak self] in
      guard let self else { return }
      if timer == .closing { socket?.abort() }
      handle(.timerEnded(timer))
    }
  }

  private func log(_ level: LogMessage.Level, _ text: String) {
    switch level {
    case .fatal, .error: logger.error(text)
    case .warn: logger.warn(text)
    case .info: logger.info(text)
    case .detail: logger.detail(text)
    case .debug, .trace: logger.debug(text)
    }
  }

  // MARK: Realms

  func member(_ key: SessionKey) -> MemberIdent { MemberIdent(connection: ident, session: key) }
  func realm(_ key: SessionKey) -> RealmSequencer? { realms[key] ?? nil }

  func ask(_ request: RealmRequest, _ key: SessionKey) { realm(key)?.request(request, by: member(key)) }

  private func leave(_ key: SessionKey) {
    guard let realm = realms.removeValue(forKey: key) else { return }
    guard let realm else { return }
    if realm.members[member(key)]?.file != nil { hub.metrics.sessions.add(-1) }
    realm.leave(member(key))
    hub.left(realm)
  }
}
