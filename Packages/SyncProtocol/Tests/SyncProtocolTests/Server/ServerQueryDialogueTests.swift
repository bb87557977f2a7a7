import ChangesetOT
import SyncProtocol
import Testing

/// Conversations of flexible sync with the server machine, one line per step.
struct ServerQueryDialogueTests {
  private static let bind = "bind 1 37 0 0 0\n{\"schemaVersion\":0,\"sessionReason\":0}"

  /// A session of flexible sync whose client holds `held` at server version 3.
  private func steady(held: UInt64 = 1, version: UInt16 = 14) -> ServerDialogue {
    var server = ServerDialogue(version: version, flavour: .flexible)
    _ = server.say(Self.bind)
    _ = server.happen(.realmOpened(.first))
    _ = server.say("ident 1 2 77 3 0 3 9 \(held) 2\n{}")
    _ = server.happen(.clientFileFound(.first, ClientFileRecord(salt: 77), ServerDialogue.state(3)))
    _ = server.happen(.historyScanned(.first, scan(3, held, .steady)))
    return server
  }

  private func scan(
    _ server: UInt64, _ query: UInt64, _ state: DownloadBatch.State, entries: [UInt64] = [], remaining: Int = 0,
    upload: UInt64 = 0, end: Bool = true
  ) -> DownloadScan {
    let cursor = UploadCursor(client: ClientVersion(upload), server: .zero)
    var scan = ServerDialogue.scan(server, 0, upload: cursor, entries: entries, end: end)
    scan.batch = DownloadBatch(query: QueryVersion(query), state: state)
    scan.remainingBytes = remaining
    return scan
  }

  @Test("the first scan brings the schema as the bootstrap of set 0, and answers the MARK before it")
  func firstContact() {
    var server = ServerDialogue(flavour: .flexible)
    #expect(
      server.say("bind 1 37 0 1 0\n{\"schemaVersion\":0,\"sessionReason\":0}") == [
        "open {\"schemaVersion\":0,\"sessionReason\":0}"
      ])
    #expect(server.happen(.realmOpened(.first)) == ["allocate"])
    #expect(server.happen(.fileIdentAllocated(.first, ServerDialogue.file)) == ["ident 1 2 77"])
    #expect(server.say("ident 1 2 77 0 0 0 0 0 2\n{}") == ["find 2"])
    #expect(server.say("mark 1 1\n") == [])
    #expect(
      server.happen(.clientFileFound(.first, ClientFileRecord(salt: 77), ServerDialogue.state(0)))
        == ["identified 2", "log 1", "scan 0 0 view 0 to 0"])
    #expect(
      server.happen(.historyScanned(.first, scan(3, 0, .last, entries: [3])))
        == ["download 1 3 0 3 9 0 0 0 1 1 0 13 0", "mark 1 1", "scan 3 0 view 0 to 0"])
    #expect(server.happen(.historyScanned(.first, scan(3, 0, .steady))) == [])
  }

  @Test("a bootstrap is a run of scans; MARK is answered by the scan after its last batch, then changes are steady")
  func bootstrap() {
    var server = steady()
    #expect(server.say("query 1 2 22\n{\"Person\":\"(age > 3)\"}") == ["scan 3 0 view 1 to 2"])
    #expect(server.say("mark 1 4\n") == [])
    #expect(
      server.happen(.historyScanned(.first, scan(5, 2, .moreToCome, entries: [5], remaining: 3, end: false)))
        == ["download 1 5 0 5 9 0 0 2 0 0.25 0 13 0", "scan 5 0 view 1 to 2 goes on"])
    // A batch without entries says nothing.
    #expect(
      server.happen(.historyScanned(.first, scan(5, 2, .moreToCome, remaining: 3, end: false)))
        == ["scan 5 0 view 1 to 2 goes on"])
    #expect(
      server.happen(.historyScanned(.first, scan(5, 2, .last, entries: [5])))
        == ["download 1 5 0 5 9 0 0 2 1 1 0 13 0", "scan 5 0 view 2 to 2"])
    #expect(server.happen(.historyScanned(.first, scan(5, 2, .steady))) == ["mark 1 4"])
    #expect(server.happen(.historyAdvanced(.first)) == ["scan 5 0 view 2 to 2"])
    #expect(
      server.happen(.historyScanned(.first, scan(6, 2, .steady, entries: [6])))
        == ["download 1 6 0 6 9 0 0 2 2 1 0 13 0"])
  }

  @Test("a bootstrap waits while its scan is answered with changes of the held set, and uploads wait behind it")
  func changesBeforeBootstrap() {
    var server = steady()
    #expect(server.say("query 1 2 2\n{}") == ["scan 3 0 view 1 to 2"])
    #expect(server.say("upload 1 0 13 0 2 0 0\n2 0 5 0 3 abc") == [])
    #expect(
      server.happen(.sessionWarned(.first, SessionFailure(.compensatingWrite, "undone"))) == ["error 231 1 Warning"])
    #expect(
      server.happen(.historyScanned(.first, scan(4, 1, .steady, entries: [4])))
        == ["download 1 4 0 4 9 0 0 1 2 1 0 13 0", "scan 4 0 view 1 to 2"])
    #expect(
      server.happen(.historyScanned(.first, scan(5, 2, .last, entries: [5])))
        == ["download 1 5 0 5 9 0 0 2 1 1 0 13 0", "integrate [2] to 2 0 under 2", "scan 5 0 view 2 to 2"])
  }

  @Test("before version 12 the progress is a number of bytes")
  func oldProgress() {
    var server = steady(version: 11)
    _ = server.say("query 1 2 2\n{}")
    #expect(
      server.happen(.historyScanned(.first, scan(5, 2, .moreToCome, entries: [5], remaining: 3, end: false))).first
        == "download 1 5 0 5 9 0 0 2 0 3 0 13 0")
  }

  @Test("a bootstrap that brings nothing has an entry without instructions, as stock clients do not end an empty one")
  func emptyBootstrap() throws {
    var server = steady()
    _ = server.say("query 1 2 2\n{}")
    let actions = server.machine.handle(.historyScanned(.first, scan(3, 2, .last)))
    guard case .send(.download(let download))? = actions.first else {
      Issue.record("the last batch is sent")
      return
    }
    let entry = try #require(download.entries.first)
    #expect(download.entries.count == 1)
    #expect(entry.cursor == DownloadCursor(server: ServerVersion(3), client: .zero))
    #expect(entry.origin == .server)
    let origin = ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)
    #expect(try Changeset(decoding: entry.changeset, origin: origin).instructions.isEmpty)
  }

  @Test("a query takes effect between the uploads before it and those behind it")
  func order() {
    var server = steady()
    #expect(server.say("upload 1 0 13 0 2 0 0\n2 0 5 0 3 abc") == ["integrate [2] to 2 0 under 1"])
    #expect(server.say("query 1 2 2\n{}") == [])
    #expect(server.say("upload 1 0 13 0 4 0 0\n4 0 5 0 3 abc") == [])
    #expect(server.say("upload 1 0 0 0 5 0 0\n") == [])
    #expect(server.say("upload 1 0 0 0 6 0 0\n") == [])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 131)) == ["scan 3 0 view 1 to 2"])
    #expect(
      server.happen(.historyScanned(.first, scan(4, 2, .moreToCome, entries: [4], upload: 2, end: false)))
        == [
          "download 1 4 0 4 9 2 0 2 0 0.999 0 13 0", "integrate [4] to 4 0 under 2",
          "integrate [] to 6 0 under 2", "scan 4 0 view 1 to 2 goes on",
        ])
  }

  @Test("a query has its turn after an upload without changesets, which asks for no answer")
  func afterProgress() {
    var server = steady()
    #expect(server.say("upload 1 0 0 0 2 0 0\n") == ["integrate [] to 2 0 under 1"])
    #expect(server.say("query 1 2 2\n{}") == [])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 64)) == ["scan 3 0 view 1 to 2"])
  }

  @Test("a MARK behind an upload that waits for the first scan is answered by the scan after it")
  func markBehindUpload() {
    var server = ServerDialogue(flavour: .flexible)
    _ = server.say(Self.bind)
    _ = server.happen(.realmOpened(.first))
    #expect(server.say("ident 1 2 77 3 0 3 9 1 2\n{}") == ["find 2"])
    #expect(server.say("upload 1 0 0 0 2 0 0\n") == [])
    #expect(server.say("mark 1 4\n") == [])
    #expect(
      server.happen(.clientFileFound(.first, ClientFileRecord(salt: 77), ServerDialogue.state(3)))
        == ["identified 2", "log 1", "scan 3 0 view 1 to 1"])
    #expect(
      server.happen(.historyScanned(.first, scan(3, 1, .steady)))
        == ["download 1 3 0 3 9 0 0 1 2 1 0 0 0", "integrate [] to 2 0 under 1", "scan 3 0 view 1 to 1"])
    #expect(server.happen(.historyScanned(.first, scan(3, 1, .steady))) == ["mark 1 4"])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 64)) == [])
  }

  @Test("a query that waits is replaced by the next one, unless something was uploaded under it")
  func superseded() {
    var server = steady()
    _ = server.say("upload 1 0 13 0 2 0 0\n2 0 5 0 3 abc")
    #expect(server.say("query 1 2 2\n{}") == [])
    #expect(server.say("query 1 3 2\n{}") == [])
    #expect(server.say("upload 1 0 13 0 4 0 0\n4 0 5 0 3 abc") == [])
    #expect(server.say("query 1 4 2\n{}") == [])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 131)) == ["scan 3 0 view 1 to 3"])
    // It has begun: the next one waits.
    #expect(
      server.happen(.historyScanned(.first, scan(4, 3, .last, entries: [4], upload: 2)))
        == ["download 1 4 0 4 9 2 0 3 1 1 0 13 0", "integrate [4] to 4 0 under 3", "scan 4 0 view 3 to 3"])
    #expect(server.happen(.historyScanned(.first, scan(4, 3, .steady, upload: 2))) == [])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 131)) == ["scan 4 0 view 3 to 4"])
  }

  @Test("a query that was passed over has its turn when the next one is refused")
  func fallback() {
    var server = steady()
    _ = server.say("upload 1 0 13 0 2 0 0\n2 0 5 0 3 abc")
    for query in 2...4 { #expect(server.say("query 1 \(query) 2\n{}") == []) }
    #expect(server.happen(.uploadIntegrated(.first, bytes: 131)) == ["scan 3 0 view 1 to 4"])
    #expect(
      server.happen(.queryRefused(.first, QueryVersion(4), message: "no"))
        == ["query_error 226 2 1 4", "scan 3 0 view 1 to 3"])
    #expect(
      server.happen(.historyScanned(.first, scan(4, 3, .last, entries: [4], upload: 2)))
        == ["download 1 4 0 4 9 2 0 3 1 1 0 13 0", "scan 4 0 view 3 to 3"])
  }

  @Test("a query waits for the end of the bootstrap before it")
  func twoBootstraps() {
    var server = steady()
    _ = server.say("query 1 2 2\n{}")
    #expect(server.say("query 1 3 2\n{}") == [])
    _ = server.happen(.historyScanned(.first, scan(4, 2, .moreToCome, entries: [4], end: false)))
    #expect(
      server.happen(.historyScanned(.first, scan(4, 2, .last, entries: [4])))
        == ["download 1 4 0 4 9 0 0 2 1 1 0 13 0", "scan 4 0 view 2 to 3"])
  }

  @Test("MARK is answered after the bootstrap of every query before it")
  func marks() {
    var server = steady()
    _ = server.happen(.historyAdvanced(.first))
    #expect(server.say("query 1 2 2\n{}") == [])
    #expect(server.say("mark 1 1\n") == [])
    #expect(server.happen(.historyScanned(.first, scan(3, 1, .steady))) == ["scan 3 0 view 1 to 2"])
    #expect(
      server.happen(.historyScanned(.first, scan(3, 2, .last, entries: [3])))
        == ["download 1 3 0 3 9 0 0 2 1 1 0 13 0", "scan 3 0 view 2 to 2"])
    #expect(server.happen(.historyScanned(.first, scan(3, 2, .steady))) == ["mark 1 1"])
  }

  @Test("a refused query is told with QUERY_ERROR; the session goes on with the set before, also for uploads behind it")
  func refused() {
    var server = steady()
    #expect(server.say("query 1 2 22\n{\"Person\":\"(age > 3)\"}") == ["scan 3 0 view 1 to 2"])
    #expect(server.say("upload 1 0 13 0 2 0 0\n2 0 5 0 3 abc") == [])
    #expect(server.say("mark 1 1\n") == [])
    #expect(
      server.happen(.queryRefused(.first, QueryVersion(2), message: "no"))
        == ["query_error 226 2 1 2", "integrate [2] to 2 0 under 1", "scan 3 0 view 1 to 1"])
    #expect(server.happen(.historyScanned(.first, scan(3, 1, .steady))) == ["mark 1 1"])
    #expect(server.say("query 1 3 2\n{}") == [])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 131)) == ["scan 3 0 view 1 to 3"])
  }

  @Test("a query refused in the middle of its bootstrap leaves the client where the bootstrap began")
  func refusedMidway() {
    var server = steady()
    _ = server.say("query 1 2 2\n{}")
    _ = server.happen(.historyScanned(.first, scan(5, 2, .moreToCome, entries: [5], end: false)))
    #expect(
      server.happen(.queryRefused(.first, QueryVersion(2), message: "no"))
        == ["query_error 226 2 1 2", "scan 3 0 view 1 to 1"])
  }

  @Test("a bad query in IDENT ends the session with 226")
  func badIdent() {
    var server = ServerDialogue(flavour: .flexible)
    _ = server.say(Self.bind)
    _ = server.happen(.realmOpened(.first))
    _ = server.say("ident 1 2 77 3 0 3 9 4 2\n{}")
    _ = server.happen(.clientFileFound(.first, ClientFileRecord(salt: 77), ServerDialogue.state(3)))
    #expect(
      server.happen(.queryRefused(.first, QueryVersion(4), message: "no")) == [
        "error 226 1 ApplicationBug", "ended",
      ])
  }

  @Test("a client that comes back in the middle of a bootstrap begins anew from the set that it holds")
  func reconnect() {
    var server = steady()
    _ = server.say("query 1 2 2\n{}")
    _ = server.happen(.historyScanned(.first, scan(5, 2, .moreToCome, entries: [5], end: false)))
    _ = server.happen(.disconnected)
    var again = ServerDialogue(flavour: .flexible)
    _ = again.say(Self.bind)
    // A fast reconnect sends everything before it hears anything.
    #expect(again.say("ident 1 2 77 3 0 3 9 1 2\n{}") == [])
    #expect(again.say("upload 1 0 13 0 2 0 0\n2 0 5 0 3 abc") == [])
    #expect(again.say("query 1 2 2\n{}") == [])
    #expect(again.say("mark 1 1\n") == [])
    _ = again.happen(.realmOpened(.first))
    #expect(
      again.happen(.clientFileFound(.first, ClientFileRecord(salt: 77), ServerDialogue.state(5)))
        == ["identified 2", "log 1", "scan 3 0 view 1 to 1"])
    #expect(
      again.happen(.historyScanned(.first, scan(5, 1, .steady)))
        == ["download 1 5 0 5 9 0 0 1 2 1 0 0 0", "integrate [2] to 2 0 under 1"])
    #expect(again.happen(.uploadIntegrated(.first, bytes: 131)) == ["scan 5 0 view 1 to 2"])
  }

  @Test("the same query again changes nothing, and an older one ends the session")
  func repeated() {
    var server = steady(held: 4)
    #expect(server.say("query 1 4 2\n{}") == [])
    #expect(server.say("query 1 5 2\n{}") == ["scan 3 0 view 4 to 5"])
    #expect(server.say("query 1 5 2\n{}") == [])
    #expect(server.say("query 1 4 2\n{}") == ["error 226 1 ApplicationBug", "ended"])
  }

  @Test("a set above the limit is refused before anybody looks at it")
  func tooLarge() {
    var settings = ServerConnection.Settings()
    settings.queryBytes = 20
    var server = steady()
    server.machine.settings = settings
    #expect(server.say("query 1 2 22\n{\"Person\":\"(age > 3)\"}") == ["query_error 226 56 1 2"])
    settings.queryBytes = 100
    settings.connectionQueryBytes = 20
    server.machine.settings = settings
    #expect(server.say("query 1 3 19\n{\"P\":\"(age > 3)\"}  ") == ["query_error 226 65 1 3"])
    var other = ServerDialogue(flavour: .flexible, settings: settings)
    _ = other.say(Self.bind)
    _ = other.happen(.realmOpened(.first))
    #expect(
      other.say("ident 1 2 77 3 0 3 9 4 22\n{\"Person\":\"(age > 3)\"}") == ["error 226 1 ApplicationBug", "ended"])
  }

  @Test("queries and uploads that wait count in the backlog: reading pauses, and resumes when they have had their turn")
  func backlog() {
    var settings = ServerConnection.Settings()
    settings.uploadBacklog = 300
    var server = steady()
    server.machine.settings = settings
    _ = server.say("query 1 2 2\n{}")
    #expect(server.say("upload 1 0 13 0 2 0 0\n2 0 5 0 3 abc") == [])
    #expect(server.say("query 1 3 2\n{}") == [])
    #expect(server.say("upload 1 0 13 0 4 0 0\n4 0 5 0 3 abc") == ["pause"])
    #expect(
      server.happen(.historyScanned(.first, scan(4, 2, .last, entries: [4])))
        == ["download 1 4 0 4 9 0 0 2 1 1 0 13 0", "integrate [2] to 2 0 under 2", "scan 4 0 view 2 to 2"])
    #expect(server.happen(.historyScanned(.first, scan(4, 2, .steady))) == [])
    // Both uploads weigh 131, the query 66.
    #expect(server.happen(.uploadIntegrated(.first, bytes: 131)) == ["resume", "scan 4 0 view 2 to 3"])
  }

  @Test("QUERY before IDENT is out of order")
  func early() {
    var server = ServerDialogue(flavour: .flexible)
    _ = server.say(Self.bind)
    #expect(server.say("query 1 2 2\n{}").first == "error 109 0 ProtocolViolation")
  }
}
