import Telemetry
import Transport

// @unchecked Sendable: its variables are touched on the simulated loop only.
/// A listener of a simulated host.
final class SimulatedListener: Listener, @unchecked Sendable {
  let address: ListenAddress
  /// Nil once the process has died.
  private(set) var handler: (any HTTPServerHandler)?
  let options: HTTPServerOptions
  private(set) var isAccepting = true
  private let network: SimulatedNetwork
  private let host: String
  private var exchanges: [ObjectIdentifier: SimulatedExchange] = [:]
  private var sockets: [UInt64: SimulatedWebSocket] = [:]
  private var onEmpty: (@Sendable () -> Void)?

  init(
    network: SimulatedNetwork, host: String, address: ListenAddress, options: HTTPServerOptions,
    handler: any HTTPServerHandler
  ) {
    self.network = network
    self.host = host
    self.address = address
    self.options = options
    self.handler = handler
  }

  /// Called when the process dies: breaks the retain cycle between the handler and its listener.
  func abandon() {
    isAccepting = false
    handler = nil
  }

  var isSecure: Bool { options.tls != nil }

  func add(_ exchange: SimulatedExchange) { exchanges[ObjectIdentifier(exchange)] = exchange }
  func add(_ socket: SimulatedWebSocket) { sockets[socket.ident.rawValue] = socket }

  func remove(_ exchange: SimulatedExchange) {
    exchanges[ObjectIdentifier(exchange)] = nil
    checkEmpty()
  }

  func remove(_ socket: SimulatedWebSocket) {
    sockets[socket.ident.rawValue] = nil
    checkEmpty()
  }

  func stopAccepting() {
    network.loop.executeNowOrSoon {
      self.isAccepting = false
      if self.network.world.hosts[self.host]?.listeners[self.address.port] === self {
        self.network.world.hosts[self.host]?.listeners[self.address.port] = nil
      }
    }
  }

  func shutDown(grace: Duration, completion: @escaping @Sendable () -> Void) {
    stopAccepting()
    network.loop.execute {
      self.onEmpty = completion
      for socket in self.orderedSockets() { socket.close(code: .goingAway, reason: "the server is shutting down") }
      for exchange in Array(self.exchanges.values) { exchange.shouldFinish() }
      self.network.loop.schedule(after: grace) {
        for socket in self.orderedSockets() { socket.abort() }
        self.exchanges.removeAll()
        self.checkEmpty()
      }
      self.checkEmpty()
    }
  }

  private func orderedSockets() -> [SimulatedWebSocket] { sockets.sorted { $0.key < $1.key }.map(\.value) }

  private func checkEmpty() {
    guard sockets.isEmpty, exchanges.isEmpty, let onEmpty else { return }
    self.onEmpty = nil
    network.loop.execute(onEmpty)
  }
}
