import Foundation
import ObjectStore
import Permissions
import TestKit
import Testing

@testable import SyncClient

/// A user who may only read.
@Suite(.serialized)
struct ReaderTests {
  private static func user(_ name: String, _ server: RealServer) async throws -> SyncUser {
    let manager = SyncManager(rootDirectory: server.folder.appendingPathComponent(name, isDirectory: true))
    manager.logLevel = .off
    return try await SyncUser.logIn(
      with: .usernamePassword(username: name, password: "secret 1", register: true), server: server.url,
      manager: manager)
  }

  private static func write(_ configuration: Realm.Configuration, _ edit: (Realm) -> Void) throws -> SyncSession {
    let realm = try Realm(configuration: configuration)
    try realm.write { edit(realm) }
    return try #require(realm.syncSession)
  }

  private static func read<Value>(_ configuration: Realm.Configuration, _ value: (SyncedItem) -> Value) throws
    -> [Value]
  {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    return realm.objects(SyncedItem.self).map(value)
  }

  @Test("writes of a reader are undone on the device and reported, and the session goes on without a reset")
  func refusal() async throws {
    let server = try await RealServer()
    let ann = try await Self.user("ann", server)
    let mine = OpeningTests.configuration(ann, server)
    let owner = try Self.write(mine) { $0.add(SyncedItem()) }
    try await owner.waitForUpload()
    let ben = try await Self.user("ben", server)
    let path = "/\(try #require(ann.identity))/todo"
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      ann.apply(SyncPermission(realmPath: path, username: "ben", accessLevel: .read)) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
    let heard = Box<[SyncError]>([])
    ben.manager.errorHandler = { error, _ in if let error = error as? SyncError { heard.change { $0.append(error) } } }
    var his = ben.configuration(realmURL: server.realm(path), fullSynchronization: true)
    his.objectTypes = [SyncedItem.self]
    let configuration = his
    let session = try Self.write(configuration) { _ in }
    try await session.waitForDownload()
    _ = try Self.write(configuration) { realm in
      let item = SyncedItem()
      item._id = 7
      realm.add(item)
    }
    try await eventually("the refusal") { !heard.value.isEmpty }
    let error = try #require(heard.value.first)
    #expect(error.code == .writeRejected)
    #expect(!error.isFatal)
    let info = try #require(error.compensatingWriteInfo)
    #expect(info.map(\.objectType) == ["SyncedItem"])
    #expect(info.map(\.primaryKey) == [.int(7)])
    #expect(
      info.first?.reason
        == "no permission to write to this realm, whose user has read, by a grant to the user; ask its owner for write access"
    )
    #expect(try Self.read(configuration) { $0._id } == [0])
    #expect(session.status.resets == 0)
    #expect(session.state == .active)
    // The session goes on: what the owner does next arrives.
    _ = try Self.write(mine) { $0.objects(SyncedItem.self).first?.title = "new" }
    try await owner.waitForUpload()
    try await session.waitForDownload()
    #expect(try Self.read(configuration) { $0.title } == ["new"])
    await server.stop()
  }
}
