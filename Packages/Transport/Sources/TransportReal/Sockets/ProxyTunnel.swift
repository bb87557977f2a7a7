import Cryptography
import Transport

// @unchecked Sendable: its variables are touched on the loop's thread only.
/// Opens a tunnel through a proxy to a server: CONNECT, RFC 9110 section 9.3.6. Afterwards the stream connects this side
/// with the server.
final class ProxyTunnel: @unchecked Sendable {
  private let url: NetworkURL
  private let proxy: ProxyAddress
  private let stream: SocketStream
  private var completion: ((Result<SocketStream, TransportError>) -> Void)?
  // As with HEAD, an answer to CONNECT has no body.
  private let parser = HTTPMessageParser(.response(toHead: true), maximumHeadBytes: 64 << 10, maximumBodyBytes: .max)

  /// - Parameter stream: connected to the proxy; used by the tunnel alone until it is complete.
  init(
    through stream: SocketStream, of proxy: ProxyAddress, to url: NetworkURL,
    completion: @escaping (Result<SocketStream, TransportError>) -> Void
  ) {
    self.stream = stream
    self.proxy = proxy
    self.url = url
    self.completion = completion
  }

  func start() {
    stream.onData = { self.receive($0) }
    stream.onEnd = { self.finish(.failure($0.error)) }
    let name = url.host.contains(":") ? "[\(url.host)]" : url.host
    let authority = "\(name):\(url.port)"
    var headers: HTTPHeaders = ["Host": authority]
    if let credentials = proxy.credentials {
      headers["Proxy-Authorization"] = "Basic \(Base64.standard.encode(Array(credentials.unredacted.utf8)))"
    }
    stream.write(HTTPMessageWriter.request(method: "CONNECT", target: authority, headers: headers, body: []))
    stream.startReading()
  }

  /// Cancels the tunnel; nothing is reported.
  func cancel() {
    completion = nil
    stream.abort()
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    do {
      let (count, message) = try parser.consume(bytes)
      guard let message else { return }
      answered(message.status, isAlone: count == bytes.count)
    } catch {
      finish(.failure(violation))
    }
  }

  private func answered(_ status: Int, isAlone: Bool) {
    switch status {
    case 200..<300:
      // A server sends nothing before a request, so further bytes would come from the proxy.
      guard isAlone else { return finish(.failure(violation)) }
      stream.onData = nil
      stream.onEnd = nil
      stream.stopReading()
      finish(.success(stream))
    case 407:
      finish(
        .failure(
          TransportError(
            .proxyRefused,
            "the proxy \(proxy.host):\(proxy.port) asks who this is: write http://user:password@\(proxy.host):\(proxy.port)"
          )))
    default:
      finish(
        .failure(
          TransportError(
            .proxyRefused,
            "the proxy \(proxy.host):\(proxy.port) does not let through to \(url.authority): ask its administrator",
            cause: "HTTP \(status)")))
    }
  }

  private var violation: TransportError {
    TransportError(
      .protocolViolation, "\(proxy.host):\(proxy.port) does not answer as an HTTP proxy does: check its address")
  }

  private func finish(_ result: Result<SocketStream, TransportError>) {
    let completion = completion
    self.completion = nil
    if case .failure = result { stream.abort() }
    completion?(result)
  }
}
