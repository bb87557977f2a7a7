import Concurrency

/// The only door to the network: connect a WebSocket, ask over HTTP, listen.
///
/// `TransportReal` opens it on libuv, `TransportSimulated` on a simulated network, and code above is written once:
///
/// ```text
/// func start(on network: any Network) {
///   network.connectWebSocket(to: endpoint, options: WebSocketOptions(), handler: session)
/// }
/// ```
///
/// Every method can be called from any thread. Everything is reported on ``scheduler``, and never before the call
/// that started it returns.
public protocol Network: Sendable {
  /// The loop on which everything is reported.
  var scheduler: any Scheduler { get }

  /// Opens a WebSocket to a server.
  ///
  /// - Parameters:
  ///   - endpoint: where, with the offered protocol tokens and extra headers.
  ///   - options: limits, timeouts and trust.
  ///   - handler: hears first ``WebSocketHandler/webSocketDidOpen(_:protocolToken:)`` or directly
  ///     ``WebSocketHandler/webSocket(_:didClose:)``. It is kept until the closing was reported.
  /// - Returns: the connection, already usable: what is sent before the opening is queued, ``WebSocketConnection/abort()`` calls it off.
  @discardableResult
  func connectWebSocket(
    to endpoint: WebSocketEndpoint, options: WebSocketOptions, handler: any WebSocketHandler
  ) -> any WebSocketConnection

  /// Sends one HTTP request on a connection of its own.
  ///
  /// - Parameter completion: called once, with the whole response whatever its status, or with why there is none.
  ///   Not called after ``Cancellable/cancel()``.
  @discardableResult
  func send(
    _ request: HTTPClientRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any Cancellable

  /// Listens for HTTP requests and WebSocket upgrades.
  ///
  /// - Parameters:
  ///   - address: host and port; port 0 asks for any free port, which ``Listener/address`` then tells.
  ///   - handler: answers; kept until the listener is closed and its connections are gone.
  ///   - completion: called once, with the listener or the reason there is none.
  func listen(
    on address: ListenAddress, options: HTTPServerOptions, handler: any HTTPServerHandler,
    completion: @escaping @Sendable (Result<any Listener, TransportError>) -> Void)
}

extension Network {
  /// The form of ``send(_:completion:)`` for asynchronous code. Cancelling the task calls the request off.
  ///
  /// - Throws: ``TransportError``; `CancellationError` when the task was cancelled.
  public func response(to request: HTTPClientRequest) async throws -> HTTPResponse {
    let call = PendingCall<HTTPResponse>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        call.start(continuation) { send(request) { call.finish($0.mapError { $0 as any Error }) } }
      }
    } onCancel: {
      call.cancel()
    }
  }

  /// The form of ``listen(on:options:handler:completion:)`` for asynchronous code.
  ///
  /// - Throws: ``TransportError``
  public func listen(
    on address: ListenAddress, options: HTTPServerOptions = HTTPServerOptions(), handler: any HTTPServerHandler
  ) async throws -> any Listener {
    try await withCheckedThrowingContinuation { continuation in
      listen(on: address, options: options, handler: handler) { continuation.resume(with: $0) }
    }
  }
}

/// Where to listen.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// An address of this machine: `127.0.0.1`, `0.0.0.0`, `::`, or a name that resolves to one.
  public var host: String
  /// A port, or 0 for any free one.
  public var port: Int

  /// An address; port 0 asks for any free port.
  public init(host: String = "127.0.0.1", port: Int) {
    self.host = host
    self.port = port
  }

  /// `host:port`, an IPv6 address in brackets.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// An open ear.
public protocol Listener: AnyObject, Sendable {
  /// Where it listens, with the port that was really taken.
  var address: ListenAddress { get }

  /// Stops accepting. Connections that exist live on.
  func stopAccepting()

  /// Stops accepting, closes every WebSocket with 1001 and every idle HTTP connection, lets running requests finish,
  /// and after `grace` cuts what is left. `completion` is called on the loop when everything is gone.
  func shutDown(grace: Duration, completion: @escaping @Sendable () -> Void)

  /// Shows another certificate to connections that come from now on; those that exist go on with the one they have.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration`` when the new one cannot be used, or this listener speaks no TLS;
  ///   the old one stays.
  func replaceTLS(_ tls: TLSServerConfiguration) throws(TransportError)
}

extension Listener {
  /// Refuses: this listener speaks no TLS.
  public func replaceTLS(_ tls: TLSServerConfiguration) throws(TransportError) {
    throw TransportError(.invalidConfiguration, "this listener speaks no TLS: start it with a certificate")
  }

  /// The form of ``shutDown(grace:completion:)`` for asynchronous code.
  public func shutDown(grace: Duration = .seconds(5)) async {
    await withCheckedContinuation { continuation in shutDown(grace: grace) { continuation.resume() } }
  }
}
