import Transport

// @unchecked Sendable: its variables are touched on the loop's thread only.
/// Opens a client's stream: resolves, connects, opens a tunnel through a proxy if there is one, and starts TLS.
final class ClientOpening: @unchecked Sendable {
  private let loop: EventLoop
  private let url: NetworkURL
  private let tls: TLSClientConfiguration
  private let context: ClientContext
  private var completion: ((Result<SocketStream, TransportError>) -> Void)?
  private var connector: Connector?
  private var tunnel: ProxyTunnel?
  private var stream: SocketStream?

  init(
    loop: EventLoop, url: NetworkURL, tls: TLSClientConfiguration, context: ClientContext,
    completion: @escaping (Result<SocketStream, TransportError>) -> Void
  ) {
    self.loop = loop
    self.url = url
    self.tls = tls
    self.context = context
    self.completion = completion
  }

  func start() {
    do throws(TransportError) {
      let proxy = try context.proxies.proxy(for: url)
      connect(by: proxy)
    } catch {
      // From the loop, never before the call that started it returns.
      loop.execute { self.finish(.failure(error)) }
    }
  }

  private func connect(by proxy: ProxyAddress?) {
    let next = proxy.map { NetworkURL(scheme: .http, host: $0.host, port: $0.port) } ?? url
    let connector = Connector(loop: loop, url: next) { result in
      self.connector = nil
      switch (result, proxy) {
      case (.failure(var error), let proxy):
        if proxy != nil { error.message = "the proxy on the way to \(self.url.authority) fails: \(error.message)" }
        self.finish(.failure(error))
      case (.success(let stream), let proxy?): self.pass(stream, through: proxy)
      case (.success(let stream), nil): self.secure(stream)
      }
    }
    self.connector = connector
    connector.start()
  }

  private func pass(_ stream: SocketStream, through proxy: ProxyAddress) {
    let tunnel = ProxyTunnel(through: stream, of: proxy, to: url) { result in
      self.tunnel = nil
      switch result {
      case .failure(let error): self.finish(.failure(error))
      case .success(let stream): self.secure(stream)
      }
    }
    self.tunnel = tunnel
    tunnel.start()
  }

  private func secure(_ stream: SocketStream) {
    guard url.scheme.isSecure else { return finish(.success(stream)) }
    self.stream = stream
    do {
      let session = try TLSSession(context: context.contexts.context(for: tls), host: url.host)
      stream.secure(session) { result in
        self.stream = nil
        self.finish(result.map { stream })
      }
    } catch {
      stream.abort()
      finish(.failure(error))
    }
  }

  /// Cancels the opening; nothing is reported.
  func cancel() {
    completion = nil
    connector?.cancel()
    connector = nil
    tunnel?.cancel()
    tunnel = nil
    stream?.abort()
    stream = nil
  }

  private func finish(_ result: Result<SocketStream, TransportError>) {
    let completion = completion
    self.completion = nil
    completion?(result)
  }
}
