import Concurrency
import Synchronization
import Transport

// @unchecked Sendable: its variables are touched on the loop's thread only, but for `isCancelled`, which is atomic.
/// One request of a client, on a connection of its own.
final class HTTPCall: Cancellable, @unchecked Sendable {
  private let loop: EventLoop
  private let request: HTTPClientRequest
  private var completion: (@Sendable (Result<HTTPResponse, TransportError>) -> Void)?
  /// Receives the response in parts; nil for a response that is awaited whole.
  private let partsHandler: (any HTTPResponseHandler)?
  private var isHeadReported = false
  private var opening: ClientOpening?
  private var stream: SocketStream?
  private var parser: HTTPMessageParser
  private var deadline: (any Cancellable)?
  private let isCancelled = Atomic<Bool>(false)

  init(
    loop: EventLoop, request: HTTPClientRequest,
    completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) {
    self.loop = loop
    self.request = request
    self.completion = completion
    partsHandler = nil
    parser = Self.makeParser(request)
  }

  /// A request whose response is received in parts.
  init(loop: EventLoop, request: HTTPClientRequest, handler: any HTTPResponseHandler) {
    self.loop = loop
    self.request = request
    partsHandler = handler
    completion = { result in
      switch result {
      case .success: handler.response(didEnd: nil)
      case .failure(let error): handler.response(didEnd: error)
      }
    }
    parser = Self.makeParser(request)
    parser.collectsParts = true
  }

  private static func makeParser(_ request: HTTPClientRequest) -> HTTPMessageParser {
    HTTPMessageParser(
      .response(toHead: request.method == "HEAD"), maximumHeadBytes: 64 << 10,
      maximumBodyBytes: request.maximumResponseBytes)
  }

  private func startDeadline() {
    deadline?.cancel()
    deadline = loop.schedule(after: request.timeout) {
      self.finish(
        .failure(
          TransportError(
            .timedOut, "\(self.request.url.authority) did not answer within \(self.request.timeout): try again")))
    }
  }

  /// Hands over what arrived of a response in parts.
  private func reportParts() {
    guard let partsHandler, parser.hasHead, completion != nil else { return }
    let message = parser.message
    guard !(100..<200).contains(message.status) else { return }
    if !isHeadReported {
      isHeadReported = true
      partsHandler.responseDidBegin(HTTPResponse(status: message.status, headers: HTTPHeaders(message.headers)))
    }
    let parts = parser.parts
    parser.parts = []
    if !parts.isEmpty { startDeadline() }
    for part in parts where completion != nil { partsHandler.response(didReceive: part) }
  }

  func start(context: ClientContext) {
    guard !isCancelled.load(ordering: .relaxed) else { return completion = nil }
    startDeadline()
    let opening = ClientOpening(loop: loop, url: request.url, tls: request.tls, context: context) { result in
      self.opening = nil
      switch result {
      case .failure(let error): self.finish(.failure(error))
      case .success(let stream): self.ask(stream)
      }
    }
    self.opening = opening
    opening.start()
  }

  private func ask(_ stream: SocketStream) {
    self.stream = stream
    stream.onData = { self.receive($0) }
    stream.onEnd = { self.ended($0) }
    var headers: HTTPHeaders = ["Host": request.url.authority, "Connection": "close"]
    for field in request.headers.fields where headers[field.name] == nil { headers.append(field.name, field.value) }
    headers["Content-Length"] =
      request.body.isEmpty && ["GET", "HEAD"].contains(request.method) ? nil : String(request.body.count)
    stream.write(
      HTTPMessageWriter.request(
        method: request.method, target: request.url.target, headers: headers, body: request.body))
    stream.startReading()
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    do {
      while !rest.isEmpty, completion != nil {
        let (count, message) = try parser.consume(rest)
        reportParts()
        guard let message, completion != nil else { return }
        // Interim answers (1xx) precede the final one.
        guard (100..<200).contains(message.status) else { return succeed(message) }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        parser = Self.makeParser(request)
        parser.collectsParts = partsHandler != nil
      }
    } catch {
      refuse(error)
    }
  }

  private func ended(_ end: StreamEnd) {
    guard case .endOfStream = end else { return finish(.failure(end.error)) }
    do {
      if let message = try parser.finish() { return succeed(message) }
      finish(.failure(end.error))
    } catch {
      finish(.failure(end.error))
    }
  }

  private func refuse(_ error: HTTPParserError) {
    switch error {
    case .headTooLarge, .bodyTooLarge:
      finish(
        .failure(
          TransportError(
            .tooLarge,
            "the response of \(request.url.authority) is larger than the \(request.maximumResponseBytes) bytes accepted"
          )))
    case .malformed(let reason):
      finish(
        .failure(
          TransportError(
            .protocolViolation, "\(request.url.authority) does not speak HTTP/1.1: check the port and the scheme",
            cause: reason)))
    }
  }

  private func succeed(_ message: HTTPParsedMessage) {
    finish(.success(HTTPResponse(status: message.status, headers: HTTPHeaders(message.headers), body: message.body)))
  }

  private func finish(_ result: Result<HTTPResponse, TransportError>) {
    guard let completion else { return }
    self.completion = nil
    stop()
    completion(result)
  }

  private func stop() {
    deadline?.cancel()
    opening?.cancel()
    opening = nil
    stream?.abort()
    stream = nil
  }

  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    loop.executeNowOrSoon {
      self.completion = nil
      self.stop()
    }
  }
}
