import Foundation
import ObjectStore
import RecordStore
import Synchronization
import TestKit
import Testing

@testable import SyncClient

/// A server that is restored from a backup, over real sockets and disks, as an application meets it.
@Suite(.serialized)
struct ResetTests {
  private final class Heard: Sendable {
    struct State {
      var before: [Int] = []
      var after: [Int] = []
      var errors: [SyncError] = []
    }
    let state = Mutex(State())
    var errors: [SyncError] { state.withLock { $0.errors } }
  }

  private func keys(_ realm: Realm) -> [Int] { realm.objects(SyncedItem.self).map(\._id).sorted() }

  private func configuration(
    _ name: String, _ server: RealServer, register: Bool, _ mode: ClientResetMode, _ heard: Heard, key: [UInt8]? = nil,
    keepsBackup: Bool = false
  ) async throws -> Realm.Configuration {
    let manager = SyncManager(rootDirectory: server.folder.appendingPathComponent(name, isDirectory: true))
    manager.logLevel = .off
    manager.errorHandler = { error, _ in
      guard let error = error as? SyncError else { return }
      heard.state.withLock { $0.errors.append(error) }
    }
    let user = try await SyncUser.logIn(
      with: .usernamePassword(username: "ann", password: "secret 1", register: register), server: server.url,
      manager: manager)
    var configuration = user.configuration(
      realmURL: server.realm("/~/todo"), fullSynchronization: true, clientResetMode: mode,
      keepsBackupOfReset: keepsBackup)
    configuration.objectTypes = [SyncedItem.self]
    configuration.encryptionKey = key.map { Data($0) }
    return configuration
  }

  private func write(_ configuration: Realm.Configuration, _ key: Int, remove: Int? = nil) throws -> SyncSession {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    try realm.write {
      realm.create(SyncedItem.self, value: ["_id": key, "title": "item \(key)"])
      if let remove, let item = realm.object(ofType: SyncedItem.self, forPrimaryKey: remove) { realm.delete(item) }
    }
    return try #require(realm.syncSession)
  }

  private func keys(_ configuration: Realm.Configuration) throws -> [Int] {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    return keys(realm)
  }

  /// A server that was restored to where it knew item 1, beside a client that wrote 2, which was acknowledged, and 3.
  private func restored(
    _ server: RealServer, _ configuration: Realm.Configuration
  ) async throws -> SyncSession {
    let session = try write(configuration, 1)
    try await session.waitForUpload()
    try await server.backUp()
    _ = try write(configuration, 2)
    try await session.waitForUpload()
    session.suspend()
    _ = try write(configuration, 3)
    try await server.restore()
    return session
  }

  @Test("after a restoration acknowledged and unsent changes come back on both sides, in an open realm")
  func recover() async throws {
    let server = try await RealServer()
    let heard = Heard()
    let mode = ClientResetMode.recoverUnsyncedChanges(
      beforeReset: { before in
        heard.state.withLock { state in state.before = before.objects(SyncedItem.self).map(\._id).sorted() }
      },
      afterReset: { before, after in
        let keys = [before, after].map { $0.objects(SyncedItem.self).map(\._id).sorted() }
        heard.state.withLock { state in if keys[0] == state.before { state.after = keys[1] } }
      })
    let one = try await configuration("one", server, register: true, mode, heard)
    let session = try await restored(server, one)
    session.resume()
    try await session.waitForUpload()
    #expect(session.status.resets == 1)
    #expect(try keys(one) == [1, 2, 3])
    #expect(heard.state.withLock { $0.before } == [1, 2, 3])
    #expect(heard.state.withLock { $0.after } == [1, 2, 3])
    #expect(heard.errors.allSatisfy { $0.code != .clientResetError })
    let two = try await configuration("two", server, register: false, .manual(), Heard())
    let other = try #require(try Realm(configuration: two).syncSession)
    try await other.waitForDownload()
    #expect(try keys(two) == [1, 2, 3])
    session.close()
    other.close()
    await server.stop()
  }

  @Test("a discarding reset leaves the server's state, and a file that lists the lost changes")
  func discard() async throws {
    let server = try await RealServer()
    let heard = Heard()
    let one = try await configuration("one", server, register: true, .discardUnsyncedChanges(), heard)
    let session = try await restored(server, one)
    session.resume()
    try await eventually("the reset") { try keys(one) == [1] }
    try await eventually("its report") { heard.errors.contains { $0.lostChangesPath != nil } }
    let error = try #require(heard.errors.first { $0.lostChangesPath != nil })
    #expect(error.code == .clientResetError)
    #expect(!error.isFatal)
    let data = try Data(contentsOf: URL(fileURLWithPath: try #require(error.lostChangesPath)))
    let export = try JSONDecoder().decode(LostChangesExport.self, from: data)
    #expect(Set(export.changes.map(\.key)) == ["2", "3"])
    #expect(export.changes.allSatisfy { $0.className == "SyncedItem" && !$0.reason.isEmpty })
    session.close()
    await server.stop()
  }

  @Test("lost changes of an encrypted realm are written under its key, and nowhere in clear")
  func discardEncrypted() async throws {
    let server = try await RealServer()
    let heard = Heard()
    let key = [UInt8](repeating: 7, count: 64)
    let one = try await configuration("one", server, register: true, .discardUnsyncedChanges(), heard, key: key)
    let session = try await restored(server, one)
    session.resume()
    try await eventually("its report") { heard.errors.contains { $0.lostChangesPath != nil } }
    let path = try #require(heard.errors.compactMap(\.lostChangesPath).first)
    var keys: Set<String> = []
    let file = try RealmFile.open(.file(path: path), options: .init(createsIfMissing: false, encryptionKey: key))
    try file.contents().forEachObject(of: "LostChange") { change in
      guard case .value(.string(let key))? = change.fields["key"] else { return true }
      keys.insert(key)
      #expect(change.fields["className"] == .value(.string("SyncedItem")))
      return true
    }
    #expect(keys == ["2", "3"])
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let data = try Data(contentsOf: folder.appendingPathComponent(name))
      for text in ["SyncedItem", "item 2", "item 3"] { #expect(data.range(of: Data(text.utf8)) == nil, "\(name)") }
    }
    session.close()
    await server.stop()
  }

  @Test("in manual mode the file stays until the application agrees, and a backup keeps its state")
  func manual() async throws {
    let server = try await RealServer()
    let heard = Heard()
    let one = try await configuration("one", server, register: true, .manual(), heard)
    let session = try await restored(server, one)
    session.resume()
    try await eventually("the question") { heard.errors.contains { $0.clientResetInfo() != nil } }
    #expect(session.state == .invalid)
    #expect(try keys(one) == [1, 2, 3])
    let info = heard.errors.compactMap { $0.clientResetInfo() }.first
    let (path, token) = try #require(info)
    SyncSession.immediatelyHandleError(token)
    try await eventually("the reset") { try keys(one) == [1] }
    var backup = Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [SyncedItem.self])
    backup.recordsChangesets = false
    #expect(try keys(backup) == [1, 2, 3])
    session.close()
    await server.stop()
  }

  private func keys(ofBackup path: String, key: [UInt8]? = nil) throws -> [Int] {
    var backup = Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [SyncedItem.self])
    backup.encryptionKey = key.map { Data($0) }
    return try keys(backup)
  }

  @Test(
    "the blocks of a reset are called for an encrypted realm of a later schema version, and a copy is kept if asked")
  func blocksOfEncrypted() async throws {
    let server = try await RealServer()
    let heard = Heard()
    let key = [UInt8](repeating: 7, count: 64)
    let mode = ClientResetMode.discardUnsyncedChanges(
      beforeReset: { before in
        heard.state.withLock { state in state.before = before.objects(SyncedItem.self).map(\._id).sorted() }
      },
      afterReset: { _, after in
        heard.state.withLock { state in state.after = after.objects(SyncedItem.self).map(\._id).sorted() }
      })
    var one = try await configuration("one", server, register: true, mode, heard, key: key, keepsBackup: true)
    one.schemaVersion = 3
    let session = try await restored(server, one)
    session.resume()
    try await eventually("the blocks") { heard.state.withLock { $0.after } == [1] }
    #expect(heard.state.withLock { $0.before } == [1, 2, 3])
    try await eventually("the status") { session.status.backupPath != nil }
    #expect(try keys(ofBackup: try #require(session.status.backupPath), key: key) == [1, 2, 3])
    session.close()
    await server.stop()
  }

  @Test("a recovering reset keeps a copy where that is asked for, and none where not", arguments: [true, false])
  func backups(isAsked: Bool) async throws {
    let server = try await RealServer()
    let one = try await configuration(
      "one", server, register: true, .recoverUnsyncedChanges(), Heard(), keepsBackup: isAsked)
    let session = try await restored(server, one)
    session.resume()
    try await session.waitForUpload()
    #expect(session.status.resets == 1)
    #expect((session.status.backupPath != nil) == isAsked)
    if let path = session.status.backupPath { #expect(try keys(ofBackup: path) == [1, 2, 3]) }
    session.close()
    await server.stop()
  }

  @Test("a reset that the application left is made at the next launch, with the copy where it was told")
  func nextLaunch() async throws {
    let server = try await RealServer()
    let heard = Heard()
    let one = try await configuration("one", server, register: true, .manual(), heard)
    let session = try await restored(server, one)
    session.resume()
    try await eventually("the question") { heard.errors.contains { $0.clientResetInfo() != nil } }
    let told = try #require(heard.errors.compactMap { $0.clientResetInfo() }.first).0
    #expect(heard.errors.compactMap { $0.userInfo[kRLMSyncPathOfRealmBackupCopyKey] as? String } == [told])
    #expect(heard.errors.contains { $0.userInfo[kRLMSyncErrorActionTokenKey] is SyncError.ActionToken })
    // Within the same launch it is left again.
    session.resume()
    try await eventually("the second question") { heard.errors.count { $0.clientResetInfo() != nil } == 2 }
    #expect(try keys(one) == [1, 2, 3])
    session.close()
    // Another manager over the same folder is another launch.
    let later = Heard()
    let again = try await configuration("one", server, register: false, .manual(), later)
    let next = try #require(try Realm(configuration: again).syncSession)
    try await eventually("the reset") { try keys(again) == [1] }
    #expect(try keys(ofBackup: told) == [1, 2, 3])
    #expect(later.errors.allSatisfy { $0.clientResetInfo() == nil })
    next.close()
    await server.stop()
  }
}
