import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import Foundation
@testable import ObjectServer
import Permissions
import ServerClusterTestSupport
import SyncProtocol
import Testing
import Transport

@Suite("clients of flexible sync")
struct FlexibleSyncTests {
  /// A server with files, which are removed at its end.
  private final class Scene {
    let folder = NSTemporaryDirectory() + "openrealm-flexible-" + UUID().uuidString
    let stage: Stage
    let ann: (id: UserId, token: String)
    /// A client of full sync in the same realm.
    private(set) var full = WireClient()
    private var fullVersion: UInt64 = 1

    init(
      retention: RetentionPolicy = RetentionPolicy(), _ configure: (inout ServerConfiguration) -> Void = { _ in }
    ) throws {
      let random = RandomSource(SystemRandomNumberGenerator())
      stage = try Stage(
        histories: TestStorage.histories(.folder(folder), random: random, isDurable: false, retention: retention),
        configure)
      ann = try stage.user("ann")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// People of the ages 1 to `count`, written by a client of full sync.
    func populate(_ count: Int64, path: String = "/default") throws {
      (full, _) = try stage.session(ann.token, path, from: "full")
      try write(FlexiblePeople.schema + (1...count).flatMap { FlexiblePeople.person($0, age: $0) })
    }

    /// Writes as the client of full sync.
    ///
    /// - Parameter runs: whether the server has time for it before the function returns.
    func write(_ instructions: [Instruction], runs: Bool = true) throws {
      fullVersion += 1
      let base = full.take().compactMap(\.download).last?.progress.download.server ?? .zero
      full.upload(1, version: fullVersion, base: base.rawValue, bytes: FlexibleSyncTests.bytes(instructions))
      if runs { stage.run() }
    }
  }

  private static func bytes(_ instructions: [Instruction]) -> [UInt8] {
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
    return Changeset(instructions: instructions, origin: origin).encoded()
  }

  private static func instructions(_ entry: DownloadEntry) throws -> [Instruction] {
    try Changeset(
      decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)
    ).instructions
  }

  private static func keys(_ range: ClosedRange<Int64>) -> Set<ObjectKey> { Set(range.map { .int($0) }) }

  @Test(
    "upload their schema, subscribe, are brought up, follow live changes, and change their query",
    arguments: [UInt16(8), 11, 14])
  func conversation(version: UInt16) throws {
    let scene = try Scene()
    let client = try FlexibleClient(scene.stage, scene.ann.token, version: version)
    #expect(client.wire.token == "com.mongodb.realm-query-sync#\(version)")
    #expect(client.bootstraps == 1)
    try client.write(FlexiblePeople.schema)
    #expect(client.progress.upload.client == ClientVersion(client.clientVersion - 1))
    try scene.populate(5)
    try client.subscribe(#"{"Person":"(age > 3)"}"#)
    #expect(client.active.version == QueryVersion(1))
    #expect(client.keys("Person") == Self.keys(4...5))
    #expect(client.values("Person", "name")[.int(4)] == .scalar(.string("person 4")))
    // Enter, leave, stay, be made, be made outside.
    try scene.write(
      [FlexiblePeople.setAge(1, 30), FlexiblePeople.setAge(4, 0), FlexiblePeople.setAge(5, 6)]
        + FlexiblePeople.person(6, age: 9))
    try scene.write(FlexiblePeople.person(7, age: 1))
    try client.settle()
    #expect(client.keys("Person") == [.int(1), .int(5), .int(6)])
    #expect(client.values("Person", "age")[.int(5)] == .scalar(.int(6)))
    #expect(client.values("Person", "name")[.int(1)] == .scalar(.string("person 1")))
    try client.subscribe(#"{"Person":"(age < 3) OR (name == \"person 6\")"}"#)
    #expect(client.keys("Person") == [.int(2), .int(4), .int(6), .int(7)])
    try client.subscribe("{}")
    #expect(client.keys("Person").isEmpty)
    #expect(client.failures.isEmpty)
  }

  @Test("get a query error with the place of the mistake, and go on with the set before")
  func refusedQuery() throws {
    let scene = try Scene()
    try scene.populate(5)
    let client = try FlexibleClient(scene.stage, scene.ann.token)
    try client.subscribe(#"{"Person":"(age > 3)"}"#)
    try client.subscribe(#"{"Person":"(age > 3) OR (size == 7)"}"#)
    let error = try #require(client.errors.first)
    #expect(error.query == QueryVersion(2))
    #expect(error.code == .badQuery)
    #expect(error.message.contains("Person"), "\(error.message)")
    #expect(error.message.contains("size"), "\(error.message)")
    #expect(client.active.version == QueryVersion(1))
    try scene.write([FlexiblePeople.setAge(1, 30)])
    try client.settle()
    #expect(client.keys("Person") == [.int(1), .int(4), .int(5)])
    try client.subscribe(#"{"Person":"(age == 30)"}"#)
    #expect(client.keys("Person") == [.int(1)])
    #expect(client.failures.isEmpty)
  }

  @Test("with a held set that does not fit a class go on without it, and a set that fits has its turn")
  func unfitIdent() throws {
    let scene = try Scene()
    try scene.populate(1)
    let client = try FlexibleClient(scene.stage, scene.ann.token)
    try client.subscribe(#"{"Person":"(age > 0)"}"#)
    client.wire.connection?.abort()
    try client.connect(claiming: QuerySet(version: QueryVersion(1), json: #"{"Person":"(size > 0)"}"#))
    #expect(client.failures.isEmpty)
    try client.subscribe(#"{"Person":"(age > 0)"}"#)
    #expect(client.failures.isEmpty)
    #expect(client.keys("Person") == [.int(1)])
  }

  @Test("are told of each object that is set back, of a hundred in a message", arguments: [99, 100, 250])
  func manyOutsideWrites(count: Int) throws {
    let scene = try Scene()
    try scene.populate(5)
    let client = try FlexibleClient(scene.stage, scene.ann.token)
    try client.subscribe(#"{"Person":"(age > 3)"}"#)
    try client.write((100..<Int64(100 + count)).flatMap { FlexiblePeople.person($0, age: 1) })
    #expect(client.keys("Person") == [.int(4), .int(5)])
    let told = client.failures.compactMap(\.details.compensation)
    #expect(told.map(\.rejections.count) == (count > 100 ? [100, 100, 50] : [count]))
    #expect(Set(told.map(\.serverVersion)).count == 1)
    let keys = try told.flatMap(\.rejections).map { try ObjectKey(encodedText: $0.primaryKey) }
    #expect(Set(keys) == Set((100..<Int64(100 + count)).map { ObjectKey.int($0) }))
  }

  @Test("have writes outside of their queries undone, and are told with 231; the rest of the upload is integrated")
  func outsideWrites() throws {
    let scene = try Scene()
    try scene.populate(5)
    let client = try FlexibleClient(scene.stage, scene.ann.token)
    try client.subscribe(#"{"Person":"(age > 3)"}"#)
    _ = scene.full.take()
    try client.write([FlexiblePeople.setAge(4, 44)] + FlexiblePeople.person(9, age: 1))
    #expect(client.keys("Person") == [.int(4), .int(5)])
    #expect(client.values("Person", "age")[.int(4)] == .scalar(.int(44)))
    let error = try #require(client.failures.first)
    #expect(client.failures.count == 1)
    #expect(error.code == .compensatingWrite)
    #expect(error.details.action == .warning)
    let compensation = try #require(error.details.compensation)
    #expect(compensation.rejections.map(\.className) == ["Person"])
    #expect(try compensation.rejections.map { try ObjectKey(encodedText: $0.primaryKey) } == [.int(9)])
    #expect(compensation.rejections.allSatisfy { $0.reason.contains("outside of the query view") })
    #expect(compensation.rejectedClientVersion.rawValue < client.clientVersion)
    #expect(try #require(compensation.serverVersion) <= client.progress.download.server)
    let others = try scene.full.take().compactMap(\.download).flatMap(\.entries).flatMap(Self.instructions)
    #expect(others == [FlexiblePeople.setAge(4, 44)])
    // An object may be moved out of the view, and goes.
    try client.write([FlexiblePeople.setAge(4, 1)])
    #expect(client.keys("Person") == [.int(5)])
    #expect(client.failures.count == 1)
  }

  @Test("are told again of a write that was undone, when the connection ended before they heard of it")
  func toldAgain() throws {
    let scene = try Scene()
    try scene.populate(5)
    let client = try FlexibleClient(scene.stage, scene.ann.token)
    try client.subscribe(#"{"Person":"(age > 3)"}"#)
    try client.write(FlexiblePeople.person(9, age: 1), settles: false)
    scene.stage.run()
    client.wire.connection?.abort()
    scene.stage.run()
    #expect(client.failures.isEmpty)
    try client.connect()
    #expect(client.failures.map(\.code) == [.compensatingWrite])
    #expect(client.keys("Person") == [.int(4), .int(5)])
    client.wire.connection?.abort()
    try client.connect()
    #expect(client.failures.count == 1)
  }

  @Test("are told of a write that was undone before another set is served, also when they asked for it right behind")
  func toldBeforeBootstrap() throws {
    let scene = try Scene()
    try scene.populate(5)
    let client = try FlexibleClient(scene.stage, scene.ann.token)
    try client.subscribe(#"{"Person":"(age > 3)"}"#)
    // The realm is busy when both arrive, so they wait together.
    try scene.write([FlexiblePeople.setAge(1, 11)], runs: false)
    try client.write(FlexiblePeople.person(9, age: 1), settles: false)
    try client.subscribe(#"{"Person":"(age > 4)"}"#)
    #expect(client.failures.map(\.code) == [.compensatingWrite])
    #expect(client.keys("Person") == [.int(1), .int(5)])
    #expect(client.bootstraps == 3)
    try scene.write([FlexiblePeople.setAge(5, 55)])
    try client.settle()
    #expect(client.values("Person", "age") == [.int(1): .scalar(.int(11)), .int(5): .scalar(.int(55))])
    #expect(client.failures.count == 1)
  }

  @Test("are not sent the classes of permissions, of which one has no primary key, nor access lists")
  func withoutPermissions() throws {
    let scene = try Scene()
    try scene.populate(5)
    let early = try FlexibleClient(scene.stage, scene.ann.token, host: "early")
    try early.subscribe(#"{"Person":"(age > 3)"}"#)
    let entry = Target(object: FlexiblePeople.reference(5), field: "access", path: [.index(0)])
    let permission = ObjectReference(className: "__Permission", key: .global(GlobalKey(high: 2, low: 1)))
    try scene.write([
      .addTable(AddTable(table: "__Permission", primaryKey: nil)),
      .addColumn(AddColumn(table: "__Permission", field: "canRead", type: .bool)),
      .addColumn(
        AddColumn(table: "Person", field: "access", type: .link, collection: .list, linkTarget: "__Permission")),
      .createObject(CreateObject(object: permission)),
      .arrayInsert(ArrayInsert(target: entry, payload: .link(permission), priorSize: 0)),
      FlexiblePeople.setAge(5, 55),
    ])
    try early.settle()
    let late = try FlexibleClient(scene.stage, scene.ann.token, host: "late")
    try late.subscribe(#"{"Person":"(age > 3)"}"#)
    for client in [early, late] {
      #expect(client.state.classes.keys.sorted() == ["Person"])
      #expect(client.values("Person", "age")[.int(5)] == .scalar(.int(55)))
      #expect(client.values("Person", "access").isEmpty)
    }
  }

  @Test("write under the set that they sent last, before they have it")
  func writeBehindQuery() throws {
    let scene = try Scene()
    try scene.populate(5)
    let client = try FlexibleClient(scene.stage, scene.ann.token)
    try client.subscribe(#"{"Person":"(age > 3)"}"#)
    client.send(QuerySet(version: QueryVersion(2), json: #"{"Person":"(age > 3) OR (age == 0)"}"#))
    try client.write(FlexiblePeople.person(9, age: 0))
    try client.mark()
    #expect(client.keys("Person") == [.int(4), .int(5), .int(9)])
    #expect(client.failures.isEmpty)
  }

  @Test(
    "that lose the connection in the middle of a bootstrap begin it anew, with nothing of its parts",
    arguments: [false, true])
  func interruptedBootstrap(isServerRestarted: Bool) throws {
    let scene = try Scene(retention: RetentionPolicy(bootstrapMessageBytes: 1))
    try scene.populate(8_000)
    let client = try FlexibleClient(scene.stage, scene.ann.token)
    let set = QuerySet(version: QueryVersion(1), json: #"{"Person":"(age > 3)"}"#)
    client.wire.send(.query(QueryChangeMessage(session: SessionIdent(1), query: set)))
    for _ in 0..<100 where !client.hasPart { try client.settle(.milliseconds(1)) }
    client.wire.connection?.abort()
    try #require(client.hasPart)
    try scene.write((Int64(4)...4_000).map { FlexiblePeople.erase($0) })
    if isServerRestarted { scene.stage.crashAndRestart() }
    try client.connect()
    #expect(client.suspensions == 1)
    #expect(client.keys("Person").isEmpty)
    try client.subscribe(set.json)
    #expect(client.keys("Person") == Self.keys(4_001...8_000))
    #expect(client.suspensions == 1)
    #expect(client.failures.isEmpty)
  }

  @Test("come back after a restart of the server with what they hold, and get what they missed")
  func restart() throws {
    let scene = try Scene()
    try scene.populate(5)
    let client = try FlexibleClient(scene.stage, scene.ann.token)
    try client.subscribe(#"{"Person":"(age > 3)"}"#)
    scene.stage.crashAndRestart()
    (_, _) = try scene.stage.session(scene.ann.token, "/default", from: "other")
    let other = try FlexibleClient(scene.stage, scene.ann.token, host: "second")
    try other.subscribe(#"{"Person":"(age < 3)"}"#)
    try other.write([FlexiblePeople.setAge(1, 40)])
    #expect(other.keys("Person") == [.int(2)])
    try client.connect()
    #expect(client.keys("Person") == [.int(1), .int(4), .int(5)])
    #expect(client.bootstraps == 2)
    #expect(client.failures.isEmpty)
  }

  @Test("open the realm of their app: /default, or the one that is chosen for its id, which comes into being by that")
  func apps() throws {
    let notes = try RealmPath("/notes")
    let scene = try Scene { $0.apps = ["notes-abcde": notes] }
    func write(_ app: String?, _ key: Int64) throws {
      let client = try FlexibleClient(scene.stage, scene.ann.token, app: app, host: app ?? "bare")
      try client.write(FlexiblePeople.schema)
      try client.subscribe(#"{"Person":"TRUEPREDICATE"}"#)
      try client.write(FlexiblePeople.person(key, age: 1))
    }
    try write("notes-abcde", 1)
    try write("todo-abcde", 2)
    try write(nil, 3)
    func keys(_ app: String) throws -> Set<ObjectKey> {
      let client = try FlexibleClient(scene.stage, scene.ann.token, app: app, host: "reader")
      try client.subscribe(#"{"Person":"TRUEPREDICATE"}"#)
      return client.keys("Person")
    }
    #expect(try keys("notes-abcde") == [.int(1)])
    #expect(try keys("else-where") == [.int(2), .int(3)])
  }

  @Test("may do in the realms of apps what the server's rules say")
  func access() throws {
    let own = try RealmPath("/ben/own")
    let scene = try Scene {
      $0.accounts.rules.appLevel = .none
      $0.apps = ["ben-abcde": own]
    }
    let ben = try scene.stage.user("ben")
    func failures(_ token: String, _ app: String) throws -> [Int] {
      let client = try scene.stage.connect(
        token, path: "/api/client/v2.0/app/\(app)/realm-sync", offers: SubprotocolOffer.tokens(for: .flexible),
        from: app + token.suffix(4))
      client.bind(1, "")
      scene.stage.run()
      return client.take().compactMap(\.failureCode)
    }
    #expect(try failures(scene.ann.token, "todo-abcde") == [206])
    // The folder of a user stays that user's.
    #expect(try failures(scene.ann.token, "ben-abcde") == [206])
    #expect(try failures(ben.token, "ben-abcde") == [])
  }
}
