import ChangesetOT
import DataModel
import Foundation
@testable import ObjectServer
import Permissions
import RecordStore
import ServerClusterTestSupport
import Synchronization
import TestKit
import Testing

@Suite("holds of realms' files")
struct RealmHoldTests {
  private static let names = Atomic<Int>(0)

  private let stage: Stage
  private let path: Permissions.RealmPath

  init() throws {
    path = try Permissions.RealmPath("/ann/todo")
    let prefix = "hold \(Self.names.wrappingAdd(1, ordering: .relaxed).newValue) "
    stage = try Stage(
      histories: TestStorage.histories(
        .memory(prefix: prefix), random: RandomSource(TestKit.SeededGenerator(seed: 1))))
  }

  private func phone() throws -> WireClient {
    try stage.session(try stage.user("ann").token, "/~/todo", from: "phone").0
  }

  private func hold() async throws -> RealmHold? {
    let (server, path) = (stage.server, path)
    return try await stage.drive { try await server.hold(path) }
  }

  private static let schema = Schema([
    ObjectSchema(className: "Task", primaryKey: "id", properties: [Property(name: "id", type: .int)])
  ])

  @Test("there is none for a path without a realm, unless it is to be made")
  func missing() async throws {
    #expect(try await hold() == nil)
    let (server, path) = (stage.server, path)
    let made = try await stage.drive { try await server.hold(path, creator: UserId("ann")) }
    #expect(made?.path == path)
    #expect(try await hold() != nil)
    #expect(try await stage.drive { try await server.realmPaths() } == [path])
  }

  @Test("sessions and watches are told of what a consumer writes")
  func writing() async throws {
    let phone = try phone()
    _ = phone.take()
    let watch = stage.server.watchCommits(matching: { _ in true }) {}
    stage.run()
    _ = watch.take()
    let hold = try #require(try await hold())
    try await stage.drive {
      try await hold.write { try $0.file.edit { try $0.addClasses(Self.schema) } }
    }
    stage.run()
    #expect(phone.take().compactMap(\.download).flatMap(\.entries).count == 1)
    #expect(watch.take() == [path])
  }

  @Test("a realm is deleted once nobody holds its files")
  func deletion() async throws {
    _ = try phone()
    var hold = try await hold()
    #expect(hold != nil)
    let outcome = Box<Result<Void, ServerError>>()
    stage.server.hub.deleteRealm(path) { outcome.value = $0 }
    stage.run(.seconds(1))
    #expect(outcome.value == nil)
    hold = nil
    stage.run(.seconds(1))
    #expect(throws: Never.self) { try #require(outcome.value).get() }
  }

  @Test("consumers are asked for the files that are wanted, and their watches wake when they may come again")
  func request() async throws {
    _ = try phone()
    let watch = stage.server.watchCommits(matching: { _ in true }) {}
    var hold = try await hold()
    #expect(hold?.isWanted == false)
    let archive = try Permissions.RealmPath("/ann/archive")
    stage.server.hub.renameRealm(path, to: archive) { _ in }
    stage.run(.seconds(1))
    #expect(hold?.isWanted == true)
    _ = watch.take()
    hold = nil
    stage.run(.seconds(1))
    #expect(watch.take() == [archive, path])
    #expect(stage.server.hub.holds.isEmpty)
  }

  /// Calls `body` with a stage whose realms are files.
  private func onDisk(
    placement: (any RealmPlacement)? = nil, _ body: (Stage) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "openrealm-hold-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let random = RandomSource(TestKit.SeededGenerator(seed: 1))
    let histories = try TestStorage.histories(.folder(folder), random: random, isDurable: false)
    try await body(Stage(histories: histories, placement: placement) { $0.realmIdleTimeout = .seconds(3) })
  }

  @Test("an old name of a realm is deleted alone, and what is no realm is said to be none")
  func oldName() async throws {
    try await onDisk { stage in
      _ = try stage.session(try stage.user("ann").token, "/~/todo", from: "phone").0
      let (hub, archive) = (stage.server.hub, try Permissions.RealmPath("/ann/archive"))
      func result(_ start: (@escaping SyncHub.Completion) -> Void) throws -> Result<Void, ServerError> {
        let outcome = Box<Result<Void, ServerError>>()
        start { outcome.value = $0 }
        stage.run(.seconds(1))
        return try #require(outcome.value)
      }
      #expect(throws: Never.self) { try result { hub.renameRealm(path, to: archive, then: $0) }.get() }
      #expect(throws: Never.self) { try result { hub.deleteRealm(path, then: $0) }.get() }
      #expect(throws: ServerError.self) { try result { hub.deleteRealm(path, then: $0) }.get() }
      #expect(try stage.directory.facts(of: archive).exists)
      // A request does so before; in a cluster the new path is in another shard.
      hub.place(archive, for: UserId("ann")) { _ in }
      stage.run(.seconds(1))
      #expect(throws: Never.self) { try result { hub.deleteRealm(archive, then: $0) }.get() }
      #expect(try !stage.directory.facts(of: archive).exists)
    }
  }

  @Test("sessions of a realm whose files were closed while it rested are told of what a consumer writes")
  func writingAtRest() async throws {
    try await onDisk { stage in
      let phone = try stage.session(try stage.user("ann").token, "/~/todo", from: "phone").0
      stage.run(.seconds(5))
      _ = phone.take()
      #expect(stage.server.hub.realms[path]?.isOpen == false)
      let (server, path) = (stage.server, path)
      let hold = try #require(try await stage.drive { try await server.hold(path) })
      try await stage.drive { try await hold.write { try $0.file.edit { try $0.addClasses(Self.schema) } } }
      stage.run()
      #expect(phone.take().compactMap(\.download).flatMap(\.entries).count == 1)
    }
  }

  @Test("in a cluster a realm that nobody has is taken for a consumer, and one that another node has is refused")
  func placed() async throws {
    let map = RealmMap(ofOthers: .nobody)
    try await onDisk(placement: TestPlacement("a", host: "server", map)) { stage in
      let missing = try await Self.isHeld(path, at: stage)
      #expect(!missing)
      #expect(map.acquisitions == 0, "there is no realm to take")
      let made = try await Self.isHeld(path, at: stage, creator: "ann")
      #expect(made)
      #expect(map[path] == .node("a"))
      map[path] = .nobody
      let taken = try await Self.isHeld(path, at: stage)
      #expect(taken)
      #expect(map[path] == .node("a"))
      map[path] = .node("b")
      await #expect(throws: ServerError.self) { try await Self.isHeld(path, at: stage) }
    }
  }

  private static func isHeld(
    _ path: Permissions.RealmPath, at stage: Stage, creator: UserId? = nil
  ) async throws -> Bool {
    let server = stage.server
    return try await stage.drive { try await server.hold(path, creator: creator) } != nil
  }

  @Test("the users of client files are forgotten with their realm")
  func authors() async throws {
    _ = try phone()
    #expect(!stage.server.hub.authors.users(of: path).isEmpty)
    stage.server.hub.deleteRealm(path) { _ in }
    stage.run(.seconds(1))
    #expect(stage.server.hub.authors.users(of: path).isEmpty)
  }

  @Test(
    "a consumer that keeps the files for too long is not deprived of them: the deletion fails, and the sessions go on")
  func patience() async throws {
    let phone = try phone()
    _ = phone.take()
    let hold = try await hold()
    let outcome = Box<Result<Void, ServerError>>()
    stage.server.hub.deleteRealm(path) { outcome.value = $0 }
    stage.run(.seconds(60))
    #expect(throws: ServerError.self) { try #require(outcome.value).get() }
    #expect(try stage.server.hub.directory.facts(of: path).exists)
    #expect(phone.take().isEmpty, "no session has ended")
    #expect(hold?.isWanted == false)
    try await stage.drive { try await hold?.write { try $0.file.edit { try $0.addClasses(Self.schema) } } }
    stage.run()
    #expect(phone.take().compactMap(\.download).flatMap(\.entries).count == 1)
  }
}
