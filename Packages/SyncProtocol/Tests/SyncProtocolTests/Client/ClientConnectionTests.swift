import ChangesetOT
import SyncProtocol
import Testing

/// Attempts, losses and signs of life of the connection.
struct ClientConnectionTests {
  let one = ClientDialogue.one

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
}
