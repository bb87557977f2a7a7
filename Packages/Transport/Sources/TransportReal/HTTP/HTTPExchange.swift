import Synchronization
import Transport

/// Sends the answer to one request or one upgrade, once, from any thread.
///
/// When it is released without an answer, the peer gets 500, so that no request hangs.
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

  func stream(
    _ head: HTTPResponse, options: HTTPStreamOptions, handler: any HTTPBodyHandler
  ) -> any HTTPBodyWriter {
    let writer = RealBodyWriter(connection: connection, loop: loop, options: options, handler: handler)
    guard !isAnswered.exchange(true, ordering: .relaxed) else {
      loop.execute { writer.end(TransportError(.aborted, "the request was answered before")) }
      return writer
    }
    loop.executeNowOrSoon { [connection] in connection.stream(head, body: writer) }
    return writer
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

  /// Records that the peer closed the connection: an upgrade that is accepted afterwards fails at once.
  func peerDidClose() { hasNoPeer.store(true, ordering: .relaxed) }
}
