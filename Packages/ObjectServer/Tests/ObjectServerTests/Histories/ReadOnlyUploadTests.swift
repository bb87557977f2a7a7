import ChangesetOT
import DataModel
import Foundation
@testable import ObjectServer
import Permissions
import ServerClusterTestSupport
import SyncProtocol
import Testing
import Transport

@Suite("an upload of a user without write access")
struct ReadOnlyUploadTests {
  private static let item = ObjectReference(className: "Item", key: .int(1))
  private static let title = Target(object: item, field: "title")

  /// A server with files, an owner with one item, and a reader who has it.
  private struct Scene {
    let folder = NSTemporaryDirectory() + "openrealm-readers-" + UUID().uuidString
    let stage: Stage
    let owner, reader: WireClient
    let file: SaltedFileIdent
    let readerToken: String

    init() throws {
      let random = RandomSource(SystemRandomNumberGenerator())
      stage = try Stage(histories: TestStorage.histories(.folder(folder), random: random, isDurable: false))
      let ann = try stage.user("ann"), ben = try stage.user("ben")
      let path = try Permissions.RealmPath("/ann/todo")
      try stage.directory.setGrant(Grant(path: path, grantee: .user(ben.id), level: .read))
      readerToken = ben.token
      (owner, _) = try stage.session(ann.token, "/~/todo")
      owner.upload(
        1, version: 2,
        bytes: bytes([
          .addTable(AddTable(table: "Item", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
          .addColumn(AddColumn(table: "Item", field: "title", type: .string)),
          .createObject(CreateObject(object: item)), .update(Update(target: title, payload: .string("milk"))),
        ]))
      stage.run()
      (reader, file) = try stage.session(ben.token, "/ann/todo", from: "tablet")
      stage.run()
      _ = (owner.take(), reader.take())
    }

    func end() { try? FileManager.default.removeItem(atPath: folder) }
  }

  private static func bytes(_ instructions: [Instruction]) -> [UInt8] {
    Changeset(
      instructions: instructions, origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
    ).encoded()
  }

  private static func instructions(_ entry: DownloadEntry) throws -> [Instruction] {
    try Changeset(
      decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)
    ).instructions
  }

  @Test("is acknowledged, undone by an ordinary change, and said with 231; the session goes on, others see nothing")
  func undone() throws {
    let scene = try Scene()
    defer { scene.end() }
    let stray = ObjectReference(className: "Item", key: .int(7))
    scene.reader.upload(
      1, version: 3, base: 1,
      bytes: Self.bytes([
        .update(Update(target: Self.title, payload: .string("mine"))), .createObject(CreateObject(object: stray)),
      ]))
    scene.stage.run()
    let heard = scene.reader.take()
    let warning = try #require(heard.compactMap(\.jsonError).first)
    #expect(warning.code == .compensatingWrite)
    #expect(warning.details.action == .warning)
    let compensation = try #require(warning.details.compensation)
    #expect(compensation.serverVersion == ServerVersion(3))
    #expect(compensation.rejectedClientVersion == ClientVersion(3))
    #expect(compensation.rejections.map(\.className) == ["Item", "Item"])
    #expect(try compensation.rejections.map { try ObjectKey(encodedText: $0.primaryKey) } == [.int(1), .int(7)])
    #expect(compensation.rejections.allSatisfy { $0.reason.contains("read, by a grant to the user; ask its owner") })
    let download = try #require(heard.compactMap(\.download).last)
    #expect(download.progress.upload.client == ClientVersion(3))
    let entry = try #require(download.entries.first)
    #expect(download.entries.count == 1)
    #expect(entry.origin == .server)
    #expect(entry.cursor == DownloadCursor(server: ServerVersion(3), client: ClientVersion(3)))
    #expect(
      try Self.instructions(entry) == [
        .eraseObject(EraseObject(object: stray)), .update(Update(target: Self.title, payload: .string("milk"))),
      ])
    #expect(scene.reader.closure == nil)
    #expect(scene.owner.take().compactMap(\.download).flatMap(\.entries).isEmpty)
    // Later changes of others arrive.
    scene.owner.upload(
      1, version: 3, bytes: Self.bytes([.update(Update(target: Self.title, payload: .string("bread")))]))
    scene.stage.run()
    #expect(scene.reader.take().compactMap(\.download).flatMap(\.entries).count == 1)
  }

  @Test("is told with the refusal of an ident that is given up, as often as it is asked, until it is acknowledged")
  func toldAtReset() throws {
    for acknowledges in [false, true] {
      let scene = try Scene()
      defer { scene.end() }
      scene.reader.upload(
        1, version: 3, base: 1, bytes: Self.bytes([.update(Update(target: Self.title, payload: .string("mine")))]))
      scene.stage.run()
      if acknowledges {
        let progress = UploadCursor(client: ClientVersion(4), server: ServerVersion(3))
        scene.reader.send(
          .upload(
            UploadMessage(
              session: SessionIdent(1), progress: progress, lockedServerVersion: ServerVersion(3), entries: [])))
        scene.stage.run()
      }
      // The client is ahead of the server: its ident is given up with the first question.
      for attempt in ["first", "second"] {
        let again = try scene.stage.connect(scene.readerToken, from: "tablet \(attempt)")
        again.bind(1, "/ann/todo", needsIdent: false)
        again.ident(1, scene.file, download: DownloadCursor(server: .zero, client: ClientVersion(99)))
        scene.stage.run()
        let refusal = try #require(again.take().compactMap(\.jsonError).first)
        #expect(refusal.details.action == .clientReset)
        let untold = refusal.details.untold
        #expect(untold.map(\.rejectedClientVersion) == (acknowledges ? [] : [ClientVersion(3)]), "\(attempt)")
        #expect(untold.flatMap(\.rejections).map(\.className) == (acknowledges ? [] : ["Item"]))
      }
    }
  }

  @Test("is undone after a lost connection: what undoes it is sent until it is acknowledged")
  func interrupted() throws {
    let scene = try Scene()
    defer { scene.end() }
    scene.reader.upload(
      1, version: 3, base: 1, bytes: Self.bytes([.update(Update(target: Self.title, payload: .string("mine")))]))
    scene.stage.run()
    // The answer is lost: the client comes back with what it had.
    let lost = try #require(scene.reader.take().compactMap(\.download).last)
    let again = try scene.stage.connect(scene.readerToken, from: "tablet again")
    again.bind(1, "/ann/todo", needsIdent: false)
    again.ident(
      1, scene.file, download: DownloadCursor(server: ServerVersion(1), client: .zero),
      latest: SaltedServerVersion(version: ServerVersion(1), salt: lost.progress.latestServerVersion.salt))
    scene.stage.run()
    let heard = again.take()
    let entries = heard.compactMap(\.download).flatMap(\.entries)
    let restored = Instruction.update(Update(target: Self.title, payload: .string("milk")))
    #expect(try entries.map(Self.instructions).last == [restored], "\(heard)")
  }

  @Test("that erases a class cannot be undone, and is answered with 230")
  func refused() throws {
    let scene = try Scene()
    defer { scene.end() }
    scene.reader.upload(1, version: 3, base: 1, bytes: Self.bytes([.eraseTable(EraseTable(table: "Item"))]))
    scene.stage.run()
    let failure = try #require(scene.reader.take().compactMap(\.jsonError).first)
    #expect(failure.code == .writeNotAllowed)
    #expect(failure.details.action == .clientReset)
  }

  @Test("that only declares classes and fields is acknowledged in silence")
  func declarations() throws {
    let scene = try Scene()
    defer { scene.end() }
    scene.reader.upload(
      1, version: 3, base: 1, bytes: Self.bytes([.addColumn(AddColumn(table: "Item", field: "mine", type: .int))]))
    scene.stage.run()
    let heard = scene.reader.take()
    #expect(heard.compactMap(\.jsonError).isEmpty)
    #expect(heard.compactMap(\.download).last?.progress.upload.client == ClientVersion(3))
    #expect(heard.compactMap(\.download).flatMap(\.entries).isEmpty)
  }
}
