import Concurrency
import Transport

/// One end of a client's WebSocket that is passed on as a stream of a link. Its users are on the loop.
// @unchecked Sendable: its variables are accessed on the loop only.
final class LinkStream: WebSocketConnection, @unchecked Sendable {
  let ident: ConnectionIdent
  let remoteAddress: String
  /// The number on the link; nil for a stream that found no room on it.
  let number: UInt64?
  private let link: LinkConnection
  private var handler: (any WebSocketHandler)?
  /// The share in the memory for received messages, while a long one arrives.
  private var account: ReceiveAccount?
  private let group: String

  init(
    _ number: UInt64?, on link: LinkConnection, ident: ConnectionIdent, remoteAddress: String, group: String?,
    handler: any WebSocketHandler
  ) {
    self.number = number
    self.link = link
    self.ident = ident
    self.remoteAddress = remoteAddress
    self.group = group ?? PeerGroup(remoteAddress: remoteAddress).description
    self.handler = handler
  }

  var bufferedBytes: Int { number.map { link.bufferedBytes(of: $0) } ?? 0 }

  func send(binary bytes: [UInt8]) { change { $0.send($1, isText: false, bytes) } }

  func send(text: String) { change { $0.send($1, isText: true, Array(text.utf8)) } }

  /// Does nothing: the link itself is asked for signs of life.
  func ping(_ payload: [UInt8]) {}

  func pauseReading() {
    account?.pause()
    change { $0.pause($1, true) }
  }

  func resumeReading() { change { $0.pause($1, false) } }

  func close(code: WebSocketCloseCode, reason: String) {
    let now = link.scheduler.now
    change { $0.close($1, code, reason: reason, at: now) }
  }

  func abort() { change { $0.abort($1) } }

  private func change(_ body: @escaping @Sendable (inout PeerLink, UInt64) -> Void) {
    guard let number else { return }
    link.scheduler.executeNowOrSoon { [link] in link.change { body(&$0, number) } }
  }

  // MARK: From the link

  func opened(_ protocolToken: String?) { handler?.webSocketDidOpen(self, protocolToken: protocolToken) }

  func received(_ message: WebSocketMessage) { handler?.webSocket(self, didReceive: message) }

  func drained() { handler?.webSocketDidDrain(self) }

  func closed(_ closure: WebSocketClosure) {
    account?.close()
    account = nil
    let handler = handler
    self.handler = nil
    handler?.webSocket(self, didClose: closure)
  }

  /// Counts a message that is arriving with the server's memory for such, and has the other node wait while there is none.
  func arriving(_ bytes: Int, received: Int, countingWith budget: ReceiveBudget) {
    guard bytes > 0 else {
      account?.close()
      account = nil
      return change { $0.withhold($1, false) }
    }
    let account = account ?? open(budget)
    self.account = account
    account.hold(bytes, received: received)
    if account.room(atMost: received) == 0 { change { $0.withhold($1, true) } }
  }

  private func open(_ budget: ReceiveBudget) -> ReceiveAccount {
    budget.open(.member, group: group, on: link.scheduler) { [weak self] in
      self?.change { $0.withhold($1, false) }
    } cut: { [weak self] in
      self?.abort()
    }
  }
}
