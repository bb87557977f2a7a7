import Concurrency
import Telemetry
import Transport

// @unchecked Sendable: its variables are touched on the simulated loop only.
/// The client's end of one HTTP exchange.
final class SimulatedCall: SimulatedEnd, Cancellable, @unchecked Sendable {
  private let request: HTTPClientRequest
  private let network: SimulatedNetwork
  private var completion: (@Sendable (Result<HTTPResponse, TransportError>) -> Void)?
  private var stream: SimulatedStream?
  /// Receives the response in parts; nil for a response that is awaited whole.
  private let partsHandler: (any HTTPResponseHandler)?
  /// A response of which parts are still to come.
  private var partial: HTTPResponse?
  /// Counts what arrived, so that the timeout holds between parts.
  private var progress = 0

  init(
    request: HTTPClientRequest, network: SimulatedNetwork,
    completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) {
    self.request = request
    self.network = network
    self.completion = completion
    partsHandler = nil
  }

  /// A request whose response is received in parts.
  init(request: HTTPClientRequest, network: SimulatedNetwork, handler: any HTTPResponseHandler) {
    self.request = request
    self.network = network
    partsHandler = handler
    completion = { result in
      switch result {
      case .success: handler.response(didEnd: nil)
      case .failure(let error): handler.response(didEnd: error)
      }
    }
  }

  func start(from host: String) {
    guard completion != nil else { return }
    switch network.openStream(from: host, to: request.url, end: self) {
    case .failure(let error): finish(.failure(error))
    case .success(let stream):
      self.stream = stream
      startDeadline()
    }
  }

  private func startDeadline() {
    let before = progress
    network.loop.schedule(after: request.timeout) { [weak self] in
      guard let self, completion != nil else { return }
      guard partsHandler == nil || progress == before else { return startDeadline() }
      finish(
        .failure(
          TransportError(
            .timedOut, "\(request.url.authority) did not answer within \(request.timeout): try again")))
    }
  }

  func receive(_ packet: SimulatedPacket) {
    switch packet {
    case .opened:
      var headers = request.headers
      headers["Host"] = request.url.authority
      if !request.body.isEmpty { headers["Content-Length"] = String(request.body.count) }
      let message = HTTPRequest(
        method: request.method, target: request.url.target, headers: headers, body: request.body,
        remoteAddress: stream?.name(.client) ?? "", isSecure: request.url.scheme.isSecure)
      stream?.send(.request(message), from: .client)
    case .refused(let error): finish(.failure(error))
    case .response(let response):
      guard response.body.count <= request.maximumResponseBytes else {
        return finish(
          .failure(
            TransportError(.tooLarge, "the response is larger than the \(request.maximumResponseBytes) bytes accepted"))
        )
      }
      partsHandler?.responseDidBegin(HTTPResponse(status: response.status, headers: response.headers))
      if !response.body.isEmpty { partsHandler?.response(didReceive: response.body) }
      finish(.success(response))
    case .head(let head):
      progress += 1
      partial = head
      partsHandler?.responseDidBegin(head)
    case .part(let bytes):
      progress += 1
      if let partsHandler { return partsHandler.response(didReceive: bytes) }
      partial?.body += bytes
      if let count = partial?.body.count, count > request.maximumResponseBytes {
        finish(
          .failure(
            TransportError(.tooLarge, "the response is larger than the \(request.maximumResponseBytes) bytes accepted"))
        )
      }
    case .end: if let partial { finish(.success(partial)) }
    case .open, .request, .message, .ping, .pong, .close, .reset:
      finish(.failure(TransportError(.protocolViolation, "the server answered with something else than HTTP")))
    }
  }

  func lose(_ error: TransportError) { finish(.failure(error)) }

  func abandon() { completion = nil }

  func cancel() {
    network.loop.executeNowOrSoon {
      self.completion = nil
      self.stream?.setEnd(nil, at: .client)
    }
  }

  private func finish(_ result: Result<HTTPResponse, TransportError>) {
    guard let completion else { return }
    self.completion = nil
    stream?.setEnd(nil, at: .client)
    completion(result)
  }
}
