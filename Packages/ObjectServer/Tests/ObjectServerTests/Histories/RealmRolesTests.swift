import ChangesetOT
import Foundation
import Permissions
import RecordStore
import SyncProtocol
import TestKit
import Testing

@testable import ObjectServer

@Suite("the roles that a server makes for its users")
struct RealmRolesTests {
  /// A realm that Ann has opened by queries.
  private struct Scene {
    let history: ServerHistory
    let roles: RealmRoles
    private let file: FileIdent
    private let set = QuerySet(version: QueryVersion(1), json: "{}")

    init() throws {
      var random = SeededGenerator(seed: 1)
      history = try ServerHistory(try RealmFile.open(.inMemory(name: "roles \(UUID())")), random: &random)
      file = try history.allocateClientFile(random: &random).ident
      roles = RealmRoles(history)
    }

    /// A scan of Ann.
    func scan() throws {
      let view = ViewRequest(held: set, wanted: set)
      let access = ViewAccess(user: "ann", followsLinks: true)
      try roles.prepare(
        for: DownloadScanRequest(file: file, from: .zero, byteBudget: 1_000, view: view, access: access))
      _ = try history.viewScan(for: file, from: .zero, view: view, access: access, byteLimit: 1 << 20)
    }

    func members() throws -> Set<UserId>? {
      try history.file.contents().permissions.members(of: .privateRole(of: "ann"))
    }
  }

  @Test("whoever joins a private role is out of it after the next scans of its user")
  func joined() throws {
    let scene = try Scene()
    for _ in 0..<3 {
      for _ in 0..<2 { try scene.scan() }
      #expect(try scene.members() == ["ann"])
      try scene.history.file.edit { try $0.apply([.addMember("mallory", to: .privateRole(of: "ann"))]) }
    }
  }

  @Test("a user whose objects somebody deleted gets them again while the server runs")
  func deleted() throws {
    let scene = try Scene()
    for _ in 0..<2 { try scene.scan() }
    try scene.history.file.edit { try $0.apply([.removeUser("ann"), .removeRole(.privateRole(of: "ann"))]) }
    for _ in 0..<2 { try scene.scan() }
    #expect(try scene.members() == ["ann"])
    #expect(try scene.history.file.contents().permissions.members(of: .everyone) == ["ann"])
  }

  @Test("scans without a change of permissions write nothing")
  func quiet() throws {
    let scene = try Scene()
    for _ in 0..<3 { try scene.scan() }
    #expect(scene.roles.takeConnected())
    for _ in 0..<3 { try scene.scan() }
    #expect(!scene.roles.takeConnected())
  }
}
