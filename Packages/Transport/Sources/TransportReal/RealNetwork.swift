import Concurrency
import Telemetry
import Transport

/// The real network, on one event loop.
///
///     let network = RealNetwork(loop: try EventLoop())
///     let listener = try await network.listen(on: ListenAddress(port: 9080), handler: app)
public final class RealNetwork: Network {
  /// The loop on which everything happens.
  public let loop: EventLoop
  let ways: ClientWays

  /// A network on `loop`, which must outlive its connections.
  ///
  /// - Parameter proxies: what the connections that this side opens go through.
  public init(loop: EventLoop, proxies: ProxySettings = .none) {
    self.loop = loop
    ways = ClientWays(contexts: TLSContextCache(), proxies: proxies)
  }

  public var scheduler: any Scheduler { loop }

  /// Whether a server can use this certificate and key, without listening.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration``
  public static func check(_ tls: TLSServerConfiguration) throws(TransportError) { _ = try TLSContext(server: tls) }

  /// Whether a client can use what it is to trust, without connecting.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration``
  public static func check(_ tls: TLSClientConfiguration) throws(TransportError) { _ = try TLSContext(client: tls) }

  @discardableResult
  public func connectWebSocket(
    to endpoint: WebSocketEndpoint, options: WebSocketOptions, handler: any WebSocketHandler
  ) -> any WebSocketConnection {
    let socket = RealWebSocket(loop: loop, role: .client, options: options, handler: handler)
    loop.execute { socket.connect(to: endpoint, ways: self.ways) }
    return socket
  }

  @discardableResult
  public func send(
    _ request: HTTPClientRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any Cancellable {
    let call = HTTPCall(loop: loop, request: request, completion: completion)
    loop.execute { call.start(ways: self.ways) }
    return call
  }

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

/// What all connections share that this side opens.
struct ClientWays: Sendable {
  var contexts: TLSContextCache
  var proxies: ProxySettings
}
