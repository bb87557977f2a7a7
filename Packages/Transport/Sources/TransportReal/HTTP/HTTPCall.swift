import Concurrency
import Synchronization
import Transport

// @unchecked Sendable: its variables are touched on the loop's thread only, but for `isCancelled`, which is atomic.
/// One request of a client, on a connection of its own.
final class HTTPCall: Cancellable, @unchecked Sendable {
  private let loop: EventLoop
  private let request: HTTPClientRequest
  private var completion: (@Sendable (Result<HTTPResponse, TransportError>) -> Void)?
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
    parser = Self.makeParser(request)
  }

  private static func makeParser(_ request: HTTPClientRequest) -> HTTPMessageParser {
    HTTPMessageParser(
      .response(toHead: request.method == "HEAD"), maximumHeadBytes: 64 << 10,
      maximumBodyBytes: request.maximumResponseBytes)
  }

  func start(context: ClientContext) {
    guard !isCancelled.load(ordering: .relaxed) else { return completion = nil }
    deadline = loop.schedule(after: request.timeout) {
      self.finish(
        .failure(
          TransportError(
            .timedOut, "\(self.request.url.authority) did not answer within \(self.request.timeout): try again")))
    }
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
        guard let message else { return }
        // Interim answers (1xx) precede the final one.
        guard (100..<200).contains(message.status) else { return succeed(message) }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        parser = Self.makeParser(request)
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
