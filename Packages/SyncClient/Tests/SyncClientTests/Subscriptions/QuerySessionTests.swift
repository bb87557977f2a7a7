import ChangesetOT
import RecordStore
@testable import SyncClient
import Synchronization
import SyncProtocol
import Testing

/// Sessions of realms that are synced by queries, against a scripted server.
struct QuerySessionTests {
  @Test("a new file binds with a JSON object and identifies itself with the empty set")
  func beginning() throws {
    let stage = try QueryStage()
    let session = stage.connect()
    #expect(session.connectionState == .connected)
    #expect(stage.server.bindings == [#"{"sessionReason":0}"#])
    #expect(stage.server.heard.prefix(3) == ["open", "ident 0 {} at 0", "mark 1"])
    #expect(try stage.states == "0 pending")
  }

  @Test("a set is sent after the changes before it, bootstrapped, and complete with the answer to MARK")
  func subscribing() throws {
    let stage = try QueryStage()
    let session = stage.connect()
    stage.server.answersMarks = false
    stage.server.heard = []
    stage.server.answer = { [server = stage.server] query in
      guard let dogs = try? Kennel.dogs([1: "Rex"]) else { return [] }
      return [server.download([dogs], of: query.version.rawValue, .last)]
    }
    try stage.subscribe("age < 3")
    stage.run()
    #expect(stage.server.heard == [#"query 1 {"Dog":"(age < 3)"}"#, "mark 2"])
    #expect(try stage.states == "1 awaitingMark")
    #expect(try Kennel.names(in: stage.file) == ["Rex"])
    stage.server.send(.mark(MarkMessage(session: SessionIdent(1), request: RequestIdent(2))))
    stage.run()
    #expect(try stage.states == "1 complete")
    #expect(session.state == .active)
  }

  @Test("the batches of a bootstrap show nothing until the last one has come")
  func batches() throws {
    let stage = try QueryStage()
    let session = stage.connect()
    try stage.subscribe("TRUEPREDICATE")
    stage.run()
    stage.server.send(stage.server.download([try Kennel.dogs([1: "Rex"])], of: 1, .moreToCome))
    stage.run()
    #expect(try stage.states == "0 pending, 1 bootstrapping")
    #expect(try Kennel.names(in: stage.file) == [])
    stage.server.send(stage.server.download([try Kennel.dogs([2: "Ada"])], of: 1, .last))
    stage.run()
    #expect(try Kennel.names(in: stage.file) == ["Rex", "Ada"])
    #expect(session.state == .active)
  }

  @Test("a bootstrap tells how much is left, and the session is caught up behind it")
  func progress() throws {
    let stage = try QueryStage()
    let session = stage.connect()
    let heard = Mutex<[Double]>([])
    let token = session.addProgressNotification(for: .download, mode: .reportIndefinitely) { progress in
      heard.withLock { $0.append(progress.progressEstimate) }
    }
    defer { token?.invalidate() }
    try stage.subscribe("TRUEPREDICATE")
    stage.run()
    let dogs = try (1...4).map { try Kennel.dogs([$0: "Rex"]) }
    for (number, dog) in dogs.enumerated() {
      let part = Double(number + 1) / 4
      stage.server.send(stage.server.download([dog], of: 1, part == 1 ? .last : .moreToCome, done: part))
      stage.run()
      #expect(session.status.isCaughtUp == (part == 1))
    }
    let steps = heard.withLock { $0.suffix(4) }
    #expect(zip(steps, [0.25, 0.5, 0.75, 1]).allSatisfy { abs($0 - $1) < 0.05 }, "\(steps)")
    #expect(session.status.remainingDownloadBytes == 0)
  }

  @Test(
    "bytes that are left are told, or taken from the part that is done",
    arguments: [
      (DownloadRemaining.bytes(70), 30, 70), (.bytes(0), 30, 0), (.fraction(0), 0, 1), (.fraction(0), 30, 1),
      (.fraction(0.25), 25, 75), (.fraction(0.5), 0, 1), (.fraction(1), 30, 0),
      (.fraction(.leastNonzeroMagnitude), 1, .max),
    ])
  func estimate(_ remaining: DownloadRemaining, _ downloaded: Int, _ left: Int) {
    var estimate = DownloadEstimate()
    #expect(estimate.bytes(remaining, downloaded: downloaded) == left)
  }

  @Test("a bootstrap that a lost connection interrupts is dropped, and asked for again from the old cursor")
  func interruption() throws {
    let stage = try QueryStage()
    let session = stage.connect()
    try stage.subscribe("TRUEPREDICATE")
    stage.run()
    stage.server.send(stage.server.download([try Kennel.dogs([1: "Rex"])], of: 1, .moreToCome))
    stage.run()
    stage.server.heard = []
    stage.server.hangUp()
    session.reconnect()
    stage.run(.seconds(5))
    #expect(stage.server.heard.contains("ident 0 {} at 0"))
    #expect(stage.server.heard.contains(#"query 1 {"Dog":"(TRUEPREDICATE)"}"#))
    #expect(try stage.states == "0 pending, 1 pending")
    stage.server.send(stage.server.download([try Kennel.dogs([2: "Ada"])], of: 1, .last))
    stage.run()
    #expect(try Kennel.names(in: stage.file) == ["Ada"])
  }

  @Test("a refused set keeps its reason, and the set before it stays in force")
  func refusal() throws {
    let stage = try QueryStage()
    let session = stage.connect()
    stage.server.answer = { [server = stage.server] query in
      query.version == QueryVersion(2)
        ? [server.refusal(of: 2, "line 1, column 1: no")] : [server.download([], of: query.version.rawValue, .last)]
    }
    try stage.subscribe("name == 'Rex'")
    stage.run()
    try stage.subscribe("name.nonsense == 1")
    stage.run()
    #expect(try stage.states == "1 complete, 2 error")
    #expect(try stage.store.sets()?.latest.message == "line 1, column 1: no")
    #expect(try stage.store.sets()?.active.version == QueryVersion(1))
    #expect(session.state == .active)
    stage.server.heard = []
    stage.server.hangUp()
    session.reconnect()
    stage.run(.seconds(5))
    #expect(stage.server.heard.contains { $0.hasPrefix(#"ident 1 {"Dog":"(name == 'Rex')"}"#) })
  }

  @Test("a wait for downloads ends when the sets that were stored before it are complete, or with the refusal")
  func waiting() throws {
    let stage = try QueryStage()
    let session = stage.connect()
    try stage.subscribe("TRUEPREDICATE")
    let done = Box<[String]>([])
    session.waitForDownload { result in
      done.change { $0.append((try? result.get()) == nil ? "failed" : "done") }
    }
    stage.run()
    #expect(done.value == [])
    stage.server.send(stage.server.download([], of: 1, .last))
    stage.run()
    #expect(done.value == ["done"])
    stage.server.answer = { [server = stage.server] _ in [server.refusal(of: 2, "no")] }
    try stage.subscribe("age < 3")
    session.waitForDownload { result in
      if case .failure(let error) = result { done.change { $0.append("\(error.code.rawValue) \(error.message)") } }
    }
    stage.run()
    #expect(done.value == ["done", "10 no"])
  }

  @Test("a session that starts anew tells the set in force and sends what is pending")
  func restart() throws {
    let stage = try QueryStage()
    try stage.subscribe("age < 3")
    let session = stage.connect()
    #expect(stage.server.heard.contains(#"query 1 {"Dog":"(age < 3)"}"#))
    stage.server.send(stage.server.download([], of: 1, .last))
    stage.run()
    session.close()
    stage.run()
    stage.server.heard = []
    _ = stage.connect()
    #expect(stage.server.heard.contains { $0.hasPrefix(#"ident 1 {"Dog":"(age < 3)"} at 2"#) })
    #expect(!stage.server.heard.contains { $0.hasPrefix("query") })
  }

  @Test("several subscriptions of a class are joined, without duplicates")
  func joining() throws {
    let stage = try QueryStage()
    try stage.store.update { subscriptions in
      for query in ["b == 2", "a == 1", "b == 2"] {
        subscriptions.append(SubscriptionRecord(className: "Dog", query: query))
      }
      subscriptions.append(SubscriptionRecord(className: "Cat", query: "TRUEPREDICATE LIMIT(3)", hasClauses: true))
    }
    _ = stage.connect()
    #expect(
      stage.server.heard.contains(#"query 1 {"Cat":"TRUEPREDICATE LIMIT(3)","Dog":"(a == 1) OR (b == 2)"}"#))
  }
}
