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

  init(
    request: HTTPClientRequest, network: SimulatedNetwork,
    completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) {
    self.request = request
    self.network = network
    self.completion = completion
  }

  func start(from host: String) {
    guard completion != nil else { return }
    switch network.openStream(from: host, to: request.url, end: self) {
    case .failure(let error): finish(.failure(error))
    case .success(let stream):
      self.stream = stream
      network.loop.schedule(after: request.timeout) { [weak self] in
        guard let self else { return }
        self.finish(
          .failure(
            TransportError(
              .timedOut, "\(self.request.url.authority) did not answer within \(self.request.timeout): try again")))
      }
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
      finish(.success(response))
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
