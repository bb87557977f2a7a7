import Synchronization
import Transport

/// The means to answer one request or one upgrade, once, from any thread.
///
/// When it is dropped without an answer, the peer gets 500: a forgotten request must not hang.
final class HTTPExchange: HTTPResponder, WebSocketUpgradeResponder {
  private let connection: HTTPServerConnection
  private let loop: EventLoop
  private let key: String?
  private let hasNoPeer = Atomic<Bool>(false)
  private let isAnswered = Atomic<Bool>(false)

  init(connection: HTTPServerConnection, loop: EventLoop, key: String?) {
    self.connection = connection
    self.loop = loop
    self.key = key
  }

  func respond(_ response: HTTPResponse) {
    guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
    loop.executeNowOrSoon { [connection] in connection.answer(response) }
  }

  func refuse(_ response: HTTPResponse) {
    respond(response.status == 101 ? HTTPResponse(status: 500, text: "refused\n") : response)
  }

  func accept(
    protocolToken: String?, headers: HTTPHeaders, options: WebSocketOptions, handler: any WebSocketHandler
  ) {
    guard let key, !isAnswered.exchange(true, ordering: .relaxed) else { return }
    loop.executeNowOrSoon { [connection] in
      connection.accept(
        key: key, protocolToken: protocolToken, headers: headers, options: options, handler: handler)
    }
  }

  deinit {
    guard !isAnswered.load(ordering: .relaxed), !hasNoPeer.load(ordering: .relaxed) else { return }
    loop.execute { [connection] in connection.answer(HTTPResponse(status: 500, text: "no answer was given\n")) }
  }

  /// Nobody waits for an answer any more; an upgrade that is accepted now fails at once.
  func peerIsGone() { hasNoPeer.store(true, ordering: .relaxed) }
}
