import ChangesetOT
import SyncProtocol
import Testing

/// Conversations with the server machine, one line per step.
struct ServerDialogueTests {
  @Test("a new client gets an ident, a first DOWNLOAD, its MARK, and its acknowledgement")
  func newClient() {
    var server = ServerDialogue()
    #expect(server.say("bind 1 6 0 1 0\n/notes") == ["open /notes"])
    #expect(server.happen(.realmOpened(.first)) == ["allocate"])
    #expect(server.happen(.fileIdentAllocated(.first, ServerDialogue.file)) == ["ident 1 2 77"])
    #expect(server.say("ident 1 2 77 0 0 0 0\n") == ["find 2"])
    #expect(server.say("mark 1 1\n") == [])
    let found = server.happen(
      .clientFileFound(.first, ClientFileRecord(salt: 77), ServerDialogue.state(0)))
    #expect(found == ["identified 2", "log 1", "scan 0 0"])
    #expect(
      server.happen(.historyScanned(.first, ServerDialogue.scan(0, 0)))
        == ["download 1 0 0 0 0 0 0 0 0 0 0", "mark 1 1"])
    #expect(server.say("upload 1 0 24 0 3 0 0\n2 0 361234567890 0 3 abc") == ["integrate [2] to 3 0"])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 131)) == ["scan 0 0"])
    let cursor = UploadCursor(client: ClientVersion(3), server: .zero)
    #expect(
      server.happen(.historyScanned(.first, ServerDialogue.scan(1, 2, upload: cursor)))
        == ["download 1 1 2 1 9 3 0 0 0 0 0"])
    #expect(server.say("ping 51234 0\n") == ["pong 51234"])
    #expect(server.say("unbind 1\n") == ["ended", "unbound 1"])
  }

  @Test("a known client may send IDENT, MARK and UPLOAD before the realm is open")
  func impatientClient() {
    var server = ServerDialogue()
    _ = server.say("bind 1 2 0 0 0\n/a")
    #expect(server.say("ident 1 2 77 0 0 0 0\n") == [])
    #expect(server.say("mark 1 4\n") == [])
    #expect(server.say("upload 1 0 13 0 2 0 0\n2 0 5 0 3 abc") == [])
    #expect(server.happen(.realmOpened(.first)) == ["find 2"])
    #expect(
      server.happen(.clientFileFound(.first, ClientFileRecord(salt: 77), ServerDialogue.state(0)))
        == ["identified 2", "log 1", "integrate [2] to 2 0", "scan 0 0"])
  }

  @Test("a progress without changesets is stored and not acknowledged")
  func emptyUploads() {
    var server = ServerDialogue()
    server.activate()
    #expect(server.say("upload 1 0 0 0 5 0 0\n") == ["integrate [] to 5 0"])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 0)) == [])
  }

  @Test("integrated changesets are skipped")
  func resentUploads() {
    var server = ServerDialogue()
    let upload = UploadCursor(client: ClientVersion(7), server: ServerVersion(2))
    server.activate(current: 3, scan: (2, 3), record: ClientFileRecord(salt: 77, upload: upload))
    #expect(
      server.say("upload 1 0 24 0 8 2 2\n7 2 5 0 1 a8 2 6 0 3 abc") == ["integrate [8] to 8 2"])
    _ = server.say("unbind 1\n")
  }

  @Test("new history is downloaded once, and a long one in several messages")
  func advance() {
    var server = ServerDialogue()
    server.activate()
    #expect(server.happen(.historyAdvanced(.first)) == ["scan 0 0"])
    #expect(server.happen(.historyAdvanced(.first)) == [])
    #expect(
      server.happen(.historyScanned(.first, ServerDialogue.scan(1, 0, entries: [1], end: false)))
        == ["download 1 1 0 1 9 0 0 0 0 13 0", "scan 1 0"])
    #expect(server.happen(.historyScanned(.first, ServerDialogue.scan(1, 0))) == [])
  }

  @Test("MARK is answered by a scan that began after it")
  func marks() {
    var server = ServerDialogue()
    server.activate()
    _ = server.happen(.historyAdvanced(.first))
    #expect(server.say("mark 1 1\n") == [])
    #expect(server.happen(.historyScanned(.first, ServerDialogue.scan(0, 0))) == ["scan 0 0"])
    #expect(server.say("mark 1 2\n") == [])
    #expect(server.happen(.historyScanned(.first, ServerDialogue.scan(0, 0))) == ["mark 1 1", "scan 0 0"])
    #expect(server.happen(.historyScanned(.first, ServerDialogue.scan(0, 0))) == ["mark 1 2"])
  }

  @Test("a slow reader gets no DOWNLOAD until its buffer is low")
  func backPressure() {
    var server = ServerDialogue()
    server.activate()
    #expect(server.happen(.congested) == [])
    #expect(server.happen(.historyAdvanced(.first)) == [])
    #expect(server.say("ping 1 0\n") == ["pong 1"])
    #expect(server.happen(.drained) == ["scan 0 0"])
  }

  @Test("reading pauses at the budget, and a session beyond the limit fails with 200")
  func uploadBackPressure() {
    var settings = ServerConnection.Settings()
    // Each of these uploads weighs 64 for itself, 64 for its changeset, and the 3 bytes of that.
    settings.uploadBacklog = 200
    settings.uploadBacklogLimit = 300
    var server = ServerDialogue(settings: settings)
    server.activate()
    #expect(server.say("upload 1 0 13 0 2 0 0\n2 0 5 0 3 abc") == ["integrate [2] to 2 0"])
    #expect(server.say("upload 1 0 13 0 3 0 0\n3 0 5 0 3 abc") == ["pause", "integrate [3] to 3 0"])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 131)) == [])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 131)) == ["resume", "scan 0 0"])
    _ = server.say("upload 1 0 13 0 4 0 0\n4 0 5 0 3 abc")
    _ = server.say("upload 1 0 13 0 5 0 0\n5 0 5 0 3 abc")
    #expect(
      server.say("upload 1 0 13 0 6 0 0\n6 0 5 0 3 abc") == ["error 200 1 Transient", "ended", "resume"])
  }

  @Test("after an error only UNBIND is read, and it frees the ident")
  func afterAnError() {
    var server = ServerDialogue()
    server.activate()
    let failure = SessionFailure(.badChangeset, "no")
    #expect(server.happen(.sessionFailed(.first, failure)) == ["error 212 1 ClientReset", "ended"])
    #expect(server.say("mark 1 1\n") == [])
    #expect(server.say("upload 1 0 13 0 9 0 0\nxxxxxxxxxxxxx").first == "error 111 0 ProtocolViolation")
    var other = ServerDialogue()
    other.activate()
    _ = other.happen(.sessionFailed(.first, failure))
    #expect(other.happen(.sessionFailed(.first, failure)) == [])
    #expect(other.happen(.historyAdvanced(.first)) == [])
    #expect(other.say("unbind 1\n") == [])
    #expect(other.say("bind 1 2 0 0 0\n/a") == ["open /a"])
    // Answers for the earlier session do not reach the later one.
    #expect(other.happen(.realmOpened(.first)) == [])
    #expect(other.happen(.realmOpened(.named(1, 2))) == [])
    #expect(other.say("ident 1 2 77 0 0 0 0\n") == ["find 2"])
  }

  @Test("231 leaves the session active")
  func compensatingWrite() {
    var server = ServerDialogue()
    server.activate()
    #expect(
      server.happen(.sessionWarned(.first, SessionFailure(.compensatingWrite, "undone"))) == ["error 231 1 Warning"])
    #expect(server.say("mark 1 1\n") == ["scan 0 0"])
  }

  @Test("every end of a connection has its close code")
  func endings() {
    func end(_ event: ServerConnection.Event) -> [String] {
      var server = ServerDialogue()
      server.activate()
      let actions = server.happen(event)
      #expect(server.say("ping 1 0\n") == [])
      return actions
    }
    #expect(end(.tokenExpired) == ["ended", "close 4001", "timer closing"])
    #expect(end(.userRefused) == ["ended", "close 4002", "timer closing"])
    #expect(end(.shutDown) == ["ended", "close 1000", "timer closing"])
    #expect(end(.displaced(.first)) == ["ended", "close 1000", "timer closing"])
    #expect(end(.receivedText) == ["error 103 0 ProtocolViolation", "ended", "close 1000", "timer closing"])
    #expect(end(.disconnected) == ["ended"])
  }

  @Test("a connection that is silent for two idle intervals is closed")
  func idle() {
    var server = ServerDialogue()
    #expect(server.say("ping 1 0\n") == ["pong 1"])
    #expect(server.happen(.timerEnded(.idle)) == ["timer idle"])
    #expect(server.happen(.timerEnded(.idle)) == ["close 1000", "timer closing"])
    #expect(server.happen(.timerEnded(.closing)) == [])
  }

  @Test("a client that could not integrate a download may upload during the grace period, then is told to reset")
  func refusedDownload() {
    var server = ServerDialogue()
    server.activate()
    let refusal = "json_error 212 15 1\n{\"message\":\"x\"}"
    #expect(server.say(refusal) == ["timer refusedDownloads"])
    #expect(server.say(refusal) == [])
    #expect(server.say("upload 1 0 11 0 2 0 0\n2 0 5 0 1 a") == ["integrate [2] to 2 0"])
    #expect(server.happen(.timerEnded(.refusedDownloads)) == ["error 217 1 ClientReset", "ended"])
    #expect(server.say("unbind 1\n") == [])
    #expect(server.happen(.timerEnded(.refusedDownloads)) == [])
  }

  @Test("the greeting goes to versions that know LOG_MESSAGE")
  func greeting() {
    var new = ServerConnection(dialect: Dialect(.full, ProtocolVersion(10)), correlation: "c")
    var old = ServerConnection(dialect: Dialect(.full, ProtocolVersion(9)), correlation: "c")
    #expect(new.start().count == 2)
    #expect(old.start().count == 1)
  }
}
