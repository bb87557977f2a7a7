import ByteCoding
@testable import ObjectServer
import Synchronization
import Telemetry
import Testing
import Transport

/// Collects the events of a stream.
private final class EventCollector: HTTPResponseHandler {
  private struct State {
    var parser = ServerSentEventParser()
    var events: [ServerSentEvent] = []
    var status = 0
    var hasEnded = false
  }
  private let state = Mutex(State())

  var status: Int { state.withLock(\.status) }
  var hasEnded: Bool { state.withLock(\.hasEnded) }

  func responseDidBegin(_ head: HTTPResponse) { state.withLock { $0.status = head.status } }
  func response(didReceive part: [UInt8]) { state.withLock { $0.events += $0.parser.append(part) } }
  func response(didEnd failure: TransportError?) { state.withLock { $0.hasEnded = true } }

  /// Waits until the condition holds for the events; false when it does not within a generous time.
  func waits(_ condition: ([ServerSentEvent], Bool) -> Bool) async throws -> Bool {
    for _ in 0..<10_000 {
      if state.withLock({ condition($0.events, $0.hasEnded) }) { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    return false
  }
}

@Suite("Live streams of the administration API", .serialized)
struct AdminLiveTests {
  @Test("sessions, metrics and logs arrive, and the stream ends with its bearer's rights and with the server")
  func live() async throws {
    var last: EventCollector?
    try await AdminScene.run { scene in
      let collector = EventCollector()
      scene.network.receive(try scene.request("GET", "live?level=warn"), handler: collector)
      #expect(try await collector.waits { events, _ in events.contains { $0.event == "sessions" } })
      #expect(try await collector.waits { events, _ in events.contains { $0.event == "metrics" } })
      scene.logger.info("passed over")
      scene.logger.warn("something to look at")
      #expect(try await collector.waits { events, _ in events.contains { $0.data.contains("something to look at") } })
      last = collector

      let user = try await scene.call(
        "POST", "users", body: #"{"name":"root","password":"secret-1","isAdministrator":true}"#)
      let id = try #require(user["id"]?.string)
      let login = try await scene.send(
        "POST", "/api/client/v2.0/app/a/auth/providers/local-userpass/login",
        body: #"{"username":"root","password":"secret-1"}"#)
      let access = try #require(try JSONValue(parsing: login.body)["access_token"]?.string)
      let other = EventCollector()
      scene.network.receive(try scene.request("GET", "live?topics=metrics", token: access), handler: other)
      #expect(try await other.waits { events, _ in events.contains { $0.event == "metrics" } })
      _ = try await scene.call("PATCH", "users/\(id)", body: #"{"isAdministrator":false}"#)
      #expect(try await other.waits { _, hasEnded in hasEnded })
      #expect(!collector.hasEnded)
      #expect(try await scene.send("GET", "live?topics=secrets").status == 400)
    }
    #expect(try await #require(last).waits { _, hasEnded in hasEnded })
  }
}
