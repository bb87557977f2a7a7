import ChangesetOT
import DataModel
import Permissions
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("why a user's devices hold an object")
struct ExplainingTests {
  /// A server with a private room of ann, whose message nobody subscribes to, and devices of users.
  private final class World {
    let server: ServerHistory
    private var random = SeededGenerator(seed: 7)
    private var sets: [FileIdent: (view: QuerySet, access: ViewAccess)] = [:]

    static let queries = #"{"Room":"TRUEPREDICATE"}"#

    init() throws {
      server = try ServerHistory(try memoryFile(), random: &random)
      let list = { (name: String, target: String) in
        Property(name: name, type: .object, collection: .list, objectClassName: target)
      }
      try server.file.edit { editor in
        try editor.addClasses(
          Schema([
            ObjectSchema(
              className: "Room", primaryKey: "name",
              properties: [
                Property(name: "name", type: .string), Property(name: "size", type: .int),
                list("messages", "Message"), list("permissions", "__Permission"),
              ]),
            ObjectSchema(className: "Message", primaryKey: "id", properties: [Property(name: "id", type: .int)]),
          ]))
        try editor.openPermissions()
        for user in ["ann", "bob", "carol"] { try editor.connect(UserId(user)) }
        try editor.create(Self.message)
        try editor.create(Self.room("secret"))
        try editor.set(
          ["messages": .list([.value(.link(Self.message))]), "size": .value(.int(3))], of: Self.room("secret"))
      }
      try grant("secret", to: ["ann", "bob"])
    }

    static let message = ObjectReference(className: "Message", key: .int(1))
    static func room(_ name: String) -> ObjectReference { ObjectReference(className: "Room", key: .string(name)) }

    /// Gives the private roles of some users read on a room, and takes it from all others.
    func grant(_ room: String, to users: [String]) throws {
      try server.file.edit { editor in
        var entries: [StateDump.Item] = []
        for user in users {
          let entry = ObjectReference(className: "__Permission", key: try editor.makeKey(for: "__Permission"))
          let role = ObjectReference(className: "__Role", key: .string(RoleName.privateRole(of: UserId(user)).rawValue))
          try editor.create(entry)
          try editor.set(["role": .value(.link(role)), "canRead": .value(.bool(true))], of: entry)
          entries.append(.value(.link(entry)))
        }
        try editor.set(["permissions": .list(entries)], of: Self.room(room))
      }
    }

    /// A device that has everything.
    func device(_ user: String, _ queries: String = World.queries, followsLinks: Bool = true) throws -> FileIdent {
      let ident = try server.allocateClientFile(random: &random).ident
      let set = QuerySet(version: QueryVersion(1), json: queries)
      sets[ident] = (set, ViewAccess(user: user, followsLinks: followsLinks))
      let scan = try server.viewScan(
        for: ident, from: .zero, view: ViewRequest(held: QuerySet(), wanted: set), access: sets[ident]?.access,
        byteLimit: .max)
      try acknowledge(scan.progress.download.server, by: ident)
      return ident
    }

    private var client: UInt64 = 1

    func acknowledge(_ version: ServerVersion, by ident: FileIdent) throws {
      client += 1
      let progress = UploadCursor(client: ClientVersion(client), server: version)
      let batch = UploadBatch(file: ident, progress: progress, lockedServerVersion: version, entries: [])
      guard case .integrated? = try server.integrate([batch]).first else {
        Issue.record("the progress of \(ident) was not taken")
        return
      }
    }

    var current: ServerVersion { get throws { try server.state().current.version } }

    func explain(
      _ user: String, _ className: String, _ key: String?, device: FileIdent? = nil, isOwn: Bool = false
    ) throws -> SyncExplanation {
      try server.explain(
        ViewQuestion(className: className, key: key, access: ViewAccess(user: user), device: device, isOwn: isOwn))
    }
  }

  private static func deciding(_ explanation: SyncExplanation) -> [String] {
    explanation.steps.filter(\.decides).map(\.text)
  }

  @Test("an object that one of several queries of a class includes is held by that query")
  func inclusion() throws {
    let world = try World()
    let including = "TRUEPREDICATE INCLUDE(@links.Room.messages)"
    _ = try world.device("bob", #"{"Message":["id == 1","\#(including)"]}"#)
    let explanation = try world.explain("bob", "Room", "secret")
    #expect(explanation.verdict == .held)
    #expect(Self.deciding(explanation).contains { $0.contains("INCLUDE") }, "\(Self.deciding(explanation))")
  }

  @Test("a message that nobody subscribes to is held by the room that links to it")
  func chain() throws {
    let world = try World()
    _ = try world.device("bob")
    let explanation = try world.explain("bob", "Message", "1")
    #expect(explanation.verdict == .held)
    #expect(explanation.sentence == "Message[1] is on 1 of 1 device of user 'bob'")
    #expect(
      Self.deciding(explanation) == [
        #"held because a link leads to it: Room["secret"].messages -> Message[1]; Room["secret"] is selected by TRUEPREDICATE"#
      ])
  }

  @Test("without links the same message is held by nothing")
  func flexible() throws {
    let world = try World()
    _ = try world.device("bob", followsLinks: false)
    let explanation = try world.explain("bob", "Message", "1")
    #expect(explanation.verdict == .notSelected)
    #expect(Self.deciding(explanation) == ["it does not subscribe to class 'Message'"])
  }

  @Test("a list that grants nothing decides, and an administrator hears of the roles that have it")
  func hidden() throws {
    let world = try World()
    _ = try world.device("carol")
    let explanation = try world.explain("carol", "Room", "secret")
    #expect(explanation.verdict == .notReadable)
    #expect(Self.deciding(explanation).count == 1)
    #expect(Self.deciding(explanation)[0].contains("[__User:ann, __User:bob]"))
    #expect(explanation.steps.contains { $0.text == "matched, and not readable for the user: TRUEPREDICATE" })
  }

  @Test("users who ask about themselves cannot tell a hidden object from one that does not exist")
  func own() throws {
    let world = try World()
    _ = try world.device("carol")
    var hidden = try world.explain("carol", "Room", "secret", isOwn: true)
    let absent = try world.explain("carol", "Room", "nowhere", isOwn: true)
    #expect(hidden.verdict == .absent)
    hidden.sentence = hidden.sentence.replacing("secret", with: "nowhere")
    #expect(hidden == absent)
    #expect(!"\(hidden)".contains("ann"))
  }

  @Test("a change by others that a device did not acknowledge is on its way, with both versions")
  func lag() throws {
    let world = try World()
    let ident = try world.device("bob")
    let seen = try world.current
    try world.server.file.edit { try $0.set(["size": .value(.int(4))], of: World.room("secret")) }
    let late = try world.explain("bob", "Room", "secret")
    #expect(late.verdict == .notYetDownloaded)
    #expect(
      Self.deciding(late).last
        == "not yet downloaded: the device acknowledged version \(seen.rawValue), the object changed at "
        + "\(try world.current.rawValue)")
    try world.acknowledge(world.current, by: ident)
    #expect(try world.explain("bob", "Room", "secret").verdict == .held)
  }

  @Test("a link or a role that came since what a device acknowledged is on its way")
  func lagOfOthers() throws {
    let world = try World()
    let ident = try world.device("bob")
    try world.server.file.edit { try $0.set(["size": .value(.int(4))], of: World.room("secret")) }
    #expect(try world.explain("bob", "Message", "1").verdict == .notYetDownloaded)
    try world.acknowledge(world.current, by: ident)
    #expect(try world.explain("bob", "Message", "1").verdict == .held)
    try world.server.file.edit { try $0.connect(UserId("dora")) }
    let answer = try world.explain("bob", "Message", "1")
    #expect(answer.verdict == .notYetDownloaded)
    #expect(answer.steps.last?.text.contains("the permissions of the realm changed") == true)
  }

  @Test("one device is looked at when it is named, and no device of somebody else")
  func oneDevice() throws {
    let world = try World()
    let (first, second) = (try world.device("bob"), try world.device("bob", #"{"Message":"FALSEPREDICATE"}"#))
    #expect(try world.explain("bob", "Room", "secret").sentence.hasSuffix("on 1 of 2 devices of user 'bob'"))
    #expect(try world.explain("bob", "Room", "secret", device: first).verdict == .held)
    #expect(try world.explain("bob", "Room", "secret", device: second).verdict == .notSelected)
    #expect(try world.explain("ann", "Room", "secret", device: first).verdict == .noDevice)
  }

  @Test("queries that would tell about objects that the user may not read are named with the reason")
  func forbidden() throws {
    let world = try World()
    _ = try world.device("bob", #"{"Room":"ANY messages.id > 0"}"#)
    #expect(try world.explain("bob", "Room", "secret").verdict == .held)
    try world.server.file.edit { editor in
      let list = ObjectReference(className: PermissionClass.class.rawValue, key: .string("Message"))
      try editor.set(["permissions": .list([])], of: list)
    }
    let answer = try world.explain("bob", "Room", "secret")
    #expect(answer.verdict == .notSelected)
    #expect(
      Self.deciding(answer).first
        == "its queries for class 'Room' select nothing: read is not granted on class 'Message'")
  }

  @Test("LIMIT and DISTINCT are named when they cut an object off")
  func limit() throws {
    let world = try World()
    try world.server.file.edit { editor in
      try editor.create(World.room("another"))
      try editor.set(["size": .value(.int(9))], of: World.room("another"))
    }
    try world.grant("another", to: ["bob"])
    _ = try world.device("bob", #"{"Room":"TRUEPREDICATE SORT(size DESC) LIMIT(1)"}"#)
    let explanation = try world.explain("bob", "Room", "secret")
    #expect(explanation.verdict == .cutOff)
    #expect(explanation.steps.contains { $0.decides && $0.text.contains("LIMIT(1)") })
    #expect(try world.explain("bob", "Room", "another").verdict == .held)
  }

  @Test("subscriptions that do not match are named with their texts")
  func differs() throws {
    let world = try World()
    _ = try world.device("bob", #"{"Room":["size > 5","name == 'x'"]}"#)
    let explanation = try world.explain("bob", "Room", "secret")
    #expect(explanation.verdict == .notSelected)
    #expect(
      Self.deciding(explanation) == [
        "not matched by size > 5", #"not matched by name == "x""#,
        "nothing that the device is to hold links to the object",
      ])
  }

  @Test("an object of no class, of no device and of a wrong key are told apart")
  func others() throws {
    let world = try World()
    #expect(try world.explain("bob", "Cat", "1").verdict == .absent)
    #expect(try world.explain("bob", "Message", "2").verdict == .absent)
    #expect(try world.explain("bob", "Message", "1").verdict == .noDevice)
    #expect(throws: ViewQuestionError.self) { try world.explain("bob", "Message", "one") }
    #expect(try world.explain("bob", "Message", nil).verdict == .absent)
  }
}
