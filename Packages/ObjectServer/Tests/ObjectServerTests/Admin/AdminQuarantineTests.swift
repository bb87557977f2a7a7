import ByteCoding
import ChangesetOT
import DataModel
@testable import ObjectServer
import Permissions
import RecordStore
import SyncProtocol
import Telemetry
import Testing

@Suite("Uploads in quarantine", .serialized)
struct AdminQuarantineTests {
  private static let path = AdminObjectsTests.path

  /// Puts uploads of one device into quarantine, as the server does.
  private struct Device {
    let scene: AdminScene
    let file: FileIdent
    let base: ServerVersion
    var client: UInt64 = 1

    init(_ scene: AdminScene) async throws {
      self.scene = scene
      let hold = try #require(try await scene.server.hold(try Permissions.RealmPath(AdminQuarantineTests.path)))
      (file, base) = try await hold.perform { history in
        var random = SystemRandomNumberGenerator()
        let ident = try history.allocateClientFile(random: &random).ident
        return (ident, try history.state(claim: .zero).current.version)
      }
    }

    /// - Returns: the name of the upload.
    mutating func put(_ changeset: [UInt8], by user: String, isRepeated: Bool = false) throws -> String {
      if !isRepeated { client += 1 }
      let cursor = UploadCursor(client: ClientVersion(client), server: base)
      let upload = QuarantinedUpload(
        path: try Permissions.RealmPath(AdminQuarantineTests.path), user: UserId(user),
        time: WallTime(millisecondsSince1970: 1_700_000_000_000 + Int64(client)),
        failure: SessionFailure(.badChangeset, "it could not be read"),
        batch: UploadBatch(
          file: file, progress: cursor, lockedServerVersion: .zero,
          entries: [UploadEntry(cursor: cursor, timestamp: OriginTimestamp(unixMilliseconds: 5), changeset: changeset)])
      )
      let place = try FolderQuarantine(scene.folder + "/quarantine").put(upload)
      return String(place.split(separator: "/").last ?? "")
    }
  }

  private static func dog(_ key: Int64) -> [UInt8] {
    let dog = ObjectReference(className: "Dog", key: .int(key))
    return Changeset(
      instructions: [.createObject(CreateObject(object: dog))],
      origin: ChangesetOrigin(timestamp: OriginTimestamp(0), file: .none)
    ).encoded()
  }

  private static func names(_ scene: AdminScene) async throws -> [String] {
    try await scene.call("GET", "quarantine")["uploads"]?.elements?.compactMap { $0["name"]?.string } ?? []
  }

  @Test("an upload that is tried again is integrated once, within the rights of its author, or stays with the reason")
  func retry() async throws {
    try await AdminScene.run { scene in
      try AdminObjectsTests.makeRealm(in: scene)
      let ben = try await AdminStudioTests.logIn("ben", scene)
      var device = try await Device(scene)
      let good = try device.put(Self.dog(70), by: ben.id)
      #expect(try await Self.names(scene) == [good])
      let refused = try await scene.send("POST", "quarantine/\(good)/retry")
      #expect(refused.status == 403, "the author may not open the realm: \(refused.text)")
      func grant(_ access: String) async throws {
        _ = try await scene.call(
          "PUT", "permissions", body: #"{"path":"\#(Self.path)","userId":"\#(ben.id)","access":"\#(access)"}"#)
      }
      try await grant("read")
      #expect(try await scene.send("POST", "quarantine/\(good)/retry").status == 409)
      try await grant("write")
      #expect(try await scene.call("POST", "quarantine/\(good)/retry")["outcome"]?.string == "integrated")
      #expect(try await AdminObjectsTests.rows(scene, "&query=id%20%3D%3D%2070").count == 1)
      #expect(try await Self.names(scene).isEmpty)
      let again = try device.put(Self.dog(70), by: ben.id, isRepeated: true)
      #expect(try await scene.call("POST", "quarantine/\(again)/retry")["outcome"]?.string == "present")
      let bad = try device.put([0xFF, 0xFF], by: ben.id)
      let answer = try await scene.call("POST", "quarantine/\(bad)/retry")
      #expect(answer["outcome"]?.string == "refused")
      #expect(answer["reason"]?.string?.contains("changeset") == true)
      #expect(try await Self.names(scene) == [bad])
      let late = try device.put(Self.dog(72), by: ben.id)
      _ = try await scene.call("PATCH", "users/\(ben.id)", body: #"{"isDisabled":true}"#)
      #expect(try await scene.send("POST", "quarantine/\(late)/retry").status == 409, "the author is suspended")
      _ = try await scene.call("DELETE", "quarantine/\(late)")
      let orphan = try device.put(Self.dog(71), by: "nobody")
      #expect(try await scene.send("POST", "quarantine/\(orphan)/retry").status == 409)
      for name in ["..", "%2e%2e%2fkeys", "x"] {
        #expect(try await scene.send("POST", "quarantine/\(name)/retry").status == 404)
      }
      _ = try await scene.call("DELETE", "quarantine/\(bad)")
      #expect(try await Self.names(scene) == [orphan])
    }
  }
}
