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

@Suite("watches of realms' commits")
struct RealmWatchTests {
  private static let names = Atomic<Int>(0)

  private let stage: Stage
  private let prefix: String
  private let wakes = Counted()

  init() throws {
    prefix = "watch \(Self.names.wrappingAdd(1, ordering: .relaxed).newValue) "
    var policy = RetentionPolicy()
    (policy.leastBytes, policy.interval) = (0, .zero)
    stage = try Stage(
      histories: TestStorage.histories(
        .memory(prefix: prefix), random: RandomSource(TestKit.SeededGenerator(seed: 1)), retention: policy))
  }

  /// Counts the calls of a handler.
  private final class Counted: Sendable {
    let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.wrappingAdd(1, ordering: .relaxed) }
  }

  private func watch(_ matches: @escaping @Sendable (Permissions.RealmPath) -> Bool = { _ in true }) -> RealmWatch {
    let watch = stage.server.watchCommits(matching: matches) { [wakes] in wakes.add() }
    stage.run()
    return watch
  }

  private func session(_ path: String) throws -> WireClient {
    try stage.session(try stage.user("ann").token, path, from: "phone " + path).0
  }

  private func history(_ path: String) throws -> ServerHistory {
    try #require(try stage.histories.history(of: Permissions.RealmPath(path)))
  }

  private static func changeset(_ table: String) -> [UInt8] {
    let instruction = Instruction.addTable(
      AddTable(table: table, primaryKey: PrimaryKeyColumn(field: "id", type: .int)))
    return Changeset(
      instructions: [instruction], origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
    ).encoded()
  }

  private func write(_ table: String, _ path: String) throws {
    let property = Property(name: "id", type: .int)
    let schema = Schema([ObjectSchema(className: table, primaryKey: "id", properties: [property])])
    try history(path).file.edit { try $0.addClasses(schema) }
  }

  @Test("uploads and writes of the server's own process wake, once until they are taken")
  func commits() throws {
    let phone = try session("/~/todo")
    let watch = watch()
    #expect(watch.take().map(\.description) == ["/ann/todo"], "a realm in use is told once")
    #expect(wakes.value == 1)
    for version in UInt64(2)...4 {
      phone.upload(1, version: version, bytes: Self.changeset("T\(version)"))
      stage.run()
    }
    #expect(wakes.value == 2)
    #expect(watch.take().map(\.description) == ["/ann/todo"])
    #expect(watch.take().isEmpty)
    try write("Own", "/ann/todo")
    #expect(wakes.value == 2, "the loop had no turn yet")
    stage.run()
    #expect(wakes.value == 3)
    #expect(watch.take().map(\.description) == ["/ann/todo"])
  }

  @Test("commits that append nothing to the history do not wake")
  func otherCommits() throws {
    let phone = try session("/~/todo")
    let watch = watch()
    phone.upload(1, version: 2, bytes: Self.changeset("T"))
    stage.run()
    _ = watch.take()
    let known = wakes.value
    let history = try history("/ann/todo")
    try history.addFeedCursor("a")
    stage.run()
    #expect(wakes.value == known)
  }

  @Test("only matching realms wake, and each is asked for once")
  func matching() throws {
    let asked = Counted()
    let watch = watch { path in
      asked.add()
      return path.description == "/ann/b"
    }
    let phones = try ["/~/a", "/~/b"].map(session)
    for version in UInt64(2)...3 {
      for phone in phones { phone.upload(1, version: version, bytes: Self.changeset("T\(version)")) }
      stage.run()
    }
    #expect(watch.take().map(\.description) == ["/ann/b"])
    #expect(asked.value == 2)
  }

  @Test("without watches nothing is observed, also after the last one is cancelled")
  func cost() throws {
    let phone = try session("/~/todo")
    let realm = try #require(stage.server.hub.realms.values.first)
    #expect(realm.commitObservation == nil)
    let watch = watch()
    #expect(realm.commitObservation != nil)
    watch.cancel()
    stage.run()
    #expect(realm.commitObservation == nil)
    let known = wakes.value
    phone.upload(1, version: 2, bytes: Self.changeset("T"))
    stage.run()
    #expect(wakes.value == known)
    #expect(watch.take().isEmpty)
  }

  @Test("a realm whose files were closed is told when they are opened")
  func reopening() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let random = RandomSource(TestKit.SeededGenerator(seed: 1))
    let stage = try Stage(histories: TestStorage.histories(.folder(folder), random: random)) {
      $0.realmIdleTimeout = .seconds(3)
    }
    let phone = try stage.session(try stage.user("ann").token, "/~/todo").0
    let watch = stage.server.watchCommits(matching: { _ in true }) { [wakes] in wakes.add() }
    stage.run(.seconds(5))
    #expect(watch.take().count == 1)
    let realm = try #require(stage.server.hub.realms.values.first)
    #expect(!realm.isOpen)
    #expect(realm.commitObservation == nil)
    phone.mark(1, 1)
    phone.upload(1, version: 2, bytes: Self.changeset("T"))
    stage.run()
    #expect(watch.take().map(\.description) == ["/ann/todo"])
  }

  @Test("trimming keeps what a cursor holds, and the metrics tell of the cursors")
  func cursors() throws {
    let phone = try session("/~/todo")
    let history = try history("/ann/todo")
    try history.addFeedCursor("all")
    try history.addFeedCursor("few", budget: FeedBudget(bytes: 1))
    for version in UInt64(2)...3 {
      phone.upload(1, version: version, base: version - 2, bytes: Self.changeset("T\(version)"))
      stage.run()
    }
    #expect(try history.state().base == .zero)
    var text = try stage.send("GET", "/metrics").text
    #expect(text.contains("openrealm_feed_cursors 2"))
    #expect(text.contains("openrealm_feed_cursors_behind 1"))
    let bytes = Self.changeset("T2").count + Self.changeset("T3").count
    #expect(text.contains("openrealm_feed_history_bytes \(bytes)"))
    try history.advanceFeedCursor("all", to: history.state().current)
    phone.upload(1, version: 4, base: 2, bytes: Self.changeset("T4"))
    stage.run()
    #expect(try history.state().base >= ServerVersion(1))
    text = try stage.send("GET", "/metrics").text
    #expect(text.contains("openrealm_feed_history_bytes \(Self.changeset("T4").count)"))
  }
}
