import Foundation
@testable import ObjectStore
import Permissions
import TestKit
import Testing

@testable import RecordStore
@testable import SyncClient

/// Where a synced realm is on its device: in the client's folder, in a file of the application's choice, or in memory.
@Suite(.serialized)
struct PlaceTests {
  private func titles(_ configuration: Realm.Configuration) throws -> [String] {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    return realm.objects(SyncedItem.self).map(\.title)
  }

  @Test("of file, memory and sync the setting that came last counts, and a place may follow sync")
  func turns() async throws {
    let server = try await RealServer()
    let sync = OpeningTests.configuration(try await OpeningTests.user("one", server), server)
    let url = server.folder.appendingPathComponent("chosen.realm")
    var configuration = Realm.Configuration(fileURL: url)
    configuration.syncConfiguration = sync.syncConfiguration
    #expect(configuration.fileURL == nil)
    configuration.fileURL = url
    #expect(configuration.syncConfiguration != nil)
    #expect(configuration.location == .file(path: url.path))
    configuration.inMemoryIdentifier = "cache"
    #expect(configuration.fileURL == nil)
    #expect(configuration.syncConfiguration != nil)
    guard case .inMemory(let name) = configuration.location else {
      Issue.record("\(configuration.location)")
      return
    }
    #expect(name != "cache", "a local realm of that name is another one")
    configuration.syncConfiguration = sync.syncConfiguration
    #expect(configuration.inMemoryIdentifier == nil)
    #expect(configuration.location == sync.location)
    let whole = Realm.Configuration(fileURL: url, syncConfiguration: sync.syncConfiguration, schemaVersion: 2)
    #expect(whole.location == .file(path: url.path))
    #expect(whole.syncConfiguration != nil)
    #expect(Realm.Configuration(syncConfiguration: sync.syncConfiguration).location == sync.location)
    configuration.syncConfiguration = nil
    configuration.inMemoryIdentifier = "cache"
    #expect(configuration.location == .inMemory(name: "cache"))
    await server.stop()
  }

  @Test("a realm in memory and one in a chosen file are synced beside the ordinary one, each with a session of its own")
  func places() async throws {
    let server = try await RealServer()
    let user = try await OpeningTests.user("one", server)
    let ordinary = OpeningTests.configuration(user, server)
    var chosen = ordinary
    chosen.fileURL = server.folder.appendingPathComponent("chosen.realm")
    var memory = ordinary
    memory.inMemoryIdentifier = "cache"
    let realm = try Realm(configuration: ordinary)
    try realm.write { realm.create(SyncedItem.self, value: ["_id": 1, "title": "one"]) }
    let first = try #require(realm.syncSession)
    try await first.waitForUpload()
    let second = try #require(try Realm(configuration: chosen).syncSession)
    let third = try #require(try Realm(configuration: memory).syncSession)
    #expect(first !== second && second !== third && first !== third)
    try await second.waitForDownload()
    try await third.waitForDownload()
    #expect(try titles(chosen) == ["one"])
    #expect(try titles(memory) == ["one"])
    let live = try Realm(configuration: memory)
    try live.write { live.create(SyncedItem.self, value: ["_id": 2, "title": "two"]) }
    try await third.waitForUpload()
    try await second.waitForDownload()
    #expect(try titles(chosen).sorted() == ["one", "two"])
    #expect(FileManager.default.fileExists(atPath: server.folder.appendingPathComponent("chosen.realm").path))
    await server.stop()
  }

  @Test("a user who lost access may have the local copy deleted; without that it stays with all its changes")
  func deletion() async throws {
    let server = try await RealServer()
    let ann = try await OpeningTests.user("one", server)
    let mine = OpeningTests.configuration(ann, server)
    let owner = try #require(try Realm(configuration: mine).syncSession)
    try await owner.waitForUpload()
    let heard = Box<[SyncError]>([])
    let ben = try await OpeningTests.user("two", server, username: "ben")
    ben.manager.errorHandler = { error, _ in if let error = error as? SyncError { heard.change { $0.append(error) } } }
    var his = ben.configuration(
      realmURL: server.realm("/\(try #require(ann.identity))/todo"), fullSynchronization: true)
    his.objectTypes = [SyncedItem.self]
    let configuration = his
    guard case .file(let path) = configuration.location else { return }
    try Self.write(configuration)
    try await eventually("the refusal") { heard.value.contains { $0.code == .permissionDeniedError } }
    let error = try #require(heard.value.first { $0.code == .permissionDeniedError })
    #expect((error as NSError).domain == "io.realm.sync")
    #expect((error as NSError).code == SyncError.Code.permissionDeniedError.rawValue)
    let token = try #require(error.deleteRealmUserInfo())
    #expect((error as NSError).userInfo[kRLMSyncErrorActionTokenKey] as? SyncError.ActionToken === token)
    #expect(try titles(configuration) == ["unsent"])
    SyncSession.immediatelyHandleError(token)
    // Opened again before that, the realm would be the old one.
    try await eventually("the file is let go of") { !RealmFile.isOpen(.file(path: path)) }
    // A process that another test starts at this moment holds the file until it runs its program; then the next opening deletes it.
    try await eventually("the deletion") { try titles(configuration).isEmpty }
    #expect(!FileManager.default.fileExists(atPath: path + ".delete"))
    await server.stop()
  }

  private static func write(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(SyncedItem.self, value: ["_id": 5, "title": "unsent"]) }
  }
}
