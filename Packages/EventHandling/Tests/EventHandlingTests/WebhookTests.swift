import Foundation
import ObjectServer
import Synchronization
import Telemetry
import TestKit
import Testing
import Transport
import TransportReal

@testable import EventHandling

/// A receiver of webhooks: accepts what is signed, unless it is told to refuse.
private final class Receiver: HTTPServerHandler {
  struct Call: Sendable {
    var id: String
    var body: String
    var isSigned: Bool
  }
  let calls = Mutex<[Call]>([])
  let refuses = Atomic<Bool>(false)

  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    let seconds = Int64(request.headers["X-OpenRealm-Timestamp"] ?? "") ?? 0
    let signature = try? WebhookSender.signature(request.body, at: seconds, secret: "secret")
    let call = Call(
      id: request.headers["X-OpenRealm-Event"] ?? "", body: String(decoding: request.body, as: UTF8.self),
      isSigned: request.headers["X-OpenRealm-Signature"] == signature)
    calls.withLock { $0.append(call) }
    responder.respond(HTTPResponse(status: refuses.load(ordering: .relaxed) ? 503 : 204))
  }

  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    responder.refuse(HTTPResponse(status: 404))
  }
}

@Suite("webhooks")
struct WebhookTests {
  @Test("a transaction is posted with a signature; one that is never accepted is a dead letter that can be sent again")
  func delivery() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let network = RealNetwork(loop: try EventLoop(name: "receiver"))
    let receiver = Receiver()
    let listener = try await network.listen(on: ListenAddress(host: "127.0.0.1", port: 0), handler: receiver)
    let webhooks = Webhooks(
      [
        WebhookSettings(
          name: "hook", url: try NetworkURL("http://\(listener.address)/hook"), pattern: try PathPattern("/private$"),
          secret: "secret")
      ], folder: server.folder + "/webhooks", network: network
    ) { configuration in
      configuration.retryDelay = .milliseconds(2)
      configuration.numberOfRetries = 3
    }
    try await webhooks.start(on: server.server)
    try await server.write("/ann/private", 1, "first")
    try await eventually { receiver.calls.withLock { $0.count } == 1 }
    let call = try #require(receiver.calls.withLock { $0.first })
    #expect(call.isSigned)
    #expect(call.body.contains("\"title\":\"first\""))
    receiver.refuses.store(true, ordering: .relaxed)
    try await server.write("/ann/private", 2, "second")
    try await eventually { try webhooks.deadLetters().count == 1 }
    #expect(try webhooks.webhooks().map(\.deadLetters) == [1])
    #expect(receiver.calls.withLock { $0.count } == 5, "one call, and three further ones")
    receiver.refuses.store(false, ordering: .relaxed)
    try await server.write("/ann/private", 3, "third")
    try await eventually { receiver.calls.withLock { $0.last?.body.contains("third") == true } }
    let letter = try #require(try webhooks.deadLetters().first)
    #expect(letter.reason.contains("503"))
    receiver.refuses.store(true, ordering: .relaxed)
    let refused = await again(letter.id, webhooks)
    guard case .refused? = refused else {
      Issue.record("a letter that is refused again is \(String(describing: refused))")
      return
    }
    receiver.refuses.store(false, ordering: .relaxed)
    #expect(await again(letter.id, webhooks) == .accepted)
    #expect(await again(letter.id, webhooks) == nil)
    #expect(try webhooks.deadLetters().isEmpty)
    for id in ["", "../handlers", String(repeating: "a", count: 32)] { #expect(try !webhooks.removeDeadLetter(id)) }
    #expect(receiver.calls.withLock { $0.last?.body.contains("second") } == true)
    await webhooks.stop()
    await server.stop()
  }

  private func again(_ id: String, _ webhooks: Webhooks) async -> DeadLetterOutcome? {
    await withCheckedContinuation { continuation in webhooks.sendAgain(id) { continuation.resume(returning: $0) } }
  }
}
