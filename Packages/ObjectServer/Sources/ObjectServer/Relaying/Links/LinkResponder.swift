import Concurrency
import Synchronization
import Transport

/// Sends the decision of the server on one stream, once, from any thread. One that is released without it refuses with 500.
final class LinkResponder: WebSocketUpgradeResponder {
  private let link: LinkConnection
  private let number: UInt64
  private let address: String
  private let isAnswered = Atomic<Bool>(false)

  init(_ number: UInt64, on link: LinkConnection, address: String) {
    self.number = number
    self.link = link
    self.address = address
  }

  func accept(
    protocolToken: String?, headers: HTTPHeaders, options: WebSocketOptions, handler: any WebSocketHandler
  ) {
    guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
    // From the loop: no handler is called before this call returns.
    link.scheduler.execute { [link, number, address] in
      link.accept(number, protocolToken, options, from: address, handler)
    }
  }

  func refuse(_ response: HTTPResponse) {
    guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
    link.scheduler.execute { [link, number] in link.change { $0.refuse(number, response) } }
  }

  deinit {
    guard !isAnswered.load(ordering: .relaxed) else { return }
    link.scheduler.execute { [link, number] in
      link.change { $0.refuse(number, HTTPResponse(status: 500, text: "no answer was given\n")) }
    }
  }
}
