import ChangesetOT
@testable import ObjectServer
import SyncProtocol
import TestKit
import Testing
import Transport

@Suite("illegal conversations")
struct ConversationFuzzTests {
  @Test(
    "whatever a client says in whatever order, the server answers or closes, and another session goes on",
    arguments: Seeds.some(60))
  func anything(seed: UInt64) throws {
    let stage = try Stage(seed: seed)
    let ann = try stage.user("ann")
    let (witness, _) = try stage.session(ann.token, "/~/todo", from: "witness")
    var random = SeededGenerator(seed: seed)
    var client = try stage.connect(ann.token)
    var file = SaltedFileIdent.none
    for _ in 0..<60 {
      if client.closure != nil { client = try stage.connect(ann.token) }
      if let given = client.received.compactMap(\.file).last { file = given }
      Self.say(to: client, file: file, using: &random)
      if random.oneIn(3) { stage.run(.milliseconds(5)) }
    }
    stage.run()
    for code in client.take().compactMap(\.failureCode) {
      #expect(![104, 202, 203, 205, 207, 214, 215, 218, 219, 220, 221, 224].contains(code), "SEED=\(seed)")
    }
    witness.upload(1, version: 2, bytes: SyncTests.bytes)
    stage.run()
    let heard = witness.take()
    #expect(witness.closure == nil, "SEED=\(seed)")
    #expect(heard.compactMap(\.failureCode) == [], "SEED=\(seed)")
    #expect(heard.compactMap(\.download).last?.progress.upload.client == ClientVersion(2), "SEED=\(seed)")
  }

  private static func say(to client: WireClient, file: SaltedFileIdent, using random: inout SeededGenerator) {
    func small() -> UInt64 { UInt64.random(in: 0...4, using: &random) }
    func session() -> SessionIdent { SessionIdent(UInt64.random(in: 0...2, using: &random)) }
    func cursor() -> UploadCursor { UploadCursor(client: ClientVersion(small()), server: ServerVersion(small())) }
    let paths = ["/~/todo", "/~/other", "/ben/x", "\"p\"", "rubbish//", "null", "~"]
    var message: ClientMessage
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1:
      message = .bind(
        BindMessage(
          session: session(), path: paths.randomElement(using: &random) ?? "",
          needsFileIdent: Bool.random(using: &random)))
    case 2, 3:
      let claimed = random.oneIn(4) ? SaltedFileIdent(ident: FileIdent(small()), salt: Int64(small())) : file
      message = .ident(
        ClientIdentMessage(
          session: session(), file: claimed,
          download: DownloadCursor(server: ServerVersion(small()), client: ClientVersion(small())),
          latestServerVersion: SaltedServerVersion(version: ServerVersion(small()), salt: Int64(small()))))
    case 4, 5:
      let entries = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        UploadEntry(
          cursor: cursor(), timestamp: OriginTimestamp(small()), origin: FileIdent(random.oneIn(5) ? 3 : 0),
          changeset: random.oneIn(4) ? PlainHistory.badBytes : [1, 2, 3])
      }
      message = .upload(
        UploadMessage(
          session: session(), progress: cursor(), lockedServerVersion: ServerVersion(small()), entries: entries))
    case 6: message = .mark(MarkMessage(session: session(), request: RequestIdent(small())))
    case 7: message = .unbind(UnbindMessage(session: session()))
    default: message = .ping(PingMessage(timestamp: small(), roundTrip: small()))
    }
    var bytes = message.encoded(for: client.dialect)
    if random.oneIn(25) { bytes = Damage.random(of: bytes, using: &random) }
    client.connection?.send(binary: bytes)
  }
}
