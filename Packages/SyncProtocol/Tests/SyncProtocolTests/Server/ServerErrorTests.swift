import ChangesetOT
import SyncProtocol
import Testing

/// Every check of the server with the error it gives.
struct ServerErrorTests {
  struct Row: CustomStringConvertible, Sendable {
    var name: String
    /// The messages before, with session 1 not yet bound.
    var before: [String] = []
    var isActive = false
    var text: String
    var answer: [String]
    var description: String { name }
  }

  static func connection(_ code: Int, ended: Int = 0) -> [String] {
    ["error \(code) 0 ProtocolViolation"] + Array(repeating: "ended", count: ended) + ["close 1000", "timer closing"]
  }

  static let rows: [Row] = [
    Row(name: "unknown message", text: "hello 1\n", answer: connection(102)),
    Row(name: "test command", text: "test_command 1 1 0\n", answer: connection(102)),
    Row(name: "bad head", text: "bind 1 2\n/a", answer: connection(103)),
    Row(name: "mark for no session", text: "mark 7 1\n", answer: connection(106)),
    Row(name: "unbind for no session", text: "unbind 7\n", answer: connection(106)),
    Row(name: "json_error for no session", text: "json_error 212 15 7\n{\"message\":\"x\"}", answer: connection(106)),
    Row(
      name: "ident reused", before: ["bind 1 2 0 0 0\n/a"], text: "bind 1 2 0 0 0\n/b",
      answer: connection(107, ended: 1)),
    Row(
      name: "ident before it is given", before: ["bind 1 2 0 1 0\n/a"], text: "ident 1 2 77 0 0 0 0\n",
      answer: connection(109, ended: 1)),
    Row(name: "ident twice", isActive: true, text: "ident 1 2 77 0 0 0 0\n", answer: connection(109, ended: 1)),
    Row(
      name: "upload before ident", before: ["bind 1 2 0 0 0\n/a"], text: "upload 1 0 0 0 2 0 0\n",
      answer: connection(109, ended: 1)),
    Row(
      name: "mark before ident", before: ["bind 1 2 0 0 0\n/a"], text: "mark 1 1\n", answer: connection(109, ended: 1)),
    Row(
      name: "bad compression", isActive: true, text: "upload 1 1 2000 3 2 0 0\nabc", answer: connection(110, ended: 1)),
    Row(name: "bad entry head", isActive: true, text: "upload 1 0 3 0 2 0 0\nabc", answer: connection(111, ended: 1)),
    Row(
      name: "bad entry size", isActive: true, text: "upload 1 0 12 0 2 0 0\n2 0 5 0 9 ab",
      answer: connection(112, ended: 1)),
    Row(
      name: "upload from the future", isActive: true, text: "upload 1 0 0 0 2 1 0\n",
      answer: ["error 209 1 ClientReset", "ended"]),
    Row(
      name: "locked beyond what was sent", isActive: true, text: "upload 1 0 0 0 2 0 1\n",
      answer: ["error 209 1 ClientReset", "ended"]),
    Row(
      name: "server without client progress", isActive: true, text: "upload 1 0 0 0 0 1 0\n",
      answer: ["error 209 1 ClientReset", "ended"]),
    Row(
      name: "entry beyond progress", isActive: true, text: "upload 1 0 11 0 2 0 0\n3 0 5 0 1 a",
      answer: ["error 210 1 ClientReset", "ended"]),
    Row(
      name: "entries out of order", isActive: true, text: "upload 1 0 22 0 3 0 0\n3 0 5 0 1 a2 0 5 0 1 a",
      answer: ["error 210 1 ClientReset", "ended"]),
    Row(
      name: "entry based on the future", isActive: true, text: "upload 1 0 11 0 3 0 0\n2 9 5 0 1 a",
      answer: ["error 209 1 ClientReset", "ended"]),
    Row(
      name: "foreign origin", isActive: true, text: "upload 1 0 11 0 2 0 0\n2 0 5 9 1 a",
      answer: ["error 216 1 ProtocolViolation", "ended"]),
  ]

  @Test("each broken rule gives its error", arguments: rows)
  func brokenRules(row: Row) {
    var server = ServerDialogue()
    if row.isActive { server.activate() }
    for text in row.before { _ = server.say(text) }
    #expect(server.say(row.text) == row.answer)
  }

  @Test("upload progress that goes back is refused")
  func backwards() {
    var server = ServerDialogue()
    server.activate()
    _ = server.say("upload 1 0 0 0 5 0 0\n")
    #expect(server.say("upload 1 0 0 0 4 0 0\n") == ["error 210 1 ClientReset", "ended"])
  }

  @Test("one client file in two sessions of a connection is refused, in two realms it is not")
  func twins() {
    for (path, isTwin) in [("/a", true), ("/b", false)] {
      var server = ServerDialogue()
      server.activate()
      _ = server.say("bind 2 2 0 0 0\n\(path)")
      let answer = server.say("ident 2 2 77 0 0 0 0\n")
      #expect(answer == (isTwin ? Self.connection(108, ended: 2) : []))
    }
  }

  @Test("too many sessions are refused one by one, far too many end the connection")
  func sessionLimit() {
    var settings = ServerConnection.Settings()
    settings.maximumSessions = 1
    var server = ServerDialogue(settings: settings)
    #expect(server.say("bind 1 2 0 0 0\n/a") == ["open /a"])
    #expect(server.say("bind 2 2 0 0 0\n/b") == ["error 201 2 ApplicationBug"])
    #expect(server.say("bind 3 2 0 0 0\n/c").first == "error 101 0 Transient")
  }

  struct Claim: CustomStringConvertible, Sendable {
    var name: String
    var ident = "2 77 4 3 5 9"
    var record: ClientFileRecord? = ClientFileRecord(
      salt: 77, upload: UploadCursor(client: ClientVersion(6), server: ServerVersion(3)))
    var base: UInt64 = 0
    var saltOfClaim: Int64? = 9
    var code: Int?
    var description: String { name }
  }

  static func record(
    salt: Int64 = 77, kind: ClientFileRecord.Kind = .regular, isExpired: Bool = false, server: UInt64 = 3
  ) -> ClientFileRecord {
    ClientFileRecord(
      salt: salt, kind: kind, upload: UploadCursor(client: ClientVersion(6), server: ServerVersion(server)),
      isExpired: isExpired)
  }

  /// The server is at version 5 with salt 9. The fields: file ident, salt, scan server, scan client, latest, its salt.
  static let claims: [Claim] = [
    Claim(name: "all is well", code: nil),
    Claim(name: "1 latest beyond current", ident: "2 77 4 3 6 9", code: 209),
    Claim(name: "2 ident never given out", record: nil, code: 208),
    Claim(name: "3 wrong salt", record: record(salt: 78), code: 211),
    Claim(name: "3 no salt stored", ident: "2 0 4 3 5 9", record: record(salt: 0), code: 211),
    Claim(name: "4 below the reciprocal history", record: record(server: 5), code: 209),
    Claim(name: "5 expired", record: record(isExpired: true), code: 222),
    Claim(name: "5 history trimmed", base: 5, code: 222),
    Claim(name: "6 scan beyond current", ident: "2 77 6 3 5 9", code: 209),
    Claim(name: "7 client version not integrated", ident: "2 77 4 7 5 9", code: 210),
    Claim(name: "8 latest below scan", ident: "2 77 4 3 3 9", code: 209),
    Claim(name: "9 salt of another history", saltOfClaim: 10, code: 211),
    Claim(name: "9 version unknown", saltOfClaim: .some(nil) ?? nil, code: 211),
    Claim(name: "10 another kind of file", record: record(kind: .subserver), code: 208),
  ]

  @Test("IDENT is verified in the order of the protocol", arguments: claims)
  func identVerification(claim: Claim) {
    var server = ServerDialogue()
    _ = server.say("bind 1 2 0 0 0\n/a")
    _ = server.happen(.realmOpened(.first))
    _ = server.say("ident 1 \(claim.ident)\n")
    let state = ServerHistoryState(
      current: SaltedServerVersion(version: ServerVersion(5), salt: 9), base: ServerVersion(claim.base),
      saltOfClaim: claim.saltOfClaim)
    let answer = server.happen(.clientFileFound(.first, claim.record, state))
    if let code = claim.code {
      #expect(answer == ["error \(code) 1 ClientReset", "ended"])
    } else {
      #expect(answer == ["identified 2", "log 1", "scan 4 3"])
    }
  }

  @Test("the rest of a state goes only to clients with the part before it")
  func bootstrapPart() {
    typealias Row = (scan: UInt64, latest: UInt64, isAtHand: Bool, code: SessionFailure.Code?)
    let rows: [Row] = [
      (4, 30, true, nil), (4, 41, true, nil), (4, 30, false, .clientFileExpired),
      // The client was at version 4 before it got the state of version 30.
      (4, 4, true, .clientFileExpired), (29, 29, true, .clientFileExpired),
      (30, 30, false, nil), (0, 0, true, nil), (0, 0, false, nil),
    ]
    for row in rows {
      let claim = ClientIdentMessage(
        session: SessionIdent(1), file: ServerDialogue.file,
        download: DownloadCursor(server: ServerVersion(row.scan), client: .zero),
        latestServerVersion: SaltedServerVersion(version: ServerVersion(row.latest), salt: 9))
      let record = ClientFileRecord(salt: 77, bootstrap: ServerVersion(30), canResumeBootstrap: row.isAtHand)
      let history = ServerHistoryState(
        current: SaltedServerVersion(version: ServerVersion(50), salt: 9), base: ServerVersion(2), saltOfClaim: 9)
      let failure = IdentVerification.failure(claim: claim, record: record, history: history)
      #expect(failure?.code == row.code, "\(row)")
    }
  }

  @Test("a client at version 0 starts over from the present state, with any kept history")
  func bootstrap() {
    let claim = ClientIdentMessage(session: SessionIdent(1), file: ServerDialogue.file)
    let current = SaltedServerVersion(version: ServerVersion(50), salt: 9)
    let record = ClientFileRecord(salt: 77)
    for canBootstrap in [true, false] {
      let state = ServerHistoryState(
        current: current, base: ServerVersion(40), canBootstrap: canBootstrap, saltOfClaim: 0)
      let failure = IdentVerification.failure(claim: claim, record: record, history: state)
      #expect((failure == nil) == canBootstrap)
    }
  }
}
