import ChangesetOT
import Foundation
@testable import ObjectServer
import Permissions
import ServerClusterTestSupport
import SyncProtocol
import Testing
import Transport

@Suite("deleting and renaming realms")
struct OperationsTests {
  static let base = "/api/openrealm/v1/realms"

  @Test("deleting a realm tells its sessions to reset, and whoever comes back finds it empty")
  func delete() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let (client, file) = try stage.session(ann.token, "/~/todo")
    let (other, _) = try stage.session(ann.token, "/~/other", from: "tablet")
    client.upload(1, version: 2, bytes: SyncTests.bytes)
    stage.run()
    _ = client.take()
    #expect(try stage.send("DELETE", Self.base + "?path=/ann/todo", bearer: ann.token).status == 204)
    stage.run()
    let failure = try #require(client.take().compactMap(\.jsonError).first)
    #expect(failure.code.rawValue == 208)
    #expect(failure.details.action == .clientReset)
    #expect(other.take().isEmpty, "nobody else notices")
    #expect(other.closure == nil, "nobody else notices")
    client.send(.unbind(UnbindMessage(session: SessionIdent(1))))
    client.bind(2, "/~/todo", needsIdent: false)
    stage.run()
    client.ident(2, file)
    stage.run()
    #expect(client.take().compactMap(\.failureCode) == [208], "the old client file is unknown")
    let (fresh, _) = try stage.session(ann.token, "/~/todo", from: "laptop")
    #expect(fresh.take().compactMap(\.download).flatMap(\.entries).isEmpty)
    #expect(try stage.send("DELETE", Self.base + "?path=/ann/nothing", bearer: ann.token).status == 409)
  }

  @Test("a renamed realm is at its new path with all its history and grants, and sessions at the old path go on")
  func rename() throws {
    let stage = try Stage()
    let ann = try stage.user("ann"), ben = try stage.user("ben")
    let (client, file) = try stage.session(ann.token, "/~/todo")
    client.upload(1, version: 2, bytes: SyncTests.bytes)
    stage.run()
    try stage.directory.setGrant(
      Grant(path: RealmPath("/ann/todo"), grantee: .user(ben.id), level: .read, updatedAtMilliseconds: 1))
    _ = client.take()
    let body = #"{"path":"/ann/todo","newPath":"/ann/done"}"#
    #expect(try stage.send("POST", Self.base + "/rename", bearer: ben.token, body: body).status == 403)
    #expect(try stage.send("POST", Self.base + "/rename", bearer: ann.token, body: body).status == 204)
    stage.run()
    let told = try #require(client.take().compactMap(\.jsonError).first)
    #expect(told.code == .sessionClosed)
    #expect(told.details.tryAgain)
    #expect(told.details.action == .transient)
    client.send(.unbind(UnbindMessage(session: SessionIdent(1))))
    client.bind(2, "/~/todo", needsIdent: false)
    stage.run()
    client.ident(2, file)
    stage.run()
    let heard = client.take()
    #expect(heard.compactMap(\.failureCode).isEmpty)
    #expect(heard.compactMap(\.download).last?.progress.upload.client == ClientVersion(2), "the same history")
    // Both names are one realm: what is written at one is read at the other.
    let (reader, _) = try stage.session(ben.token, "/ann/done", from: "pc")
    #expect(reader.closure == nil)
    client.upload(2, version: 3, bytes: SyncTests.bytes)
    stage.run()
    #expect(client.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(3))
    #expect(reader.take().compactMap(\.download).flatMap(\.entries).count == 1)
    let stranger = try stage.connect(try stage.user("cid").token, from: "elsewhere")
    stranger.bind(1, "/ann/todo")
    stage.run()
    #expect(stranger.take().compactMap(\.failureCode) == [206], "the rules of the new path count")
    // A token for the old path goes with the realm.
    let (scoped, _) = try stage.session(
      try stage.token(ann.id, level: .read, path: "/ann/todo"), "/~/todo", from: "old")
    try stage.directory.setGrant(
      Grant(path: RealmPath("/ann/done"), grantee: .user(ben.id), level: .write, updatedAtMilliseconds: 2))
    #expect(scoped.closure == nil)
    #expect(try stage.send("POST", Self.base + "/rename", bearer: ann.token, body: body).status == 409)
    let list = try HTTPTests.json(try stage.send("GET", Self.base, bearer: ann.token))
    #expect((list["realms"] as? [[String: String]])?.compactMap { $0["path"] } == ["/ann/done"])
  }

  /// A stage whose realms are files below a folder of their own.
  private static func stageOnDisk() throws -> (stage: Stage, folder: String) {
    let folder = NSTemporaryDirectory() + "openrealm-operations-" + UUID().uuidString
    let random = RandomSource(SystemRandomNumberGenerator())
    return (try Stage(histories: TestStorage.histories(.folder(folder), random: random, isDurable: false)), folder)
  }

  @Test("realms on disk are deleted and renamed with their files, and live on after it")
  func files() throws {
    let (stage, folder) = try Self.stageOnDisk()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let ann = try stage.user("ann")
    let bytes = Changeset(
      instructions: [.addTable(AddTable(table: "A", primaryKey: PrimaryKeyColumn(field: "_id", type: .int)))],
      origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
    ).encoded()
    let (client, _) = try stage.session(ann.token, "/~/todo")
    client.upload(1, version: 2, bytes: bytes)
    stage.run()
    let body = #"{"path":"/ann/todo","newPath":"/ann/sub/done"}"#
    #expect(try stage.send("POST", Self.base + "/rename", bearer: ann.token, body: body).status == 204)
    #expect(!FileManager.default.fileExists(atPath: folder + "/named/ann.d/todo.realm"))
    let reader = try stage.connect(ann.token, from: "pc")
    reader.bind(1, "/~/sub/done")
    stage.run()
    let file = try #require(reader.take().compactMap(\.file).first)
    reader.ident(1, file)
    stage.run()
    #expect(reader.take().compactMap(\.download).flatMap(\.entries).map(\.changeset) == [bytes[...]])
    #expect(FileManager.default.fileExists(atPath: folder + "/named/ann.d/sub.d/done.realm"))
    #expect(try stage.send("DELETE", Self.base + "?path=/ann/sub/done", bearer: ann.token).status == 204)
    #expect(!FileManager.default.fileExists(atPath: folder + "/named/ann.d/sub.d/done.realm"))
    let (again, _) = try stage.session(ann.token, "/~/sub/done", from: "laptop")
    again.upload(1, version: 2, bytes: bytes)
    stage.run()
    #expect(again.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(2))
  }

  @Test("a realm that is made again gives out no ident of the one before, whose devices are told to reset")
  func madeAgain() throws {
    let (stage, folder) = try Self.stageOnDisk()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let ann = try stage.user("ann")
    func files(_ names: String) throws -> [SaltedFileIdent] {
      try (0..<3).map { number in
        let device = try stage.connect(ann.token, from: "\(names) \(number)")
        device.bind(1, "/~/todo")
        stage.run()
        return try #require(device.take().compactMap(\.file).first)
      }
    }
    let before = try files("before")
    #expect(before.map(\.ident.rawValue) == [2, 3, 4])
    #expect(try stage.send("DELETE", Self.base + "?path=/ann/todo", bearer: ann.token).status == 204)
    let after = try files("after")
    #expect(Set((before + after).map(\.ident)).count == 6)
    for file in before {
      let device = try stage.connect(ann.token, from: "old \(file.ident.rawValue)")
      device.bind(1, "/~/todo", needsIdent: false)
      device.ident(1, file)
      stage.run()
      let failure = try #require(device.take().compactMap(\.jsonError).first)
      #expect(failure.code == .badClientFileIdent)
      #expect(failure.details.action == .clientReset)
    }
  }

  @Test("a bad changeset is kept with a report, its author is told to reset, and others go on")
  func quarantine() throws {
    let folder = NSTemporaryDirectory() + "openrealm-quarantine-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let stage = try Stage()
    stage.server.hub.quarantine = FolderQuarantine(folder)
    let ann = try stage.user("ann")
    let (author, _) = try stage.session(ann.token, "/~/todo")
    let (other, _) = try stage.session(ann.token, "/~/todo", from: "tablet")
    author.upload(1, version: 2, bytes: PlainHistory.badBytes)
    other.upload(1, version: 2, bytes: SyncTests.bytes)
    stage.run()
    let failure = try #require(author.take().compactMap(\.jsonError).first)
    #expect(failure.code.rawValue == 212)
    #expect(failure.details.action == .clientReset)
    #expect(other.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(2))
    let place = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let report = try #require(FileManager.default.contents(atPath: folder + "/" + place + "/report.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: report) as? [String: Any])
    #expect(json["realm"] as? String == "/ann/todo")
    #expect(json["user"] as? String == "ann")
    #expect(json["code"] as? Int == 212)
    #expect(
      FileManager.default.contents(atPath: folder + "/" + place + "/2.changeset").map { [UInt8]($0) }
        == PlainHistory.badBytes)
    #expect(try stage.send("GET", "/metrics").text.contains("openrealm_changesets_quarantined_total 1"))
  }
}

extension ServerMessage {
  var jsonError: JSONErrorMessage? {
    if case .jsonError(let error) = self { return error }
    return nil
  }
}
