import CommandLineKit
import Foundation
import RealmSwift
import Testing
import TodoCore
import Transport
@testable import TodoRealm

@Suite("The data folder")
struct StateFolderTests {
  private func withFolder(_ body: (StateFolder) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("todo-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(StateFolder(BackendOptions(data: path)))
  }

  @Test("that a reading command is told and that does not exist is not made")
  func mistyped() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("todo-\(UUID().uuidString)").path
    #expect(throws: CommandFailure.self) { try RealmBackend(BackendOptions(data: path, isReading: true)) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("of release 0.1 keeps its users logged in")
  func earlierUsers() throws {
    try withFolder { folder in
      let server = try NetworkURL("http://localhost:9080")
      let ann = AuthUser(
        id: UserId("0123"), name: "ann", provider: "local-userpass", isAdministrator: false, accessToken: nil,
        refreshToken: .init("r"))
      try FileTokenStore(path: folder.path + "/users-localhost_3a9080.json").save([ann])
      SyncManager.shared.rootDirectory = try folder.syncFolder(of: server)
      let account = Account.known("ann", at: server)
      #expect(account?.text == "ann@localhost:9080")
      #expect(account?.id == "0123")
      #expect(account?.listsPath == "/0123/todo/ann")
      #expect(Account.known("ben", at: server)?.id == nil)
    }
  }

  @Test("has a file for each realm of each user of each server")
  func realms() throws {
    try withFolder { folder in
      let server = try NetworkURL("http://localhost:9080")
      let file = try folder.realm(server: server, user: "0123", path: "/0123/todo/ann")
      #expect(file.path == folder.path + "/realms/localhost_3a9080/0123/_2f0123_2ftodo_2fann.realm")
      let local = try folder.localRealm()
      #expect(local.path == folder.path + "/realms/local.realm")
      #expect(!folder.hasLocalRealm)
    }
  }

  @Test("keeps settings, and changes one at a time")
  func settings() throws {
    try withFolder { folder in
      try TodoSettings.change(folder) { $0.user = "ann" }
      try TodoSettings.change(folder) { $0.isOffline = true }
      let settings = try TodoSettings.load(folder)
      #expect(settings == TodoSettings(user: "ann", isOffline: true))
    }
  }
}
