import CLibUV
import Concurrency
import Transport

/// Connects to the first address of a host that answers.
// @unchecked Sendable: its variables are touched on the loop's thread only.
final class Connector: @unchecked Sendable {
  private let loop: EventLoop
  private let url: NetworkURL
  private var completion: ((Result<SocketStream, TransportError>) -> Void)?
  private var addresses: ArraySlice<SocketAddress> = []
  private var attempt: SocketStream?
  private var patience: (any Cancellable)?

  /// How long one address may take when there are others to try.
  private static let patiencePerAddress: Duration = .seconds(3)

  init(loop: EventLoop, url: NetworkURL, completion: @escaping (Result<SocketStream, TransportError>) -> Void) {
    self.loop = loop
    self.url = url
    self.completion = completion
  }

  func start() {
    Resolver.resolve(url.host, port: url.port, on: loop) { result in
      guard self.completion != nil else { return }
      switch result {
      case .failure(let error): self.finish(.failure(SystemError.connecting(error.code, to: self.url.authority)))
      case .success(let addresses):
        self.addresses = addresses[...]
        self.tryNext()
      }
    }
  }

  /// Calls it off; nothing is reported.
  func cancel() {
    completion = nil
    patience?.cancel()
    attempt?.abort()
    attempt = nil
  }

  private func tryNext() {
    guard completion != nil, let address = addresses.popFirst() else { return }
    let stream = SocketStream(loop: loop)
    attempt = stream
    if !addresses.isEmpty {
      patience = loop.schedule(after: Self.patiencePerAddress) { [weak stream] in
        guard let stream, self.attempt === stream else { return }
        stream.abort()
        self.failed(UV_ETIMEDOUT.rawValue)
      }
    }
    stream.connect(to: address) { code in
      guard self.attempt === stream else { return }
      if code == 0 { self.finish(.success(stream)) } else { self.failed(code) }
    }
  }

  private func failed(_ code: Int32) {
    attempt?.abort()
    attempt = nil
    patience?.cancel()
    if addresses.isEmpty { return finish(.failure(SystemError.connecting(code, to: url.authority))) }
    tryNext()
  }

  private func finish(_ result: Result<SocketStream, TransportError>) {
    patience?.cancel()
    attempt = nil
    let completion = completion
    self.completion = nil
    completion?(result)
  }
}
