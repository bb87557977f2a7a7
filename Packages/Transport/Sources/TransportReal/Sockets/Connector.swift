import CLibUV
import Concurrency
import Transport

// @unchecked Sendable: its variables are touched on the loop's thread only.
/// Connects to the first address of a host that answers.
final class Connector: @unchecked Sendable {
  private let loop: EventLoop
  private let url: NetworkURL
  private var completion: ((Result<SocketStream, TransportError>) -> Void)?
  private var addresses: ArraySlice<SocketAddress> = []
  private var attempt: SocketStream?
  private var timeout: (any Cancellable)?

  /// The time for one address when there are others to try.
  private static let timeoutPerAddress: Duration = .seconds(3)

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

  /// Cancels the attempt; nothing is reported.
  func cancel() {
    completion = nil
    timeout?.cancel()
    attempt?.abort()
    attempt = nil
  }

  private func tryNext() {
    guard completion != nil, let address = addresses.popFirst() else { return }
    let stream = SocketStream(loop: loop)
    attempt = stream
    if !addresses.isEmpty {
      timeout = loop.schedule(after: Self.timeoutPerAddress) { [weak stream] in
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
    timeout?.cancel()
    if addresses.isEmpty { return finish(.failure(SystemError.connecting(code, to: url.authority))) }
    tryNext()
  }

  private func finish(_ result: Result<SocketStream, TransportError>) {
    timeout?.cancel()
    attempt = nil
    let completion = completion
    self.completion = nil
    completion?(result)
  }
}
