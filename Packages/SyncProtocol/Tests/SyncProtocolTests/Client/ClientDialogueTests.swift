import ChangesetOT
import SyncProtocol
import Testing

/// Conversations with the client machine, one line per step.
struct ClientDialogueTests {
  let one = ClientDialogue.one

  @Test("a new file binds, stores its ident, waits for its first MARK, then uploads and sees the acknowledgement")
  func newFile() {
    var client = ClientDialogue()
    let setup = SessionSetup(path: "/notes", newest: ClientVersion(2))
    #expect(client.happen(.activate(one, setup)) == ["1 binding", "connecting", "open"])
    #expect(
      client.happen(.socketOpened(token: "com.mongodb.realm-sync#14")) == ["connected", "> bind 1 6 0 1 0"])
    #expect(client.hear("ident 1 2 77\n") == ["store 2"])
    #expect(
      client.happen(.fileIdentStored(one, newest: ClientVersion(3)))
        == ["> ident 1 2 77 0 0 0 0", "1 active", "> mark 1 1"])
    #expect(client.hear("download 1 0 0 0 0 0 0 0 0 0 0\n") == ["integrate 0 to 0"])
    #expect(client.hear("mark 1 1\n") == [])
    #expect(client.happen(.waitForUploads(one, WaitIdent(rawValue: 7))) == [])
    #expect(client.finish(0, newest: 3) == ["scan after 0"])
    #expect(client.scanned([2], to: 3) == ["> upload 1 0 11 0 3 0 0"])
    #expect(client.hear("download 1 1 2 1 9 3 0 0 0 0 0\n") == ["integrate 0 to 1"])
    #expect(client.finish(1, upload: 3, newest: 4) == ["uploaded 7", "scan after 3"])
    #expect(client.scanned([], to: 4) == ["> upload 1 0 0 0 4 0 0"])
  }

  @Test("local commits are uploaded, one UPLOAD at a time")
  func commits() {
    var client = ClientDialogue()
    client.connect()
    _ = client.scanned([], to: 4)
    #expect(client.happen(.localCommit(one, newest: ClientVersion(5))) == ["scan after 4"])
    #expect(client.happen(.localCommit(one, newest: ClientVersion(6))) == [])
    #expect(client.scanned([5], to: 5) == ["> upload 1 0 11 0 5 0 0", "timer coalesce 30 ms"])
    client.now += .milliseconds(30)
    #expect(client.happen(.timerEnded(.coalesce(one))) == ["scan after 5"])
    #expect(client.scanned([6], to: 6) == ["> upload 1 0 11 0 6 0 0", "timer coalesce 30 ms"])
  }

  @Test("sessions send in round-robin order, one message each")
  func roundRobin() {
    var client = ClientDialogue()
    for ident in 1...3 as ClosedRange<UInt64> {
      _ = client.happen(
        .activate(SessionIdent(ident), SessionSetup(path: "/a", file: ClientDialogue.file, newest: ClientVersion(1))))
    }
    let sent = client.happen(.socketOpened(token: "com.mongodb.realm-sync#14")).filter { $0.hasPrefix(">") }
    #expect(
      sent.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
        "> bind 1", "> bind 2", "> bind 3", "> ident 1", "> ident 2", "> ident 3", "> mark 1", "> mark 2", "> mark 3",
      ])
  }

  @Test("a deactivated session sends UNBIND and ends with UNBOUND")
  func deactivation() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.happen(.deactivate(one)) == ["1 deactivating", "> unbind 1"])
    #expect(client.hear(ClientDialogue.download(0, 0)) == [])
    #expect(client.hear("unbound 1\n") == ["gone 1"])
    #expect(client.hear("mark 1 1\n") == [])
    #expect(client.happen(.timerEnded(.linger)) == ["close", "disconnected"])
  }

  @Test("an error ends a deactivating session")
  func errorWhileEnding() {
    var client = ClientDialogue()
    client.connect()
    _ = client.happen(.deactivate(one))
    #expect(client.hear("error 200 1 1 1\nx") == ["gone 1"])
  }

  @Test("a download wait ends with its own MARK, after all DOWNLOADs before it are integrated")
  func downloadWait() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.happen(.waitForDownloads(one, WaitIdent(rawValue: 5))) == ["> mark 1 2"])
    #expect(client.hear(ClientDialogue.download(3, 0)) == ["integrate 0 to 3"])
    #expect(client.hear("mark 1 2\n") == [])
    #expect(client.finish(3, newest: 5) == ["downloaded 5"])
  }

  @Test("a failed integration is reported to server and application, and later downloads are ignored")
  func brokenFile() {
    var client = ClientDialogue()
    client.connect()
    _ = client.hear(ClientDialogue.download(1, 0))
    #expect(
      client.happen(.workFailed(one, .badChangeset, message: "no"))
        == ["report 1 212 fatal", "1 failed", "> json_error 212 16 1"])
    #expect(client.hear(ClientDialogue.download(2, 0)) == [])
  }

  @Test("flexible sync: the query goes out after the uploads it follows, with a new MARK")
  func flexible() {
    var client = ClientDialogue(flavour: .flexible)
    client.connect(query: QuerySet())
    _ = client.scanned([2], to: 4)
    let query = QuerySet(version: QueryVersion(1), json: "{\"Person\":\"(age > 3)\"}")
    #expect(
      client.happen(.changeQuery(one, query, after: ClientVersion(4))) == ["> query 1 1 22", "> mark 1 2"])
    #expect(
      client.happen(.changeQuery(one, QuerySet(version: QueryVersion(2), json: "{}"), after: ClientVersion(6))) == [])
    client.now += .milliseconds(30)
    #expect(client.happen(.localCommit(one, newest: ClientVersion(6))) == ["stop coalesce", "scan after 4"])
    #expect(
      client.scanned([6], to: 6) == ["> upload 1 0 11 0 6 0 0", "timer coalesce 30 ms", "> query 1 2 2", "> mark 1 3"])
    #expect(client.hear("query_error 226 2 1 2\nno") == ["query refused 2"])
  }

  @Test("flexible sync: a change that was made under a set is uploaded behind its QUERY, in whatever scan it was found")
  func behindQuery() {
    var client = ClientDialogue(flavour: .flexible)
    client.connect(query: QuerySet())
    _ = client.scanned([2], to: 4)
    let query = QuerySet(version: QueryVersion(1), json: "{}")
    client.now += .milliseconds(30)
    #expect(client.happen(.localCommit(one, newest: ClientVersion(7))) == ["stop coalesce", "scan after 4"])
    #expect(client.happen(.changeQuery(one, query, after: ClientVersion(6))) == [])
    #expect(
      client.scanned([5, 7], to: 7) == [
        "> upload 1 0 11 0 6 0 0", "timer coalesce 30 ms", "> query 1 1 2", "> mark 1 2",
      ])
    client.now += .milliseconds(30)
    #expect(client.happen(.timerEnded(.coalesce(one))) == ["scan after 6"])
    #expect(client.scanned([7], to: 7).first == "> upload 1 0 11 0 7 0 0")
  }

  @Test("flexible sync: a set is in force when its bootstrap is durable, and complete with the MARK behind it")
  func completion() {
    var client = ClientDialogue(flavour: .flexible)
    client.connect(query: QuerySet())
    _ = client.scanned([], to: 4)
    let query = QuerySet(version: QueryVersion(1), json: "{}")
    _ = client.happen(.changeQuery(one, query, after: ClientVersion(4)))
    #expect(client.hear("download 1 5 0 5 9 0 0 1 1 1 0 0 0\n") == ["integrate 0 to 5"])
    #expect(client.hear("mark 1 2\n") == [])
    #expect(client.finish(5, newest: 5).contains("query completed 1"))
  }

  @Test("flexible sync: a bootstrap that could not be integrated leaves the set before it in force")
  func failedBootstrap() {
    var client = ClientDialogue(flavour: .flexible)
    client.connect(query: QuerySet())
    _ = client.scanned([], to: 4)
    let query = QuerySet(version: QueryVersion(1), json: "{}")
    _ = client.happen(.changeQuery(one, query, after: ClientVersion(4)))
    _ = client.hear("download 1 5 0 5 9 0 0 1 1 1 0 0 0\n")
    _ = client.happen(.workFailed(one, .otherSessionError, message: "the disk is full"))
    _ = client.happen(.socketFailed(.lost, message: "gone"))
    _ = client.happen(.reconnectNow)
    let sent = client.happen(.socketOpened(token: "com.mongodb.realm-query-sync#14"))
    #expect(sent.contains("> ident 1 2 77 0 0 0 0 0 2"))
  }
}
