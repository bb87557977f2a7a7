import Concurrency
import Telemetry
import Transport

/// One host of a ``SimulatedNetwork``, as the network of the process on it.
public final class SimulatedHost: Network {
  /// The name under which other hosts reach it.
  public let name: String
  let network: SimulatedNetwork

  init(name: String, network: SimulatedNetwork) {
    self.name = name
    self.network = network
  }

  /// The loop of the simulation.
  public var scheduler: any Scheduler { network.loop }

  /// An ident that no connection of the simulation has.
  public func makeConnectionIdent() -> ConnectionIdent { network.makeConnectionIdent() }

  /// Opens a WebSocket to another host, see ``Network/connectWebSocket(to:options:handler:)``.
  @discardableResult
  public func connectWebSocket(
    to endpoint: WebSocketEndpoint, options: WebSocketOptions, handler: any WebSocketHandler
  ) -> any WebSocketConnection {
    let connection = SimulatedWebSocket(network: network, role: .client, options: options, handler: handler)
    network.loop.execute { connection.connect(to: endpoint, from: self.name) }
    return connection
  }

  /// Sends a request to another host, see ``Network/send(_:completion:)``.
  @discardableResult
  public func send(
    _ request: HTTPClientRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any Cancellable {
    let call = SimulatedCall(request: request, network: network, completion: completion)
    network.loop.execute { call.start(from: self.name) }
    return call
  }

  /// Sends a request and receives the response in parts, see ``Network/receive(_:handler:)``.
  @discardableResult
  public func receive(_ request: HTTPClientRequest, handler: any HTTPResponseHandler) -> any Cancellable {
    let call = SimulatedCall(request: request, network: network, handler: handler)
    network.loop.execute { call.start(from: self.name) }
    return call
  }

  /// Listens on this host, see ``Network/listen(on:options:handler:completion:)``.
  public func listen(
    on address: ListenAddress, options: HTTPServerOptions, handler: any HTTPServerHandler,
    completion: @escaping @Sendable (Result<any Listener, TransportError>) -> Void
  ) {
    network.loop.execute {
      let world = self.network.world
      var host = world.hosts[self.name, default: .init()]
      guard host.isUp else {
        return completion(.failure(TransportError(.shutDown, "the machine \(self.name) is off: restart it first")))
      }
      var port = address.port
      if port == 0 {
        while host.listeners[host.nextFreePort] != nil { host.nextFreePort += 1 }
        port = host.nextFreePort
        host.nextFreePort += 1
      }
      guard host.listeners[port] == nil else {
        return completion(
          .failure(
            TransportError(
              .addressInUse, "port \(port) is already in use: choose another with --port or stop the other process")))
      }
      let listener = SimulatedListener(
        network: self.network, host: self.name, address: ListenAddress(host: address.host, port: port),
        options: options, handler: handler)
      host.listeners[port] = listener
      world.hosts[self.name] = host
      self.network.note("listen \(self.name):\(port)")
      completion(.success(listener))
    }
  }
}

extension SimulatedNetwork {
  /// Opens a stream from `source` to the host in `url`, or fails when there is no such host. On the loop.
  func openStream(
    from source: String, to url: NetworkURL, end: any SimulatedEnd
  ) -> Result<SimulatedStream, TransportError> {
    let target = ["localhost", "127.0.0.1", "::1"].contains(url.host) ? source : url.host
    guard world.hosts[source]?.isUp == true else {
      return .failure(TransportError(.unreachable, "the machine \(source) is off: restart it first"))
    }
    guard world.hosts[target] != nil else {
      return .failure(TransportError(.unresolvedHost, "the host \(target) is not known: check its name"))
    }
    let stream = SimulatedStream(network: self, client: source, server: target, end: end)
    stream.send(.open(port: url.port, isSecure: url.scheme.isSecure), from: .client)
    return .success(stream)
  }
}
