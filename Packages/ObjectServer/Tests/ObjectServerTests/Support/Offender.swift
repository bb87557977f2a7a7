import ChangesetOT
import ChangesetOTTestSupport
@testable import ObjectServer
import SyncProtocol
import TestKit
import Testing
import Transport

/// A peer that says anything in any order: recorded messages, messages of its own making, good and bad changesets, damaged
/// bytes; and goes away whenever it likes.
final class Offender {
  let name: String
  private let token: String
  private var client: WireClient
  private var file = SaltedFileIdent.none
  private var state = ModelState()
  private var generator: EditGenerator
  private var version: UInt64 = 1
  /// Everything that it was told when it failed.
  private(set) var codes: Set<Int> = []

  /// The messages of stock clients in the recordings.
  static let recorded: [[UInt8]] = Recording.all.flatMap { recording in
    recording.messages.filter { $0.from == "client" && $0.kind != "http" && $0.head != nil }.map(\.bytes)
  }

  init(_ name: String, number: UInt64, token: String, seed: UInt64) throws {
    self.name = name
    self.token = token
    generator = EditGenerator(seed: seed &+ 77, author: FileIdent(number + 200))
    try state.apply(Device.founding)
    client = WireClient()
  }

  func act(on stage: Stage, using random: inout TestKit.SeededGenerator) throws {
    listen()
    if client.connection == nil || client.closure != nil || random.oneIn(40) {
      client.connection?.abort()
      let version = Int.random(in: 8...14, using: &random)
      let offers = random.oneIn(10) ? ["rubbish"] : ["com.mongodb.realm-sync#\(version)"]
      client = try stage.connect(random.oneIn(30) ? "no-token" : token, offers: offers, from: name)
      return
    }
    var bytes = try message(using: &random)
    if random.oneIn(20) { bytes = Damage.random(of: bytes, using: &random) }
    client.connection?.send(binary: bytes)
  }

  /// Takes in what the server said.
  func listen() {
    let heard = client.take()
    if let given = heard.compactMap(\.file).last { file = given }
    codes.formUnion(heard.compactMap(\.failureCode))
  }

  private func message(using random: inout TestKit.SeededGenerator) throws -> [UInt8] {
    func small() -> UInt64 { UInt64.random(in: 0...4, using: &random) }
    let session = SessionIdent(UInt64.random(in: 0...2, using: &random))
    let message: ClientMessage
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      let paths = ["/~/todo", "/ann/todo", "/~/other", "/ben/x", "\"p\"", "rubbish//", "null", "~", ""]
      message = .bind(
        BindMessage(
          session: session, path: paths.randomElement(using: &random) ?? "",
          needsFileIdent: Bool.random(using: &random)))
    case 2, 3:
      let claimed = random.oneIn(5) ? SaltedFileIdent(ident: FileIdent(small()), salt: Int64(small())) : file
      let isFresh = !random.oneIn(4)
      message = .ident(
        ClientIdentMessage(
          session: session, file: claimed,
          download: isFresh
            ? .zero : DownloadCursor(server: ServerVersion(small()), client: ClientVersion(small())),
          latestServerVersion: isFresh
            ? .zero : SaltedServerVersion(version: ServerVersion(small()), salt: Int64(small()))))
    case 4, 5, 6: message = .upload(try upload(session, using: &random))
    case 7: message = .mark(MarkMessage(session: session, request: RequestIdent(small())))
    case 8: message = .unbind(UnbindMessage(session: session))
    default: return Self.recorded.randomElement(using: &random) ?? []
    }
    return message.encoded(for: client.dialect)
  }

  private func upload(_ session: SessionIdent, using random: inout TestKit.SeededGenerator) throws -> UploadMessage {
    let base = ServerVersion(random.oneIn(3) ? UInt64.random(in: 0...6, using: &random) : 0)
    var entries: [UploadEntry] = []
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      version += 1
      var bytes = try changeset(isFirst: version == 2 || random.oneIn(6))
      if random.oneIn(8) { bytes = Damage.random(of: bytes, using: &random) }
      entries.append(
        UploadEntry(
          cursor: UploadCursor(client: ClientVersion(version), server: base), timestamp: OriginTimestamp(version),
          origin: FileIdent(random.oneIn(20) ? 3 : 0), changeset: bytes))
    }
    if random.oneIn(10) { entries.reverse() }
    return UploadMessage(
      session: session, progress: UploadCursor(client: ClientVersion(version), server: base),
      lockedServerVersion: base, entries: entries)
  }

  private func changeset(isFirst: Bool) throws -> [UInt8] {
    let instructions = isFirst ? Device.founding : try generator.transaction(on: &state, edits: 3)
    return Changeset(
      instructions: instructions, origin: ChangesetOrigin(timestamp: OriginTimestamp(version), file: .none)
    ).encoded()
  }
}
