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
    #expect(first.status.connection == .connected)
    #expect(first.status.pendingUploads == 0)
    #expect(second.status.summary == "connected")
    #expect(stage.server.realm("/ann/todo").history.count == 2)
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

  @Test("a suspended session stays offline until it is resumed")
  func suspension() {
    let (stage, file, session) = Stage.withOneDevice()
    session.suspend()
    stage.run()
    #expect(session.state == .inactive)
    #expect(session.connectionState == .disconnected)
    file.commit([1])
    stage.run()
    #expect(stage.server.realm("/ann/todo").history.isEmpty)
    session.resume()
    stage.run(.seconds(3))
    #expect(stage.server.realm("/ann/todo").history.count == 1)
    #expect(session.state == .active)
  }

  @Test("the end of a reset's child session is not logged as an error")
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
        role: isForReset ? .reset : .application(givesUpEarly: false)
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
    #expect(session.state == .invalid)
    #expect(ended.value)
    stage.server.refusal = nil
    session.resume()
    stage.run(.seconds(3))
    #expect(session.state == .active)
    #expect(session.status.lastError == nil)
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

  @Test("one process at a time syncs a file, and the next takes over")
  func handOver() throws {
    let stage = Stage()
    let path = "/tmp/openrealm-\(UInt64.random(in: 0 ... .max)).sync-lock"
    let file = PlainFile(lockPath: path)
    let first = stage.open(file, by: stage.client("one"))
    stage.run()
    let second = stage.open(file, by: stage.client("two"))
    stage.run()
    #expect(first.connectionState == .connected)
    #expect(second.status.isSyncedElsewhere)
    #expect(second.connectionState == .disconnected)
    first.close()
    stage.run(.seconds(3))
    #expect(second.connectionState == .connected)
    #expect(!second.status.isSyncedElsewhere)
  }

  @Test("a session that is closed and opened again continues the file")
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

  @Test("observers get every change of the status until their token ends")
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

/// Counts log lines.
private final class LineSink: LogSink {
  let count = Box(0)
  func write(_ entry: LogEntry) { count.change { $0 += 1 } }
}
