import Concurrency
import Telemetry
import Transport

/// The answer of another node to one request: kept until it is whole when it is short, else sent on in parts as they come.
// @unchecked Sendable: its variables are accessed on the loop only.
final class PassedAnswer: HTTPResponseHandler, HTTPBodyHandler, @unchecked Sendable {
  private let responder: any HTTPResponder
  private let node: ServerNode
  private let logger: Logger
  private var head = HTTPResponse(status: 502)
  /// The writer of an answer in parts.
  private var writer: (any HTTPBodyWriter)?
  private var call: (any Cancellable)?
  /// Whether the answer is events without an end of their own.
  private var isEvents = false

  init(_ responder: any HTTPResponder, node: ServerNode, logger: Logger) {
    self.responder = responder
    self.node = node
    self.logger = logger
  }

  func begin(_ request: HTTPClientRequest, on network: any Network) {
    call = network.receive(request, handler: self)
  }

  // MARK: From the node

  func responseDidBegin(_ head: HTTPResponse) {
    self.head = HTTPResponse(status: head.status, headers: HopHeaders.answered(head.headers))
    isEvents = head.headers["Content-Type"]?.hasPrefix("text/event-stream") ?? false
    if isEvents { stream() }
  }

  func response(didReceive part: [UInt8]) {
    if let writer { return writer.write(part) }
    head.body += part
    if head.body.count > RelayLimits.wholeAnswer { stream() }
  }

  func response(didEnd failure: TransportError?) {
    call = nil
    switch (failure, writer) {
    case (nil, let writer?): writer.finish()
    case (nil, nil): responder.respond(head)
    case (let failure?, let writer):
      logger.warn(
        "a node's answer is not whole", ["node": .string(node.name), "reason": .string(failure.code.rawValue)])
      guard let writer else { return responder.respond(JSONAnswer.refusal(RequestRelay.unreachable)) }
      writer.abort()
    }
    writer = nil
  }

  private func stream() {
    var options = HTTPStreamOptions()
    options.writeBudget = RelayLimits.answerBuffer
    writer = responder.stream(head, options: options, handler: self)
    head.body = []
  }

  // MARK: From the client

  func bodyShouldFinish(_ writer: any HTTPBodyWriter) {
    // Another answer ends by itself, or is cut with the connection: it must not look whole.
    guard isEvents else { return }
    cancel()
    writer.finish()
  }

  func body(_ writer: any HTTPBodyWriter, didEnd failure: TransportError?) {
    if failure != nil { cancel() }
  }

  private func cancel() {
    call?.cancel()
    call = nil
    writer = nil
  }
}
