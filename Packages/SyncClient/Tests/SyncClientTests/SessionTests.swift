import Concurrency
import SyncProtocol
@testable import SyncClient
import Telemetry
import Testing
import Transport
import TransportSimulated

/// Sessions over the simulated network.
struct SessionTests {
  @Test("two devices see each other's commits")
  func twoDevices() {
    let stage = Stage()
    let one = PlainFile()
    let two = PlainFile()
    one.commit([1])
    let first = stage.open(one, by: stage.client("one"))
    let second = stage.open(two, by: stage.client("two"))
    stage.run()
    #expect(two.shown == [[1]])
    two.commit([2])
    stage.run()
    #expect(one.shown == [[1], [2]])
    #expect(first.status.connection == .connected && first.status.pendingUploads == 0)
    #expect(second.status.summary == "connected")
    #expect(stage.server.realm("/ann/todo").history.count == 2)
  }

  @Test("sessions of one user share a connection, those of two users do not")
  func multiplexing() {
    let stage = Stage()
    let client = stage.client("one")
    let files = (0..<3).map { _ in PlainFile() }
    _ = stage.open(files[0], by: client, path: "/ann/a")
    _ = stage.open(files[1], by: client, path: "/ann/b")
    stage.run()
    #expect(stage.server.connections == 1)
    _ = stage.open(files[2], by: client, path: "/ben/a", user: "ben")
    stage.run()
    #expect(stage.server.connections == 2)
    #expect(stage.open(files[0], by: client, path: "/ann/a") === client.session(for: stage.target("/ann/a")))
  }

  @Test("uploads are compressed for servers on other machines, and not for one on this machine")
  func compression() {
    for (device, host, isCompressed) in [("one", "server", true), ("server", "localhost", false)] {
      let stage = Stage()
      let file = PlainFile()
      file.commit([UInt8](repeating: 1, count: 20_000))
      var target = stage.target()
      target.server.host = host
      let tokens = FixedTokenSource("token", scheduler: stage.network.loop)
      let session = stage.client(device).open(file, at: target, tokens: tokens)
      stage.run()
      #expect(session.status.pendingUploads == 0 && stage.server.realm("/ann/todo").history.count == 1)
      #expect((stage.server.largestMessage < 2_000) == isCompressed, "\(host): \(stage.server.largestMessage)")
    }
  }

  @Test("work done offline is counted, and sent when the connection is back")
  func offline() {
    let (stage, file, session) = Stage.withOneDevice()
    stage.network.crash("server")
    stage.run()
    #expect(session.connectionState != .connected)
    file.commit([1])
    file.commit([2])
    stage.run(.milliseconds(10))
    #expect(session.status.pendingUploads == 2)
    #expect(session.status.lastError?.isFatal == false)
    stage.network.restart("server")
    stage.start()
    session.reconnect()
    stage.run(.seconds(5))
    #expect(session.status.pendingUploads == 0)
    #expect(session.status.lastError == nil)
    #expect(stage.server.realm("/ann/todo").history.map(\.changeset) == [[1], [2]])
  }

  @Test("changes that wait are counted at once when none waited, and then every 100 ms at most")
  func counting() {
    let (stage, file, session) = Stage.withOneDevice()
    session.suspend()
    stage.run()
    let before = file.content.withLock(\.counts)
    var counts: Int { file.content.withLock(\.counts) - before }
    #expect(session.status.pendingUploads == 0)
    file.commit([1])
    stage.run(.milliseconds(1))
    // Nobody may take the realm for uploaded.
    #expect(session.status.pendingUploads == 1 && counts == 1)
    file.commit([2])
    stage.run(.milliseconds(98))
    #expect(session.status.pendingUploads == 1 && counts == 1)
    stage.run(.milliseconds(3))
    #expect(session.status.pendingUploads == 2 && counts == 2)
    for number in 3...102 as ClosedRange<UInt8> {
      file.commit([number])
      stage.run(.milliseconds(5))
    }
    #expect(counts == 6, "four times 100 ms, and up to the next commit")
    stage.run(.milliseconds(101))
    #expect(session.status.pendingUploads == 102 && counts == 7)
    // Nothing is counted when nothing happens.
    stage.run(.seconds(10))
    #expect(counts == 7)
  }

  @Test("that nothing waits any more is said with the last acknowledgement")
  func countingDown() {
    let (stage, file, session) = Stage.withOneDevice()
    file.commit([1])
    stage.run(.milliseconds(1))
    #expect(session.status.pendingUploads == 1)
    var waited = 0
    while session.status.transfer.uploaded == 0, waited < 1_000 {
      stage.run(.milliseconds(1))
      waited += 1
    }
    stage.run(.milliseconds(1))
    #expect(session.status.pendingUploads == 0)
  }

  @Test("the commits that were made before the loop gets round to them are heard of together")
  func commitsInARow() {
    let (stage, file, session) = Stage.withOneDevice()
    let before = file.content.withLock(\.counts)
    for number in 1...50 as ClosedRange<UInt8> { file.commit([number]) }
    stage.run(.milliseconds(1))
    #expect(file.content.withLock(\.counts) == before + 1)
    #expect(session.status.pendingUploads == 50)
    stage.run()
    #expect(stage.server.realm("/ann/todo").history.count == 50)
    #expect(session.status.pendingUploads == 0)
  }

  @Test("commits that gather are counted when the session leaves the connection, and heard of again on the next")
  func gatheringEnds() {
    for leaves in [
      { (_: Stage, session: SyncSession) in session.suspend() },
      { stage, _ in stage.network.breakConnections(between: "one", and: "server") },
    ] {
      let (stage, file, session) = Stage.withOneDevice()
      stage.network.partition(["one"], from: ["server"])
      file.commit([1])
      stage.run(.milliseconds(5))
      file.commit([2])
      stage.run(.milliseconds(1))
      // These are not told of: they go along when the first is acknowledged, or has waited long enough.
      file.commit([3])
      file.commit([4])
      leaves(stage, session)
      stage.run(.milliseconds(131))
      #expect(session.status.pendingUploads == 4)
      file.commit([5])
      stage.run(.milliseconds(101))
      #expect(session.status.pendingUploads == 5)
      stage.network.heal()
      session.resume()
      stage.run(.seconds(10))
      #expect(stage.server.realm("/ann/todo").history.count == 5)
      file.commit([6])
      stage.run()
      #expect(stage.server.realm("/ann/todo").history.count == 6)
      #expect(session.status.pendingUploads == 0)
    }
  }

  @Test("a connection goes a while after its last session, and the next session makes another")
  func unusedConnections() {
    let stage = Stage()
    let client = stage.client("one")
    let files = (0..<3).map { _ in PlainFile() }
    let sessions = files.enumerated().map { stage.open($1, by: client, user: "user \($0)") }
    stage.run()
    #expect(client.pool.count == 3 && stage.server.connections == 3)
    sessions[0].close()
    sessions[1].suspend()
    stage.run()
    #expect(client.pool.count == 3, "somebody may come back soon")
    stage.run(.seconds(60))
    #expect(client.pool.count == 1 && sessions[2].connectionState == .connected)
    files[1].commit([1])
    sessions[1].resume()
    stage.run()
    #expect(client.pool.count == 2 && stage.server.connections == 4)
    #expect(stage.server.realm("/ann/todo").history.count == 1)
    // One that never had a connection leaves nothing either.
    client.shutDown()
    stage.network.partition(["one"], from: ["server"])
    stage.run(.seconds(60))
    let last = stage.open(PlainFile(), by: client, user: "late")
    stage.run()
    #expect(client.pool.count == 1)
    last.close()
    stage.run()
    #expect(client.pool.count == 0)
  }

  @Test("suspend works offline on purpose, resume goes on")
  func suspension() {
    let (stage, file, session) = Stage.withOneDevice()
    session.suspend()
    stage.run()
    #expect(session.state == .inactive && session.connectionState == .disconnected)
    file.commit([1])
    stage.run()
    #expect(stage.server.realm("/ann/todo").history.isEmpty)
    session.resume()
    stage.run(.seconds(3))
    #expect(stage.server.realm("/ann/todo").history.count == 1)
    #expect(session.state == .active)
  }

  @Test("waits end when the server has everything, and when everything is here")
  func waiting() {
    let stage = Stage()
    let one = PlainFile()
    let two = PlainFile()
    let first = stage.open(one, by: stage.client("one"))
    let second = stage.open(two, by: stage.client("two"))
    let done = Box<[String]>([])
    one.commit([1])
    first.waitForUpload { _ in done.change { $0.append("up") } }
    stage.run()
    #expect(done.value == ["up"])
    #expect(stage.server.realm("/ann/todo").history.count == 1)
    second.waitForDownload { _ in
      #expect(two.shown == [[1]])
      done.change { $0.append("down") }
    }
    stage.run()
    #expect(done.value == ["up", "down"])
  }

  @Test("a wait begun while offline ends after the reconnect")
  func waitingOffline() {
    let (stage, file, session) = Stage.withOneDevice()
    session.suspend()
    stage.run()
    file.commit([1])
    let done = Box(false)
    session.waitForUpload { result in done.value = (try? result.get()) != nil }
    stage.run()
    #expect(!done.value)
    session.resume()
    stage.run(.seconds(3))
    #expect(done.value)
  }

  @Test("a handshake that nobody answers is given up on request, and another begins at once")
  func hangingHandshake() {
    let stage = Stage()
    stage.network.partition(["one"], from: ["server"])
    let session = stage.open(PlainFile(), by: stage.client("one"))
    stage.run(.seconds(11))
    #expect(session.connectionState == .connecting)
    stage.server.isSilent = true
    stage.network.heal()
    stage.run(.seconds(30))
    #expect(session.connectionState == .connecting)
    stage.server.isSilent = false
    session.reconnect()
    stage.run(.seconds(2))
    #expect(session.connectionState == .connected)
  }

  @Test("what ends a session of a reset is no error by itself")
  func resetSessionsAreQuiet() {
    for isForReset in [false, true] {
      let stage = Stage()
      stage.server.refusal = SessionFailure(
        .badServerVersion, "the client resumes at 0, below what it acknowledged (7)")
      let lines = LineSink()
      var environment = stage.client("one").environment
      environment.logger = Logger(level: .error, sink: lines)
      let client = SyncClient(environment)
      let target = stage.target()
      let tokens = FixedTokenSource("token", scheduler: stage.network.loop)
      let session = SyncSession(
        file: PlainFile(), target: target, queue: SerialQueue("file", 1), environment: environment,
        isForReset: isForReset
      ) {
        client.pool.connection(for: target, tokens)
      }
      session.start()
      stage.run()
      #expect(session.state == .invalid)
      #expect(lines.count.value == (isForReset ? 0 : 1))
    }
  }

  @Test("an error of the server reaches the handler with its remedy, and ends the waits")
  func errors() {
    let stage = Stage()
    stage.server.refusal = SessionFailure(.permissionDenied, "ann may not read /ben/secret")
    let client = stage.client("one")
    let heard = Box<[SyncError]>([])
    client.errorHandler = { error, _ in heard.change { $0.append(error) } }
    let session = stage.open(PlainFile(), by: client, path: "/ben/secret")
    let ended = Box(false)
    session.waitForDownload { result in
      if case .failure(let error) = result { ended.value = error.code == .permissionDeniedError }
    }
    stage.run()
    #expect(heard.value.map(\.code) == [.permissionDeniedError])
    #expect(heard.value.first?.remedy == "ask its owner to grant access")
    #expect(session.state == .invalid && ended.value)
    stage.server.refusal = nil
    session.resume()
    stage.run(.seconds(3))
    #expect(session.state == .active && session.status.lastError == nil)
  }

  @Test("a failed integration stops the session, and the server is told")
  func brokenFile() {
    let stage = Stage()
    let one = PlainFile()
    let two = PlainFile()
    let first = stage.open(one, by: stage.client("one"))
    let second = stage.open(two, by: stage.client("two"))
    stage.run()
    two.content.withLock { $0.failsIntegration = true }
    one.commit([1])
    stage.run()
    #expect(second.state == .invalid)
    #expect(second.status.lastError?.code == .clientInternalError)
    #expect(first.state == .active)
  }

  @Test("one process syncs a file at a time, the next takes over")
  func handOver() throws {
    let stage = Stage()
    let path = "/tmp/openrealm-\(UInt64.random(in: 0 ... .max)).sync-lock"
    let file = PlainFile(lockPath: path)
    let first = stage.open(file, by: stage.client("one"))
    stage.run()
    let second = stage.open(file, by: stage.client("two"))
    stage.run()
    #expect(first.connectionState == .connected)
    #expect(second.status.isSyncedElsewhere && second.connectionState == .disconnected)
    first.close()
    stage.run(.seconds(3))
    #expect(second.connectionState == .connected && !second.status.isSyncedElsewhere)
  }

  @Test("a session that is closed and opened again goes on where the file is")
  func reopening() {
    let stage = Stage()
    let client = stage.client("one")
    let file = PlainFile()
    for number in 1...5 as ClosedRange<UInt8> {
      let session = stage.open(file, by: client)
      file.commit([number])
      stage.run(.milliseconds(Int64(number)))
      client.close(session)
    }
    let other = PlainFile()
    let two = stage.client("two")
    _ = stage.open(other, by: two)
    _ = stage.open(file, by: client)
    stage.run(.seconds(5))
    #expect(two.sessions.count == 1)
    #expect(stage.server.realm("/ann/todo").history.map(\.changeset) == [[1], [2], [3], [4], [5]])
    #expect(other.shown == file.shown)
  }

  @Test("an expired token is renewed, and a login that has ended stops the session")
  func tokens() {
    let stage = Stage()
    stage.server.tokens = ["new"]
    let client = stage.client("one")
    let file = PlainFile()
    let source = RenewingTokens(stage.network.loop, renewed: "new")
    let session = client.open(file, at: stage.target(), tokens: source)
    stage.run(.seconds(3))
    #expect(session.connectionState == .connected)
    #expect(source.renewals.value == 1)

    let lapsed = RenewingTokens(stage.network.loop, renewed: nil)
    let ended = client.open(PlainFile(), at: stage.target("/x/y", user: "x"), tokens: lapsed)
    stage.run(.seconds(3))
    #expect(ended.state == .invalid)
    #expect(ended.status.lastError?.code == .underlyingAuthError)
    // The user logs in again.
    lapsed.current.value = "new"
    ended.resume()
    stage.run(.seconds(3))
    #expect(ended.connectionState == .connected && ended.state == .active)
  }

  @Test("observers hear every change of the status until their token ends")
  func observation() {
    let stage = Stage()
    let session = stage.open(PlainFile(), by: stage.client("one"))
    let heard = Box<[SyncSession.ConnectionState]>([])
    var token: SyncToken? = session.observe { status in
      heard.change { if $0.last != status.connection { $0.append(status.connection) } }
    }
    stage.run()
    #expect(heard.value == [.disconnected, .connecting, .connected])
    token?.invalidate()
    token = nil
    session.suspend()
    stage.run()
    #expect(heard.value.count == 3)
  }
}

/// A token that the server does not take, and one that it may take.
final class RenewingTokens: TokenSource {
  private let loop: any Scheduler
  private let renewed: String?
  let current = Box("old")
  let renewals = Box(0)

  init(_ loop: any Scheduler, renewed: String?) {
    self.loop = loop
    self.renewed = renewed
  }

  func token(renewing: Bool, completion: @escaping @Sendable (Result<String, TokenFailure>) -> Void) {
    if renewing {
      renewals.change { $0 += 1 }
      guard let renewed else {
        return loop.execute { completion(.failure(.loginEnded("logged out elsewhere"))) }
      }
      current.value = renewed
    }
    let token = current.value
    loop.execute { completion(.success(token)) }
  }
}

/// Counts what is logged.
private final class LineSink: LogSink {
  let count = Box(0)
  func write(_ entry: LogEntry) { count.change { $0 += 1 } }
}
