import ChangesetOT
@testable import SyncProtocol
import Testing

/// The limits of one UPLOAD, and the consequences of exceeding them.
struct UploadLimitTests {
  /// Two sessions, of which the first speaks.
  private static func server(_ settings: ServerConnection.Settings = .init()) -> ServerDialogue {
    var server = ServerDialogue(settings: settings)
    server.activate()
    _ = server.say("bind 2 2 0 0 0\n/b")
    return server
  }

  private static let refused = ["error 201 1 ApplicationBug", "ended"]

  @Test("a message above the limit ends its session alone, for good and without a reset")
  func oversized() {
    var server = Self.server()
    let head = Array("upload 1 0 300000000 0 2 0 0\n2 0 5 0 ".utf8)
    let actions = server.machine.receive(oversized: head, byteCount: 300_000_029)
    #expect(ServerDialogue.brief(actions, server.machine.dialect) == Self.refused)
    let sent = actions.compactMap { action in
      if case .send(.jsonError(let error)) = action { error.details } else { nil }
    }
    #expect(sent.map(\.tryAgain) == [false])
    #expect(sent.first?.message.contains("300000029") == true, "\(sent)")
    #expect(server.say("upload 1 0 0 0 3 0 0\n") == [], "what is still under way is ignored")
    #expect(server.say("unbind 1\n") == [])
    #expect(server.happen(.realmOpened(.named(2, 2))) == [])
    #expect(server.say("ident 2 2 77 0 0 0 0\n") == ["find 2"], "the other session goes on")
  }

  @Test("the machine refuses a message above its own limit even when the transport accepts it")
  func ownLimit() {
    var settings = ServerConnection.Settings()
    settings.limits.messageBytes = 100
    var server = Self.server(settings)
    let text = "upload 1 0 79 0 2 0 0\n2 0 5 0 70 " + String(repeating: "a", count: 70)
    #expect(server.say(text) == Self.refused)
  }

  @Test(
    "nothing but an UPLOAD may be so large",
    arguments: ["query 1 1 300000000\n", "mark 1 1 ", "upload x", "", "upload 0 "])
  func oversizedOther(head: String) {
    var server = Self.server()
    let actions = server.machine.receive(oversized: Array(head.utf8), byteCount: 300_000_000)
    #expect(
      ServerDialogue.brief(actions, server.machine.dialect)
        == ["error 103 0 ProtocolViolation", "ended", "ended", "close 1000", "timer closing"])
  }

  @Test("an oversized UPLOAD of a session that is not bound ends the connection like any message for it")
  func oversizedUnbound() {
    var server = ServerDialogue()
    let actions = server.machine.receive(oversized: Array("upload 7 0 3 0 2 0 0\n".utf8), byteCount: 300_000_000)
    #expect(ServerDialogue.brief(actions, server.machine.dialect).first == "error 106 0 ProtocolViolation")
  }

  @Test("a body that would inflate to more than the limit ends its session alone")
  func inflatedTooLarge() {
    var server = Self.server()
    #expect(server.say("upload 1 1 300000000 3 2 0 0\nabc") == Self.refused)
  }

  @Test("a single upload of any size is accepted when its session has no backlog")
  func admissible() {
    var settings = ServerConnection.Settings()
    settings.uploadBacklog = 10
    settings.uploadBacklogLimit = 20
    var server = ServerDialogue(settings: settings)
    server.activate()
    let body = String(repeating: "a", count: 70)
    #expect(server.say("upload 1 0 81 0 2 0 0\n2 0 5 0 70 " + body) == ["pause", "integrate [2] to 2 0"])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 198)) == ["resume", "scan 0 0"])
    #expect(server.say("upload 1 0 81 0 3 0 0\n3 0 5 0 70 " + body) == ["pause", "integrate [3] to 3 0"])
    #expect(server.say("upload 1 0 11 0 4 0 0\n4 0 5 0 1 a") == ["error 200 1 Transient", "ended", "resume"])
  }

  @Test("UPLOADs without changesets cost one integration at a time, and the newest counts")
  func emptyUploads() {
    var server = ServerDialogue()
    server.activate()
    #expect(server.say("upload 1 0 0 0 2 0 0\n") == ["integrate [] to 2 0"])
    var answers: [String] = []
    for version in 3...1_000 { answers += server.say("upload 1 0 0 0 \(version) 0 0\n") }
    #expect(answers.isEmpty)
    #expect(server.happen(.uploadIntegrated(.first, bytes: 64)) == ["integrate [] to 1000 0"])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 64)) == [])
    #expect(server.machine.backlog == 0)
  }

  @Test("a held progress is part of the next upload")
  func heldProgress() {
    var server = ServerDialogue()
    server.activate()
    _ = server.say("upload 1 0 0 0 2 0 0\n")
    _ = server.say("upload 1 0 0 0 3 0 0\n")
    #expect(server.say("upload 1 0 11 0 4 0 0\n4 0 5 0 1 a") == ["integrate [4] to 4 0"])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 64)) == [])
    #expect(server.happen(.uploadIntegrated(.first, bytes: 129)) == ["scan 0 0"])
  }

  // MARK: Acknowledgements

  /// An active session with so many uploads under way, from client version 2 on.
  private static func uploading(_ count: Int) -> ServerDialogue {
    var server = ServerDialogue()
    server.activate()
    for version in 2..<2 + count {
      let body = "\(version) 0 5 0 1 a"
      _ = server.say("upload 1 0 \(body.utf8.count) 0 \(version) 0 0\n" + body)
    }
    return server
  }

  @Test("sixteen consecutive uploads share one acknowledgement, and the last one is acknowledged at once")
  func streams() {
    var server = Self.uploading(40)
    var scans: [Int] = []
    for number in 1...40 {
      let actions = server.happen(.uploadIntegrated(.first, bytes: 129))
      if actions.contains("scan 0 0") { scans.append(number) }
      let upload = UploadCursor(client: ClientVersion(UInt64(number) + 1), server: .zero)
      _ = server.happen(.historyScanned(.first, ServerDialogue.scan(0, 0, upload: upload)))
    }
    #expect(scans == [16, 32, 40])
  }

  @Test("a MARK is acknowledged at once")
  func asking() {
    var server = Self.uploading(3)
    #expect(server.happen(.uploadIntegrated(.first, bytes: 129)) == [])
    #expect(server.say("mark 1 1\n") == ["scan 0 0"])
    let upload = UploadCursor(client: ClientVersion(2), server: .zero)
    #expect(
      server.happen(.historyScanned(.first, ServerDialogue.scan(0, 0, upload: upload)))
        == ["download 1 0 0 0 0 2 0 0 0 0 0", "mark 1 1"])
  }

  // MARK: Entries of one UPLOAD

  /// The message with a body of `count` entries, each without a changeset, as `text` gives them.
  private static func upload(_ count: Int, _ text: (Int) -> String) -> [UInt8] {
    let body = Array((0..<count).map(text).joined().utf8)
    let packed = BodyCompression.pack(body)
    let head =
      "upload 1 \(packed.isCompressed ? 1 : 0) \(body.count) \(packed.isCompressed ? packed.bytes.count : 0) 99999999 0 0\n"
    return Array(head.utf8) + packed.bytes
  }

  @Test("a million empty changesets end their session before more than the limit are read")
  func manyEntries() {
    var server = Self.server()
    let message = Self.upload(1_000_000) { "\($0 + 2) 0 0 0 0 " }
    #expect(ServerDialogue.brief(server.machine.receive(message), server.machine.dialect) == Self.refused)
  }

  @Test("equal versions end their session at the second entry, without reading the rest")
  func equalVersions() {
    let message = Self.upload(1_000_000) { _ in "2 0 0 0 0 " }
    #expect(throws: MessageDecodingError(.badEntryOrder, at: 10, session: SessionIdent(1))) {
      try MessageDecoder().clientMessage(message)
    }
    var server = Self.server()
    #expect(
      ServerDialogue.brief(server.machine.receive(message), server.machine.dialect)
        == ["error 210 1 ClientReset", "ended"])
  }

  @Test("as many changesets as a client collects are read, and weigh more than their bytes")
  func coalescingEnded() throws {
    let count = MessageLimits().uploadEntries
    let message = try MessageDecoder().clientMessage(Self.upload(count) { "\($0 + 2) 0 5 0 1 a" })
    guard case .upload(let upload) = message else { return #expect(Bool(false)) }
    #expect(upload.entries.count == count)
    #expect(upload.weight == count * 65 + 64)
  }

  @Test(
    "a changeset in pieces of a stream is read as one, for each size around the piece",
    arguments: [65_300, 65_536, 65_600, 131_072, 200_001])
  func streamed(size: Int) throws {
    let entries = [3, size, 5].enumerated().map { index, size in
      UploadEntry(
        cursor: UploadCursor(client: ClientVersion(UInt64(index) + 2), server: .zero), timestamp: OriginTimestamp(7),
        changeset: (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) })
    }
    let message = ClientMessage.upload(
      UploadMessage(
        session: SessionIdent(1), progress: UploadCursor(client: ClientVersion(9), server: .zero),
        lockedServerVersion: .zero, entries: entries))
    let bytes = message.encoded()
    #expect(bytes.count < size / 2, "compressed")
    #expect(try MessageDecoder().clientMessage(bytes) == message)
  }

  @Test("a DOWNLOAD of a hostile server is read to the first entry that is out of order, and not beyond the limit")
  func downloads() {
    func read(_ body: String, limit: Int) throws {
      var decoder = MessageDecoder()
      decoder.limits.downloadEntries = limit
      let head = "download 1 9 0 9 9 0 0 0 0 \(body.utf8.count) 0\n"
      _ = try decoder.serverMessage(Array((head + body).utf8))
    }
    #expect(throws: Never.self) { try read("1 0 5 3 1 1 a2 0 5 3 1 1 a", limit: 2) }
    #expect(throws: MessageDecodingError.self) { try read("1 0 5 3 1 1 a2 0 5 3 1 1 a", limit: 1) }
    #expect(throws: MessageDecodingError.self) { try read("2 0 5 3 1 1 a1 0 5 3 1 1 a", limit: 2) }
  }

  @Test("text of a peer is shortened and cleaned before it reaches the log")
  func peerText() {
    let hostile = "\u{1B}[2Jred\u{202E}\n" + String(repeating: "x", count: 1_000_000)
    let brief = PeerText.brief(hostile)
    #expect(brief.hasPrefix(" [2Jred  xxx"))
    #expect(brief.count == PeerText.longest + 1)
    var server = ServerDialogue()
    server.activate()
    let lines = server.machine.handle(
      .received(.jsonError(ClientErrorMessage(code: .badChangeset, session: SessionIdent(1), message: hostile))))
    let logged = lines.compactMap { action in if case .log(_, let text) = action { text.utf8.count } else { nil } }
    #expect(logged.count == 1)
    #expect(logged.allSatisfy { $0 < 2_000 })
  }
}
