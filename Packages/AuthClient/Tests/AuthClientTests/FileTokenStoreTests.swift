import AuthClient
import Foundation
import Permissions
import Telemetry
import Testing

@Suite("the file of users")
struct FileTokenStoreTests {
  static let ann = AuthUser(
    id: "65a1", name: "ann", provider: "local-userpass", isAdministrator: false, accessToken: Redacted("a"),
    refreshToken: Redacted("r"))

  static func folder() -> String { NSTemporaryDirectory() + "openrealm-" + UUID().uuidString }

  @Test("users come back as they were saved, and only their owner can read the file")
  func roundTrip() throws {
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = FileTokenStore(path: folder + "/deep/users.json")
    #expect(try store.load() == [])
    try store.save([Self.ann])
    #expect(try store.load() == [Self.ann])
    let mode = try FileManager.default.attributesOfItem(atPath: store.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/deep") == ["users.json"])
  }

  @Test("a damaged file is named, with what to do")
  func damaged() throws {
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let store = FileTokenStore(path: folder + "/users.json")
    try Data("{\"users\":".utf8).write(to: URL(fileURLWithPath: store.path))
    do {
      _ = try store.load()
      Issue.record("a damaged file was accepted")
    } catch {
      #expect(error.code == .storage)
      #expect(error.description.contains("users.json"))
      #expect(error.description.contains("log in again"))
    }
  }

  @Test("a folder that cannot be written is an error, not a loss")
  func unwritable() {
    #expect(throws: AuthError.self) { try FileTokenStore(path: "/proc/nowhere/users.json").save([Self.ann]) }
  }

  @Test("secrets are not printed")
  func redacted() {
    #expect(!"\(Self.ann)".contains("\"r\""))
    #expect("\(Self.ann)".contains("<redacted>"))
  }
}
