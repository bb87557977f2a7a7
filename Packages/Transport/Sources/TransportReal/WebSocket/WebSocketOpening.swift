import Cryptography
import Transport

// @unchecked Sendable: its variables are touched on the loop's thread only.
/// Opens a client's WebSocket: stream, upgrade request, answer.
final class WebSocketOpening: @unchecked Sendable {
  enum Outcome {
    case opened(SocketStream, leftover: [UInt8], protocolToken: String?)
    case refused(HTTPResponse)
    case failed(TransportError)
  }

  private let endpoint: WebSocketEndpoint
  private let key: String
  private var completion: ((Outcome) -> Void)?
  private var opening: ClientOpening?
  private var stream: SocketStream?
  private var parser = HTTPMessageParser(
    .response(toHead: false), maximumHeadBytes: 64 << 10, maximumBodyBytes: 1 << 20)

  init(
    loop: EventLoop, endpoint: WebSocketEndpoint, tls: TLSClientConfiguration, context: ClientContext,
    completion: @escaping (Outcome) -> Void
  ) {
    self.endpoint = endpoint
    self.completion = completion
    var random = SecureRandom()
    key = WebSocketHandshake.makeKey(using: &random)
    opening = ClientOpening(loop: loop, url: endpoint.url, tls: tls, context: context) { result in
      self.opening = nil
      switch result {
      case .failure(let error): self.finish(.failed(error))
      case .success(let stream): self.ask(stream)
      }
    }
  }

  func start() { opening?.start() }

  /// Cancels the opening; nothing is reported.
  func cancel() {
    completion = nil
    opening?.cancel()
    opening = nil
    stream?.abort()
    stream = nil
  }

  private func ask(_ stream: SocketStream) {
    self.stream = stream
    stream.onData = { self.receive($0) }
    stream.onEnd = { self.ended($0) }
    stream.write(
      HTTPMessageWriter.request(
        method: "GET", target: endpoint.url.target,
        headers: WebSocketHandshake.requestHeaders(for: endpoint, key: key), body: []))
    stream.startReading()
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    do {
      let (count, message) = try parser.consume(bytes)
      guard let message else { return }
      answered(message, leftover: Array(bytes[count...]))
    } catch {
      finish(
        .failed(
          TransportError(
            .protocolViolation, "\(endpoint.url.authority) does not speak HTTP/1.1: check the port and the scheme")))
    }
  }

  private func answered(_ message: HTTPParsedMessage, leftover: [UInt8]) {
    let response = HTTPResponse(status: message.status, headers: HTTPHeaders(message.headers), body: message.body)
    guard response.status == 101, let stream else { return finish(.refused(response)) }
    do {
      let token = try WebSocketHandshake.checkResponse(response.headers, key: key, offered: endpoint.protocolTokens)
      stream.onData = nil
      stream.onEnd = nil
      stream.stopReading()
      self.stream = nil
      finish(.opened(stream, leftover: leftover, protocolToken: token))
    } catch {
      finish(.failed(error))
    }
  }

  private func ended(_ end: StreamEnd) {
    if case .endOfStream = end, let message = try? parser.finish(), message.status != 101 {
      return answered(message, leftover: [])
    }
    finish(.failed(end.error))
  }

  private func finish(_ outcome: Outcome) {
    stream?.abort()
    stream = nil
    let completion = completion
    self.completion = nil
    completion?(outcome)
  }
}
