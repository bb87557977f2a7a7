import ChangesetOT
import Foundation
@testable import ObjectServer
import Permissions
import ServerClusterTestSupport
import SyncProtocol
import Testing
import Transport

@Suite("idle realms")
struct IdleRealmTests {
  @Test("the files of a realm are closed while its sessions stay, and the next request opens them again")
  func closing() throws {
    let stage = try Stage { $0.realmIdleTimeout = .seconds(3) }
    let ann = try stage.user("ann")
    let (writer, _) = try stage.session(ann.token, "/~/todo")
    let (reader, _) = try stage.session(ann.token, "/~/todo", from: "tablet")
    let history = try stage.plain.history("/ann/todo")
    #expect(history.content.withLock { $0.isOpen })
    stage.run(.seconds(5))
    #expect(history.content.withLock { !$0.isOpen && $0.openings == 1 })
    #expect(writer.take().isEmpty)
    #expect(reader.take().isEmpty)
    #expect(writer.closure == nil)
    #expect(reader.closure == nil)
    writer.upload(1, version: 2, bytes: SyncTests.bytes)
    stage.run()
    #expect(writer.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(2))
    #expect(reader.take().compactMap(\.download).flatMap(\.entries).count == 1)
    #expect(history.content.withLock { $0.isOpen && $0.openings == 2 })
    #expect(try stage.send("GET", "/metrics").text.contains("openrealm_open_realms 1"))
    stage.run(.seconds(5))
    #expect(try stage.send("GET", "/metrics").text.contains("openrealm_open_realms 0"))
  }

  @Test("a realm with requests stays open")
  func work() throws {
    let stage = try Stage { $0.realmIdleTimeout = .seconds(3) }
    let ann = try stage.user("ann")
    let (writer, _) = try stage.session(ann.token, "/~/todo")
    for version in 2...8 {
      writer.upload(1, version: UInt64(version), bytes: SyncTests.bytes)
      stage.run(.seconds(2))
    }
    #expect(try stage.plain.history("/ann/todo").content.withLock { $0.isOpen && $0.openings == 1 })
  }

  @Test("a realm with unfinished work stays open, with and without its session")
  func busy() throws {
    let stage = try Stage { $0.realmIdleTimeout = .seconds(3) }
    let ann = try stage.user("ann")
    let (client, _) = try stage.session(ann.token, "/~/todo")
    let history = try stage.plain.history("/ann/todo")
    history.content.withLock { $0.isBusy = true }
    stage.run(.seconds(10))
    #expect(history.content.withLock { $0.isOpen })
    client.connection?.abort()
    stage.run(.seconds(10))
    #expect(history.content.withLock { $0.isOpen })
    history.content.withLock { $0.isBusy = false }
    stage.run(.seconds(10))
    #expect(history.content.withLock { !$0.isOpen })
    #expect(stage.server.hub.realms.isEmpty)
    #expect(stage.server.hub.idleRealms.isEmpty)
  }

  @Test("no more idle realms stay open than allowed, the latest ones")
  func limit() throws {
    let stage = try Stage { $0.maximumOpenRealms = 2 }
    let ann = try stage.user("ann")
    let paths = ["a", "b", "c", "d"]
    for path in paths { _ = try stage.session(ann.token, "/~/\(path)", from: path) }
    func open() throws -> [String] {
      try paths.filter { try stage.plain.history("/ann/\($0)").content.withLock(\.isOpen) }
    }
    #expect(try open() == ["c", "d"])
    let (_, _) = try stage.session(ann.token, "/~/a", from: "again")
    #expect(try open() == ["a", "d"])
  }

  @Test("a realm that is deleted while its files are being closed is gone, and its path is free")
  func deleteWhileClosing() throws {
    let folder = NSTemporaryDirectory() + "openrealm-idle-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let random = RandomSource(SystemRandomNumberGenerator())
    let histories = try TestStorage.histories(.folder(folder), random: random, isDurable: false)
    let stage = try Stage(histories: histories) { $0.realmIdleTimeout = .seconds(3) }
    let ann = try stage.user("ann")
    _ = try stage.session(ann.token, "/~/todo")
    let file = folder + "/named/ann.d/todo.realm"
    #expect(FileManager.default.fileExists(atPath: file + "-wal"))
    let hub = stage.server.hub
    let realm = try #require(hub.realms.values.first)
    #expect(realm.closeIfIdle())
    #expect(!realm.isOpen, "not closed yet")
    #expect(FileManager.default.fileExists(atPath: file + "-wal"), "not closed yet")
    let isClosed = Box<Bool>()
    realm.close { isClosed.value = true }
    #expect(isClosed.value == nil, "a second closing waits for the first")
    #expect(try stage.send("DELETE", OperationsTests.base + "?path=/ann/todo", bearer: ann.token).status == 204)
    #expect(isClosed.value == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/named/ann.d").isEmpty)
    let (again, _) = try stage.session(ann.token, "/~/todo", from: "laptop")
    #expect(again.closure == nil)
  }

  @Test("the files of a closed store are closed when close returns")
  func close() throws {
    let folder = NSTemporaryDirectory() + "openrealm-closing-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try Permissions.RealmPath("/ann/todo")
    let random = RandomSource(SystemRandomNumberGenerator())
    let store = try TestStorage.histories(.folder(folder), random: random, isDurable: false).open(path, isNew: true)
    let file = try store.allocateClientFile()
    store.close()
    #expect(!FileManager.default.fileExists(atPath: folder + "/named/ann.d/todo.realm-wal"))
    #expect(throws: ServerError.self) { try store.clientFile(file.ident) }
    let again = try TestStorage.histories(.folder(folder), random: random, isDurable: false).open(path, isNew: false)
    #expect(try again.clientFile(file.ident)?.salt == file.salt)
  }
}
