import Concurrency

/// The network of one process: WebSocket connections, HTTP requests, listeners.
///
/// `TransportReal` implements it on libuv, `TransportSimulated` on a simulated network; code above is the same for both:
///
/// ```text
/// func start(on network: any Network) {
///   network.connectWebSocket(to: endpoint, options: WebSocketOptions(), handler: session)
/// }
/// ```
///
/// Every method can be called from any thread. Handlers and completions are called on ``scheduler``, never before the
/// call that started the work returns.
public protocol Network: Sendable {
  /// The loop on which handlers and completions are called.
  var scheduler: any Scheduler { get }

  /// An ident that no connection of the process has, for one that runs over another.
  func makeConnectionIdent() -> ConnectionIdent

  /// Opens a WebSocket to a server.
  ///
  /// - Parameters:
  ///   - endpoint: the address, with the offered protocol tokens and extra headers.
  ///   - options: limits, timeouts and trust.
  ///   - handler: receives ``WebSocketHandler/webSocketDidOpen(_:protocolToken:)`` first, or at once
  ///     ``WebSocketHandler/webSocket(_:didClose:)``. It is retained until the closing was reported.
  /// - Returns: the connection, already usable: messages sent before the opening are queued, and
  ///   ``WebSocketConnection/abort()`` cancels the opening.
  @discardableResult
  func connectWebSocket(
    to endpoint: WebSocketEndpoint, options: WebSocketOptions, handler: any WebSocketHandler
  ) -> any WebSocketConnection

  /// Sends one HTTP request on a connection of its own.
  ///
  /// - Parameter completion: called once, with the whole response whatever its status, or with the failure; not after `Cancellable.cancel()`.
  @discardableResult
  func send(
    _ request: HTTPClientRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any Cancellable

  /// Sends one HTTP request on a connection of its own, and receives the response in parts, of any length.
  ///
  /// ``HTTPClientRequest/timeout`` bounds the time to the head, and then between parts;
  /// ``HTTPClientRequest/maximumResponseBytes`` is not looked at.
  ///
  /// - Parameter handler: retained until the end was reported; not called after `Cancellable.cancel()`.
  @discardableResult
  func receive(_ request: HTTPClientRequest, handler: any HTTPResponseHandler) -> any Cancellable

  /// Listens for HTTP requests and WebSocket upgrades.
  ///
  /// - Parameters:
  ///   - address: host and port; port 0 asks for any free port, see ``Listener/address``.
  ///   - handler: answers; retained until the listener is closed and its connections are gone.
  ///   - completion: called once, with the listener or the failure.
  func listen(
    on address: ListenAddress, options: HTTPServerOptions, handler: any HTTPServerHandler,
    completion: @escaping @Sendable (Result<any Listener, TransportError>) -> Void)
}

extension Network {
  /// The form of ``send(_:completion:)`` for asynchronous code. Cancelling the task cancels the request.
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
  /// - Throws: ``TransportError`` when the address cannot be used.
  public func listen(
    on address: ListenAddress, options: HTTPServerOptions = HTTPServerOptions(), handler: any HTTPServerHandler
  ) async throws -> any Listener {
    try await withCheckedThrowingContinuation { continuation in
      listen(on: address, options: options, handler: handler) { continuation.resume(with: $0) }
    }
  }
}

/// An address to listen on.
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

/// A listening server with its connections. All methods can be called from any thread.
public protocol Listener: AnyObject, Sendable {
  /// The address with the port that the system gave.
  var address: ListenAddress { get }

  /// Stops accepting; existing connections go on.
  func stopAccepting()

  /// Stops accepting, closes every WebSocket with 1001 and every idle HTTP connection, lets running requests finish,
  /// and after `grace` aborts the others. `completion` is called on the loop when all connections are gone.
  func shutDown(grace: Duration, completion: @escaping @Sendable () -> Void)

  /// Replaces the certificate for new connections; existing ones keep theirs.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration`` when the new one cannot be used, or this listener speaks no TLS;
  ///   the old one stays.
  func replaceTLS(_ tls: TLSServerConfiguration) throws(TransportError)
}

extension Listener {
  /// The default for listeners without TLS.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration``, always.
  public func replaceTLS(_ tls: TLSServerConfiguration) throws(TransportError) {
    throw TransportError(.invalidConfiguration, "this listener speaks no TLS: start it with a certificate")
  }

  /// The form of ``shutDown(grace:completion:)`` for asynchronous code.
  public func shutDown(grace: Duration = .seconds(5)) async {
    await withCheckedContinuation { continuation in shutDown(grace: grace) { continuation.resume() } }
  }
}
