import Transport

/// Opens a client's stream: resolve, connect, TLS.
// @unchecked Sendable: its variables are touched on the loop's thread only.
final class ClientOpening: @unchecked Sendable {
  private let loop: EventLoop
  private let url: NetworkURL
  private let tls: TLSClientConfiguration
  private let contexts: TLSContextCache
  private var completion: ((Result<SocketStream, TransportError>) -> Void)?
  private var connector: Connector?
  private var stream: SocketStream?

  init(
    loop: EventLoop, url: NetworkURL, tls: TLSClientConfiguration, contexts: TLSContextCache,
    completion: @escaping (Result<SocketStream, TransportError>) -> Void
  ) {
    self.loop = loop
    self.url = url
    self.tls = tls
    self.contexts = contexts
    self.completion = completion
  }

  func start() {
    let connector = Connector(loop: loop, url: url) { result in
      self.connector = nil
      switch result {
      case .failure(let error): self.finish(.failure(error))
      case .success(let stream): self.secure(stream)
      }
    }
    self.connector = connector
    connector.start()
  }

  private func secure(_ stream: SocketStream) {
    guard url.scheme.isSecure else { return finish(.success(stream)) }
    self.stream = stream
    do {
      let session = try TLSSession(context: contexts.context(for: tls), host: url.host)
      stream.secure(session) { result in
        self.stream = nil
        self.finish(result.map { stream })
      }
    } catch {
      stream.abort()
      finish(.failure(error))
    }
  }

  /// Calls it off; nothing is reported.
  func cancel() {
    completion = nil
    connector?.cancel()
    connector = nil
    stream?.abort()
    stream = nil
  }

  private func finish(_ result: Result<SocketStream, TransportError>) {
    let completion = completion
    self.completion = nil
    completion?(result)
  }
}
