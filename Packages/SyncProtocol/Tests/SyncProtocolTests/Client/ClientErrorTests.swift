import ChangesetOT
import SyncProtocol
import Testing

/// The reactions of the client to errors and violations.
struct ClientErrorTests {
  static func json(_ code: Int, _ action: String, session: Int = 1, again: Bool = false, more: String = "") -> String {
    let body =
      "{\"tryAgain\":\(again),\"message\":\"m\",\"logURL\":\"\",\"shouldClientReset\":false,\"isRecoveryModeDisabled\":false,\"action\":\"\(action)\"\(more)}"
    return "json_error \(code) \(body.utf8.count) \(session)\n\(body)"
  }

  struct Row: CustomStringConvertible, Sendable {
    var text: String
    var answer: [String]
    var description: String { String(text.prefix { $0 != "\n" }) + " → \(answer)" }
  }

  static let sessionErrors: [Row] = [
    Row(text: json(201, "ApplicationBug"), answer: ["report 1 201 fatal", "1 failed", "> unbind 1"]),
    Row(text: json(216, "ProtocolViolation"), answer: ["report 1 216 fatal", "1 failed", "> unbind 1"]),
    Row(text: json(299, "Whatever"), answer: ["report 1 299 fatal", "1 failed", "> unbind 1"]),
    Row(
      text: json(201, "ApplicationBug", again: true),
      answer: ["report 1 201", "1 suspended", "timer resume 1 0", "> unbind 1"]),
    Row(text: json(200, "Transient", again: true), answer: ["1 suspended", "timer resume 1 1", "> unbind 1"]),
    Row(text: json(229, "Transient", again: true), answer: ["1 suspended", "timer resume 1 0", "> unbind 1"]),
    Row(text: json(209, "ClientReset"), answer: ["1 failed", "reset 1 ClientReset", "> unbind 1"]),
    Row(text: json(230, "ClientResetNoRecovery"), answer: ["1 failed", "reset 1 ClientResetNoRecovery", "> unbind 1"]),
    Row(text: json(206, "DeleteRealm"), answer: ["report 1 206 fatal", "1 failed", "delete 1", "> unbind 1"]),
    Row(text: json(201, "RefreshUser"), answer: ["1 suspended", "timer resume 1 0", "refresh token", "> unbind 1"]),
    Row(
      text: json(201, "RefreshLocation"), answer: ["1 suspended", "timer resume 1 0", "refresh location", "> unbind 1"]),
    Row(text: json(201, "LogOutUser"), answer: ["report 1 201 fatal", "1 failed", "log out", "> unbind 1"]),
    Row(
      text: json(201, "Warning"), answer: ["report 1 201", "1 suspended", "timer resume 1 0", "> unbind 1"]),
    Row(text: json(234, "RevertToPBS"), answer: ["1 failed", "report 1 234 fatal", "> unbind 1"]),
    Row(text: json(236, "MigrateSchema", more: ",\"previousSchemaVersion\":1"), answer: ["report 1 236"]),
    Row(
      text: json(
        231, "Warning", more: ",\"compensatingWriteServerVersion\":0,\"rejectedClientVersion\":2,\"rejectedUpdates\":[]"
      ),
      answer: ["report 1 231"]),
    Row(
      text: json(
        229, "Transient", again: true,
        more: ",\"backoffIntervalSec\":40,\"backoffMaxDelaySec\":80,\"backoffMultiplier\":2"),
      answer: ["1 suspended", "timer resume 1 33", "> unbind 1"]),
    // Plain errors have no action: the code decides.
    Row(text: "error 211 1 0 1\nx", answer: ["1 failed", "reset 1 ClientReset", "> unbind 1"]),
    Row(text: "error 206 1 0 1\nx", answer: ["report 1 206 fatal", "1 failed", "> unbind 1"]),
    Row(text: "error 201 1 1 1\nx", answer: ["1 suspended", "timer resume 1 0", "> unbind 1"]),
  ]

  @Test("a session error has the effect of its action", arguments: sessionErrors)
  func sessionErrorReaction(row: Row) {
    var client = ClientDialogue()
    client.connect()
    let lines = client.hear(row.text)
    if row.text.contains("backoff") {
      // 40 s less a random quarter at most.
      #expect(lines.count == 3 && lines[1].hasPrefix("timer resume 1 3") || lines[1] == "timer resume 1 40")
    } else {
      #expect(lines == row.answer)
    }
  }

  @Test("a suspended session binds again with the same ident, a failed one when asked")
  func resumption() {
    var client = ClientDialogue()
    client.connect()
    _ = client.hear(Self.json(200, "Transient", again: true))
    #expect(client.happen(.timerEnded(.resume(ClientDialogue.one))).prefix(2) == ["1 binding", "> bind 1 2 0 0 0"])
    var failed = ClientDialogue()
    failed.connect()
    _ = failed.hear(Self.json(201, "ApplicationBug"))
    #expect(failed.happen(.timerEnded(.resume(ClientDialogue.one))) == [])
    #expect(failed.happen(.reconnectNow).prefix(2) == ["1 binding", "> bind 1 2 0 0 0"])
    var reset = ClientDialogue()
    reset.connect()
    _ = reset.hear(Self.json(209, "ClientReset"))
    #expect(reset.happen(.reconnectNow) == [])
  }

  @Test("231 is reported once the undoing version is integrated")
  func compensation() {
    var client = ClientDialogue()
    client.connect()
    let more = ",\"compensatingWriteServerVersion\":3,\"rejectedClientVersion\":2,\"rejectedUpdates\":[]"
    #expect(client.hear(Self.json(231, "Warning", more: more)) == [])
    #expect(client.hear(ClientDialogue.download(2, 0)) == ["integrate 0 to 2"])
    _ = client.finish(2, newest: 5)
    #expect(client.hear(ClientDialogue.download(3, 0)) == ["integrate 0 to 3 with 1 reports"])
    #expect(client.finish(3, newest: 5).first == "report 1 231")
  }

  static let connectionErrors: [Row] = [
    Row(
      text: json(100, "Transient", session: 0, again: true),
      answer: ["report 1 100", "close", "disconnected", "1 binding", "timer reconnect 0"]),
    Row(
      text: json(103, "ProtocolViolation", session: 0),
      answer: ["report 1 103 fatal", "close", "disconnected", "1 binding"]),
    Row(
      text: json(113, "ApplicationBug", session: 0),
      answer: ["report 1 113 fatal", "close", "disconnected", "1 binding"]),
    Row(
      text: "error 101 1 1 0\nx", answer: ["report 1 101", "close", "disconnected", "1 binding", "timer reconnect 0"]),
    Row(text: "error 103 1 0 0\nx", answer: ["report 1 103 fatal", "close", "disconnected", "1 binding"]),
    Row(
      text: json(101, "LogOutUser", session: 0),
      answer: ["report 1 101 fatal", "close", "disconnected", "1 binding", "log out"]),
  ]

  @Test("a connection error ends the connection, and comes back only when told to", arguments: connectionErrors)
  func connectionErrorReaction(row: Row) {
    var client = ClientDialogue()
    client.connect()
    #expect(client.hear(row.text) == row.answer)
  }

  @Test("a server that lost acknowledged changesets resets the client and ends the session")
  func earlierState() {
    var client = ClientDialogue()
    client.connect()
    #expect(client.hear(ClientDialogue.download(1, 3)) == ["integrate 0 to 1"])
    _ = client.finish(1, upload: 3, newest: 4)
    #expect(client.hear(ClientDialogue.download(2, 2)) == ["1 failed", "reset 1 ClientReset"])
    #expect(client.hear(ClientDialogue.download(2, 2)) == [])
    #expect(client.happen(.deactivate(ClientDialogue.one)).contains { $0.hasPrefix("> unbind 1") })
  }

  static let violations: [String] = [
    "hello\n", "ident 1 2 77\n", "unbound 1\n", "mark 1 9\n", "mark 1 1\n", "pong 5\n",
    "download 9 0 0 0 0 0 0 0 0 0 0\n",
    "error 209 1 0 0\nx", "error 103 1 0 1\nx", "error 150 1 0 0\nx", "json_error 209 2 1\n{}", "alloc 1 2\n",
    "log_message 0 17\n{\"level\":\"noisy\"}", "query_error 226 1 1 1\nx",
    // download: scan server, scan client, latest, salt, upload client, upload server; the client is at version 4.
    "download 1 2 0 1 9 0 0 0 0 0 0\n", "download 1 0 0 0 0 5 0 0 0 0 0\n", "download 1 0 3 0 0 2 0 0 0 0 0\n",
    "download 1 0 0 1 9 2 1 0 0 0 0\n",
    "download 1 1 0 1 9 0 0 0 0 13 0\n2 0 1 3 1 1 a", "download 1 1 0 1 9 0 0 0 0 13 0\n0 0 1 3 1 1 a",
    "download 1 1 0 1 9 0 0 0 0 13 0\n1 1 1 3 1 1 a", "download 1 1 0 1 9 0 0 0 0 13 0\n1 0 1 2 1 1 a",
    "download 1 1 0 1 9 0 0 0 0 13 0\n1 0 1 0 1 1 a", "download 1 2 0 2 9 0 0 0 0 26 0\n1 0 1 3 1 1 a1 0 1 3 1 1 a",
  ]

  @Test("an illegal message closes the connection", arguments: violations)
  func violationReaction(text: String) {
    var client = ClientDialogue()
    client.connect()
    #expect(client.hear(text) == ["report 1 violation", "close", "disconnected", "1 binding", "timer reconnect 0"])
  }

  @Test("an IDENT without an ident closes the connection")
  func emptyIdent() {
    for text in ["ident 1 0 77\n", "ident 1 2 0\n"] {
      var client = ClientDialogue()
      _ = client.happen(.activate(ClientDialogue.one, SessionSetup(path: "/a", newest: ClientVersion(1))))
      _ = client.happen(.socketOpened(token: "com.mongodb.realm-sync#14"))
      #expect(client.hear(text).first == "report 1 violation")
    }
  }

  @Test("versions that go back close the connection")
  func regressions() {
    for text in [
      "download 1 1 0 5 9 3 0 0 0 0 0\n", "download 1 2 0 4 9 3 0 0 0 0 0\n", "download 1 2 0 4 9 2 0 0 0 0 0\n",
    ] {
      var client = ClientDialogue()
      client.connect()
      _ = client.hear("download 1 2 0 5 9 3 0 0 0 0 0\n")
      #expect(client.hear(text).first == "report 1 violation")
    }
  }
}
