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

  @Test("commits coalesce while a small UPLOAD is not acknowledged, and go out together without further events")
  func coalescing() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.scanned([2], to: 4) == ["> upload 1 0 11 0 4 0 0", "timer coalesce 30 ms"])
    client.now += .milliseconds(10)
    #expect(client.happen(.localCommit(one, newest: ClientVersion(5))) == [])
    #expect(client.happen(.localCommit(one, newest: ClientVersion(6))) == [])
    #expect(client.hear(ClientDialogue.download(1, 4)) == ["stop coalesce", "scan after 4", "integrate 0 to 1"])
    // The scan found a commit that nobody told of; the server may speak of it.
    #expect(client.scanned([5, 6, 7], to: 7) == ["> upload 1 0 33 0 7 0 0", "timer coalesce 30 ms"])
    #expect(client.hear(ClientDialogue.download(2, 7)) == ["stop coalesce"])
    #expect(client.happen(.localCommit(one, newest: ClientVersion(8))) == ["scan after 7"], "nothing is unacknowledged")
    #expect(client.scanned([8], to: 8) == ["> upload 1 0 11 0 8 0 0", "timer coalesce 30 ms"])
    #expect(client.happen(.localCommit(one, newest: ClientVersion(9))) == [])
    #expect(client.happen(.waitForUploads(one, WaitIdent(rawValue: 3))) == ["stop coalesce", "scan after 8"])
  }

  @Test("a stream coalesces for 100 ms with a quick server, unless the application waits")
  func streams() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.scanned([1, 2, 3], to: 4).last == "timer coalesce 30 ms", "three are no stream")
    #expect(client.hear(ClientDialogue.download(1, 4)).contains("stop coalesce"))
    #expect(client.happen(.localCommit(one, newest: ClientVersion(8))) == ["scan after 4"])
    #expect(client.scanned([5, 6, 7, 8], to: 8).last == "timer coalesce 100 ms")
    client.now += .milliseconds(10)
    #expect(client.hear(ClientDialogue.download(2, 8)) == [])
    #expect(client.happen(.localCommit(one, newest: ClientVersion(9))) == [])
    client.now += .milliseconds(90)
    #expect(client.happen(.timerEnded(.coalesce(one))) == ["scan after 8"])
    #expect(client.scanned([9, 10, 11, 12], to: 12).last == "timer coalesce 100 ms")
    #expect(client.happen(.localCommit(one, newest: ClientVersion(13))) == [])
    #expect(client.happen(.waitForUploads(one, WaitIdent(rawValue: 3))) == ["stop coalesce", "scan after 12"])
  }

  @Test("nothing coalesces after a large UPLOAD or an empty one")
  func noCoalescing() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.scanned([], to: 4) == ["> upload 1 0 0 0 4 0 0"])
    #expect(client.happen(.localCommit(one, newest: ClientVersion(40_000))) == ["scan after 4"])
    let many = client.scanned(Array(5...32_772), to: 40_000)
    #expect(many.count == 1)
    #expect(many.first?.hasPrefix("> upload") == true)
  }

  @Test(
    "changes coalesce longer while the server acknowledges much later than before")
  func coalescingForAServerThatIsBehind() {
    var client = ClientDialogue()
    client.connect()
    func upload(_ version: UInt64, to newest: UInt64? = nil) -> String? {
      client.scanned([version], to: newest ?? version).last
    }
    func commit(_ version: UInt64) -> [String] { client.happen(.localCommit(one, newest: ClientVersion(version))) }
    #expect(upload(2, to: 4) == "timer coalesce 30 ms")
    client.now += .milliseconds(10)
    _ = client.hear(ClientDialogue.download(1, 4))
    #expect(commit(5) == ["scan after 4"])
    #expect(upload(5) == "timer coalesce 30 ms", "it was quick")
    client.now += .milliseconds(41)
    _ = client.hear(ClientDialogue.download(2, 5))
    #expect(commit(6) == ["scan after 5"])
    #expect(upload(6) == "timer coalesce 100 ms", "it took 30 ms longer than before")
    #expect(commit(7) == [])
    client.now += .milliseconds(40)
    #expect(
      client.hear(ClientDialogue.download(3, 6)) == ["stop coalesce", "scan after 6"], "nothing is unacknowledged")
    #expect(upload(7) == "timer coalesce 30 ms", "it is quick again")
    #expect(commit(8) == [])
    client.now += .milliseconds(30)
    #expect(client.happen(.timerEnded(.coalesce(one))) == ["scan after 7"])
    #expect(upload(8) == "timer coalesce 30 ms")
    #expect(commit(9) == [])
    client.now += .milliseconds(30)
    #expect(client.happen(.timerEnded(.coalesce(one))) == ["scan after 8"])
    #expect(upload(9) == "timer coalesce 100 ms", "it has not answered for 60 ms")
  }

  @Test("sessions send in round-robin order, one message each")
  func turns() {
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

  @Test("a fast reconnect of a session that had downloaded uploads at once, a slow one waits for MARK")
  func reconnect() {
    for (pause, isFast) in [(5, true), (90, false)] as [(Int64, Bool)] {
      var client = ClientDialogue()
      client.connect()
      client.now = .seconds(100)
      let lost = client.happen(.socketFailed(.lost, message: "cut"))
      #expect(lost == ["report 1 network", "close", "disconnected", "1 binding", "timer reconnect 0"])
      client.now += .seconds(pause)
      #expect(client.happen(.timerEnded(.reconnect)) == ["connecting", "open"])
      let again = client.happen(.socketOpened(token: "com.mongodb.realm-sync#14"))
      #expect(again.contains("> bind 1 2 0 0 0"))
      #expect(again.contains("> mark 1 2"))
      #expect(again.contains("scan after 0") == isFast)
    }
  }

  @Test("back-off grows up to five minutes, and starts over when the kind of failure changes")
  func backoff() {
    var client = ClientDialogue()
    _ = client.happen(.activate(one, SessionSetup(path: "/a", newest: ClientVersion(1))))
    var delays: [Int] = []
    for _ in 0..<12 {
      for line in client.happen(.socketFailed(.unreachable, message: "no")) where line.hasPrefix("timer reconnect") {
        delays.append(Int(line.split(separator: " ").last ?? "") ?? -1)
      }
      _ = client.happen(.timerEnded(.reconnect))
    }
    #expect(delays.count == 12)
    for (index, delay) in delays.enumerated() {
      let full = min(1 << index, 300)
      #expect(delay <= full)
      #expect(delay >= full * 3 / 4 - 1)
    }
    #expect(client.happen(.socketRefused(status: 503, message: "")).last == "timer reconnect 0")
    #expect(client.happen(.reconnectNow) == ["connecting", "open"])
  }

  @Test("reconnectNow gives up an attempt that hangs, and keeps a young one")
  func hangingAttempt() {
    var client = ClientDialogue()
    client.now = .seconds(50)
    let opening = client.happen(.activate(one, SessionSetup(path: "/a", newest: ClientVersion(1))))
    #expect(opening == ["1 binding", "connecting", "open"])
    client.now += .seconds(9)
    #expect(client.happen(.reconnectNow) == [])
    client.now += .seconds(1)
    #expect(client.happen(.reconnectNow) == ["close", "connecting", "open"])
    client.now += .seconds(9)
    #expect(client.happen(.reconnectNow) == [], "the new attempt is young")
    #expect(client.happen(.socketOpened(token: "com.mongodb.realm-sync#14")).first == "connected")
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

  @Test("DOWNLOADs that arrive during an integration are integrated together, up to a MARK")
  func waitingDownloads() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.hear("download 1 1 0 1 9 0 0 0 0 13 0\n1 0 1 3 1 1 a") == ["integrate 1 to 1"])
    #expect(client.hear("download 1 2 0 2 9 0 0 0 0 13 0\n2 0 1 3 1 1 b") == [])
    #expect(client.hear(ClientDialogue.download(3, 0)) == [])
    #expect(client.hear("download 1 4 0 4 9 0 0 0 0 13 0\n4 0 1 3 1 1 c") == [])
    #expect(client.happen(.waitForDownloads(one, WaitIdent(rawValue: 5))) == ["> mark 1 2"])
    #expect(client.hear("mark 1 2\n") == [])
    #expect(client.hear("download 1 5 0 5 9 0 0 0 0 13 0\n5 0 1 3 1 1 d") == [])
    #expect(client.finish(1, newest: 5) == ["integrate 2 to 4"])
    #expect(client.machine.waitingDownloadBytes == 1)
    #expect(client.finish(4, newest: 6) == ["downloaded 5", "integrate 1 to 5"])
    #expect(client.machine.waitingDownloadBytes == 0)
  }

  @Test("DOWNLOADs are integrated together up to 256 KiB")
  func manyWaitingBytes() {
    var client = ClientDialogue()
    client.connect()
    func download(_ version: Int, _ bytes: Int) -> String {
      let entry = "\(version) 0 1 3 \(bytes) \(bytes) " + String(repeating: "x", count: bytes)
      return "download 1 \(version) 0 \(version) 9 0 0 0 0 \(entry.utf8.count) 0\n" + entry
    }
    #expect(client.hear(download(1, 10)) == ["integrate 1 to 1"])
    for version in 2...4 { #expect(client.hear(download(version, 100 << 10)) == []) }
    #expect(client.finish(1, newest: 5) == ["integrate 2 to 3"])
    #expect(client.finish(3, newest: 6) == ["integrate 1 to 4"])
  }

  @Test("a long integration is followed by a pause, in which arrivals coalesce")
  func pause() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.hear(many(1)) == ["integrate 16 to 16"])
    client.now += .milliseconds(10)
    #expect(client.finish(16, newest: 5) == [])
    #expect(client.hear(ClientDialogue.download(17, 0)) == ["timer throttle 30 ms"])
    client.now += .milliseconds(5)
    #expect(client.hear(many(18)) == [])
    client.now += .milliseconds(25)
    #expect(client.happen(.timerEnded(.throttle(one))) == ["integrate 16 to 33"])
    client.now += .milliseconds(500)
    #expect(client.finish(33, newest: 6) == [])
    #expect(client.hear(ClientDialogue.download(34, 0)) == ["timer throttle 100 ms"], "no pause is longer")
    #expect(client.happen(.deactivate(one)) == ["1 deactivating", "> unbind 1"])
    #expect(client.hear("unbound 1\n") == ["stop throttle", "gone 1"])
  }

  /// A DOWNLOAD of 16 changesets, from a version on.
  private func many(_ first: Int) -> String {
    let body = (first..<first + 16).map { "\($0) 0 1 3 1 1 a" }.joined()
    return "download 1 \(first + 15) 0 \(first + 15) 9 0 0 0 0 \(body.utf8.count) 0\n" + body
  }

  @Test("there is no pause after a quick or small integration, while much arrives, or while the application waits")
  func noPause() {
    func paused(_ took: Duration, of download: String? = nil) -> ClientDialogue {
      var client = ClientDialogue()
      client.connect()
      _ = client.hear(download ?? many(1))
      client.now += took
      _ = client.finish(16, newest: 5)
      return client
    }
    var client = paused(.milliseconds(500), of: ClientDialogue.download(16, 0))
    #expect(client.hear(ClientDialogue.download(17, 0)) == ["integrate 0 to 17"])
    client = paused(.milliseconds(4))
    #expect(client.hear(ClientDialogue.download(17, 0)) == ["integrate 0 to 17"])
    client = paused(.milliseconds(10))
    let entry = "17 0 1 3 262144 262144 " + String(repeating: "x", count: 256 << 10)
    #expect(client.hear("download 1 17 0 17 9 0 0 0 0 \(entry.utf8.count) 0\n" + entry) == ["integrate 1 to 17"])
    client = paused(.milliseconds(10))
    #expect(client.hear(ClientDialogue.download(17, 0)) == ["timer throttle 30 ms"])
    #expect(
      client.happen(.waitForDownloads(one, WaitIdent(rawValue: 5))) == ["integrate 0 to 17", "> mark 1 2"])
    #expect(client.happen(.timerEnded(.throttle(one))) == [], "the timer finds nothing to do")
    client = paused(.milliseconds(10))
    #expect(client.hear(ClientDialogue.download(17, 0)) == ["timer throttle 30 ms"])
    #expect(client.happen(.waitForUploads(one, WaitIdent(rawValue: 6))).contains("integrate 0 to 17"))
    client = paused(.milliseconds(10))
    client.now += .milliseconds(30)
    #expect(client.hear(ClientDialogue.download(17, 0)) == ["integrate 0 to 17"], "the pause is over")
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

  @Test("PING is sent, PONG must echo it, and silence ends the connection")
  func heartbeat() {
    var client = ClientDialogue()
    client.connect()
    client.now = .milliseconds(51_234)
    #expect(client.happen(.timerEnded(.ping)) == ["> ping 51234 0"])
    client.now = .milliseconds(51_239)
    #expect(client.hear("pong 51234\n") == [])
    #expect(client.happen(.checkLiveness) == ["> ping 51239 5"])
    #expect(client.happen(.timerEnded(.pongTimeout)).prefix(3) == ["report 1 network", "close", "disconnected"])
  }

  @Test("a refused token is renewed at once, then with growing delays")
  func refusedToken() {
    var client = ClientDialogue()
    _ = client.happen(.activate(one, SessionSetup(path: "/a", newest: ClientVersion(1))))
    #expect(client.happen(.socketRefused(status: 401, message: "")).last == "refresh token")
    #expect(client.happen(.timerEnded(.reconnect)) == [])
    #expect(client.happen(.reconnectNow) == ["connecting", "open"])
    #expect(client.happen(.socketClosed(code: .unauthorized, reason: "")).last == "timer reconnect 0")
    #expect(client.happen(.timerEnded(.reconnect)) == ["refresh token"])
  }

  @Test("permanent refusals stop the client until reconnectNow")
  func stops() {
    let cases: [(ClientConnection.Event, String)] = [
      (.socketRefused(status: 404, message: ""), "report 1 status(404) fatal"),
      (.socketRefused(status: 403, message: ""), "log out"),
      (.socketClosed(code: .forbidden, reason: ""), "log out"),
      (.socketOpened(token: "com.mongodb.realm-sync#7"), "report 1 violation fatal"),
      (.socketClosed(code: .messageTooBig, reason: ""), "reset 1 ClientReset"),
    ]
    for (event, line) in cases {
      var client = ClientDialogue()
      _ = client.happen(.activate(one, SessionSetup(path: "/a", newest: ClientVersion(1))))
      let lines = client.happen(event)
      #expect(lines.contains(line), "\(event): \(lines)")
      #expect(!lines.contains { $0.hasPrefix("timer") })
    }
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
}
