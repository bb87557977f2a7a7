import Concurrency
import Telemetry
import Transport

/// The network of the operating system, on one event loop.
///
///     let network = RealNetwork(loop: try EventLoop())
///     let listener = try await network.listen(on: ListenAddress(port: 9080), handler: app)
public final class RealNetwork: Network {
  /// The loop of all connections.
  public let loop: EventLoop
  let clientContext: ClientContext

  /// A network on `loop`, which must outlive its connections.
  ///
  /// - Parameter proxies: the proxies of outgoing connections.
  public init(loop: EventLoop, proxies: ProxySettings = .none) {
    self.loop = loop
    clientContext = ClientContext(contexts: TLSContextCache(), proxies: proxies)
  }

  /// The ``loop``.
  public var scheduler: any Scheduler { loop }

  /// Checks that a server can use this certificate and key, without listening.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration`` when it cannot.
  public static func check(_ tls: TLSServerConfiguration) throws(TransportError) { _ = try TLSContext(server: tls) }

  /// Checks that a client can use these trusted certificates, without connecting.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration`` when it cannot.
  public static func check(_ tls: TLSClientConfiguration) throws(TransportError) { _ = try TLSContext(client: tls) }

  /// An ident that no connection of this process has.
  public func makeConnectionIdent() -> ConnectionIdent { RealWebSocket.makeIdent() }

  /// Opens a WebSocket, see ``Network/connectWebSocket(to:options:handler:)``.
  @discardableResult
  public func connectWebSocket(
    to endpoint: WebSocketEndpoint, options: WebSocketOptions, handler: any WebSocketHandler
  ) -> any WebSocketConnection {
    let socket = RealWebSocket(loop: loop, role: .client, options: options, handler: handler)
    loop.execute { socket.connect(to: endpoint, context: self.clientContext) }
    return socket
  }

  /// Sends a request, see ``Network/send(_:completion:)``.
  @discardableResult
  public func send(
    _ request: HTTPClientRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any Cancellable {
    let call = HTTPCall(loop: loop, request: request, completion: completion)
    loop.execute { call.start(context: self.clientContext) }
    return call
  }

  /// Sends a request and receives the response in parts, see ``Network/receive(_:handler:)``.
  @discardableResult
  public func receive(_ request: HTTPClientRequest, handler: any HTTPResponseHandler) -> any Cancellable {
    let call = HTTPCall(loop: loop, request: request, handler: handler)
    loop.execute { call.start(context: self.clientContext) }
    return call
  }

  /// Listens, see ``Network/listen(on:options:handler:completion:)``.
  public func listen(
    on address: ListenAddress, options: HTTPServerOptions, handler: any HTTPServerHandler,
    completion: @escaping @Sendable (Result<any Listener, TransportError>) -> Void
  ) {
    loop.execute {
      let server: HTTPServer
      do throws(TransportError) {
        server = try HTTPServer(loop: self.loop, address: address, options: options, handler: handler)
      } catch {
        return completion(.failure(error))
      }
      Resolver.resolve(address.host, port: address.port, on: self.loop) { result in
        switch result {
        case .failure(let error): completion(.failure(SystemError.connecting(error.code, to: address.description)))
        case .success(let addresses):
          do throws(TransportError) {
            try server.start(on: addresses)
            completion(.success(server))
          } catch {
            completion(.failure(error))
          }
        }
      }
    }
  }
}

/// The shared state of all outgoing connections: TLS contexts and proxies.
struct ClientContext: Sendable {
  var contexts: TLSContextCache
  var proxies: ProxySettings
}
