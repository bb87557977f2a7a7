import Synchronization
import Transport

// @unchecked Sendable: its variables are touched on the loop's thread only; the address is behind a mutex.
/// A listening server: its sockets, its connections, and their end.
final class HTTPServer: Listener, @unchecked Sendable {
  let loop: EventLoop
  let options: HTTPServerOptions
  let handler: any HTTPServerHandler
  private let context: Mutex<TLSContext?>
  private let boundAddress: Mutex<ListenAddress>
  private var listeners: [TCPListener] = []
  private var connections: [ObjectIdentifier: HTTPServerConnection] = [:]
  private var guestsByPeer: [PeerGroup: Int] = [:]
  let budget: ReceiveBudget
  private var sockets: [ObjectIdentifier: RealWebSocket] = [:]
  private(set) var isShuttingDown = false
  private var hasStoppedAccepting = false
  private var onEmpty: (@Sendable () -> Void)?

  /// - Throws: ``TransportError/Code/invalidConfiguration`` for certificates or keys that cannot be used.
  init(
    loop: EventLoop, address: ListenAddress, options: HTTPServerOptions, handler: any HTTPServerHandler
  ) throws(TransportError) {
    self.loop = loop
    self.options = options
    self.handler = handler
    budget = options.receiveBudget ?? ReceiveBudget(limit: 512 << 20)
    boundAddress = Mutex(address)
    if let tls = options.tls { context = Mutex(try TLSContext(server: tls)) } else { context = Mutex(nil) }
  }

  var address: ListenAddress { boundAddress.withLock { $0 } }

  /// Listens on the first address, and on the others of a name such as localhost when their port is free.
  func start(on addresses: [SocketAddress]) throws(TransportError) {
    for (index, socketAddress) in addresses.enumerated() {
      let listener: TCPListener
      do {
        listener = try listen(on: socketAddress)
      } catch {
        if index == 0 { throw error }
        continue
      }
      boundAddress.withLock { $0.port = listener.address.port }
      // Port 0 would give each socket another port.
      if socketAddress.port == 0 { break }
    }
  }

  private func listen(on socketAddress: SocketAddress) throws(TransportError) -> TCPListener {
    var bound = socketAddress
    let listener = TCPListener(loop: loop, address: address) { stream in
      self.accept(stream)
    } onExhausted: {
      self.listenAgain(on: bound)
    }
    try listener.start(on: socketAddress)
    bound.port = listener.address.port
    listeners.append(listener)
    return listener
  }

  /// Called without a file descriptor left for a connection: closes idle ones, and listens again after a second.
  private func listenAgain(on address: SocketAddress) {
    listeners.removeAll { $0.isStopped }
    for connection in connections.values.filter(\.isIdle).prefix(64) { connection.cut() }
    loop.schedule(after: .seconds(1)) {
      guard !self.hasStoppedAccepting else { return }
      do {
        _ = try self.listen(on: address)
      } catch {
        self.listenAgain(on: address)
      }
    }
  }

  private func accept(_ stream: SocketStream) {
    guard !isShuttingDown, connections.count + sockets.count < options.maximumConnections else { return stream.abort() }
    let connection = HTTPServerConnection(server: self, stream: stream)
    guard admits(connection.group, isProxy: isProxy(stream.remoteAddress)) else { return stream.abort() }
    connections[ObjectIdentifier(connection)] = connection
    guestsByPeer[connection.group, default: 0] += 1
    if let context = context.withLock({ $0 }) {
      do {
        connection.start(tls: try TLSSession(context: context))
      } catch {
        stream.abort()
        remove(connection)
      }
    } else {
      connection.start(tls: nil)
    }
  }

  /// Whether there is room for a guest of this peer, if need be by closing an idle one.
  private func admits(_ group: PeerGroup, isProxy: Bool) -> Bool {
    if !group.isLocal, !isProxy, guestsByPeer[group, default: 0] >= options.maximumGuestsPerPeer {
      return closeIdle { $0.group == group }
    }
    return connections.count < options.maximumGuests || closeIdle { _ in true }
  }

  private func isProxy(_ address: String) -> Bool {
    guard !options.proxies.isEmpty, let address = IPAddress(remoteAddress: address) else { return false }
    return options.proxies.contains { $0.contains(address) }
  }

  /// Closes one idle connection. Looks at 256 at most, so that the cost does not grow with their number.
  private func closeIdle(where isMeant: (HTTPServerConnection) -> Bool) -> Bool {
    guard let found = connections.values.lazy.prefix(256).first(where: { $0.isIdle && isMeant($0) }) else {
      return false
    }
    found.cut()
    return true
  }

  func replaceTLS(_ tls: TLSServerConfiguration) throws(TransportError) {
    guard context.withLock({ $0 != nil }) else {
      throw TransportError(.invalidConfiguration, "this listener speaks no TLS: start it with a certificate")
    }
    let new = try TLSContext(server: tls)
    context.withLock { $0 = new }
  }

  func remove(_ connection: HTTPServerConnection) {
    guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
    let left = guestsByPeer[connection.group, default: 1] - 1
    guestsByPeer[connection.group] = left > 0 ? left : nil
    checkEmpty()
  }

  func add(_ socket: RealWebSocket) { sockets[ObjectIdentifier(socket)] = socket }

  func remove(_ socket: RealWebSocket) {
    sockets[ObjectIdentifier(socket)] = nil
    checkEmpty()
  }

  func stopAccepting() {
    loop.executeNowOrSoon {
      self.hasStoppedAccepting = true
      for listener in self.listeners { listener.stop() }
      self.listeners = []
    }
  }

  func shutDown(grace: Duration, completion: @escaping @Sendable () -> Void) {
    stopAccepting()
    loop.execute {
      self.isShuttingDown = true
      self.onEmpty = completion
      for socket in Array(self.sockets.values) { socket.close(code: .goingAway, reason: "the server is shutting down") }
      for connection in Array(self.connections.values) { connection.finishWhenIdle() }
      self.loop.schedule(after: grace) {
        for socket in Array(self.sockets.values) { socket.abort() }
        for connection in Array(self.connections.values) { connection.cut() }
        self.loop.execute { self.checkEmpty() }
      }
      self.checkEmpty()
    }
  }

  private func checkEmpty() {
    guard isShuttingDown, connections.isEmpty, sockets.isEmpty, let onEmpty else { return }
    self.onEmpty = nil
    loop.execute(onEmpty)
  }
}
