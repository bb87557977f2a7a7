import ChangesetOT
import DataModel
import Permissions
import PermissionsTestSupport
import Testing

@testable import ObjectStore
@testable import RecordStore

/// RUNS counts random worlds.
@Suite("Permissions stored in a realm")
struct PermissionReaderTests {
  @Test("a table that is read from a file says what was written")
  func roundTrip() throws {
    let environment = FuzzEnvironment(runs: 60)
    var maker = WorldMaker(random: environment.generator)
    for run in 0..<environment.runs {
      let world = maker.world()
      let table = try StoredWorld(world).file.contents().permissions.table()
      let expected = world.table
      let seed = "SEED=\(environment.seed) run \(run)"
      #expect(table.facts == expected.facts, "\(seed)")
      for user in world.users {
        let own = try StoredWorld(world).file.contents().permissions.table(of: UserId(user))
        #expect(own.roleNames(of: UserId(user)) == expected.roleNames(of: UserId(user)), "\(seed) \(user)")
      }
    }
  }

  @Test("a table that follows changesets is the one that is read afresh")
  func following() throws {
    let environment = FuzzEnvironment(runs: 20)
    var maker = WorldMaker(random: environment.generator)
    for run in 0..<environment.runs {
      let file = try memoryFile(recordsChangesets: true)
      let stored = try StoredWorld(maker.world(), file: file)
      var table = try file.contents().permissions.table()
      for step in 0..<12 {
        let before = try ClientHistory(file).newestVersion()
        try edit(stored, &maker)
        let touches = try file.touches(after: before)
        let reader = try file.contents().permissions
        table.apply(try reader.changes(after: touches, to: table))
        #expect(table.facts == (try reader.table()).facts, "SEED=\(environment.seed) run \(run) step \(step)")
      }
    }
  }

  /// One change by an application: of a fact, of an entry, or the erasure of an object, here or by a peer.
  private func edit(_ stored: StoredWorld, _ maker: inout WorldMaker) throws {
    let entries =
      try stored.file.dump().objects["__Permission"]?.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) } ?? []
    let erased = ObjectReference(
      className: maker.pick(["__Role", "__User", "__Class"]),
      key: .string(maker.pick(WorldMaker.roles + WorldMaker.users + WorldMaker.classes)))
    switch Int(maker.random.next() >> 33) % 6 {
    case 0 where !entries.isEmpty:
      let entry = ObjectReference(className: "__Permission", key: maker.pick(entries))
      try stored.file.edit { try $0.set(["canRead": .value(.bool(maker.once(in: 2)))], of: entry) }
    case 1 where !entries.isEmpty:
      try stored.file.edit { _ = try $0.erase(ObjectReference(className: "__Permission", key: maker.pick(entries))) }
    case 2 where !entries.isEmpty:
      try stored.file.commit([
        .eraseObject(EraseObject(object: ObjectReference(className: "__Permission", key: maker.pick(entries))))
      ])
    case 3: try stored.file.commit([.eraseObject(EraseObject(object: erased))])
    case 4: try stored.file.edit { _ = try $0.erase(erased) }
    default: try stored.file.edit { try $0.apply([maker.change(), maker.change()]) }
    }
  }

  @Test("an object's list is that of every property that is a list of permissions, and missing without one")
  func objectLists() throws {
    let stored = try StoredWorld(World(users: ["ann"]))
    let read: Set<Right> = [.read]
    let dog = try stored.store([Line(role: "everyone", rights: read), Line(role: "editors", rights: [])], id: 1)
    let plain = try stored.store(nil, id: 2)
    let empty = try stored.store([], id: 3)
    let reader = try stored.file.contents().permissions
    #expect(try reader.list(of: dog) == [PermissionEntry("everyone", .read), PermissionEntry("editors", [])])
    #expect(try reader.list(of: plain) == .missing)
    #expect(try reader.list(of: empty) == .empty)
    #expect(try reader.list(of: ObjectReference(className: "Dog", key: .int(9))) == .missing)
  }

  @Test("an object with two lists has the entries of both, and an embedded object has no list")
  func severalLists() throws {
    func lists(_ names: String...) -> [Property] {
      names.map { Property(name: $0, type: .object, collection: .list, objectClassName: "__Permission") }
    }
    let stored = try StoredWorld(World(users: []))
    let cat = ObjectReference(className: "Cat", key: .int(1))
    try stored.file.edit { editor in
      let id = Property(name: "id", type: .int)
      let part = Property(name: "part", type: .object, objectClassName: "Part", isOptional: true)
      try editor.addClasses(
        Schema([
          ObjectSchema(className: "Cat", primaryKey: "id", properties: [id, part] + lists("one", "two")),
          ObjectSchema(className: "Part", kind: .embedded, properties: lists("three")),
        ]))
      try editor.create(cat)
      for (name, right) in [("one", Right.read), ("two", .update)] {
        let entry = try StoredWorld.permission(Line(role: name, rights: [right]), editor)
        try editor.set([name: .list([.value(.link(entry))])], of: cat)
      }
    }
    let contents = try stored.file.contents()
    #expect(try contents.permissions.list(of: cat) == [PermissionEntry("one", .read), PermissionEntry("two", .update)])
    #expect(contents.readView.catalog["Part"]?.accessLists.isEmpty == true)
  }

  @Test("a permission without a role, and one that a peer erased, are no entries")
  func noEntries() throws {
    let stored = try StoredWorld(World(users: []))
    let dog = try stored.store([Line(role: "a", rights: [.read]), Line(role: "b", rights: [.read])], id: 1)
    let entries = try stored.file.contents().object(dog)?.fields["acl"]
    guard case .list(let links)? = entries, case .value(.link(let first))? = links.first,
      case .value(.link(let second))? = links.last
    else { return #expect(Bool(false), "the entries are links") }
    try stored.file.edit { try $0.set(["role": .value(.null)], of: first) }
    #expect(try stored.file.contents().permissions.list(of: dog) == [PermissionEntry("b", .read)])
    try stored.file.commit([.eraseObject(EraseObject(object: second))])
    #expect(try stored.file.contents().permissions.list(of: dog) == .empty)
  }

  @Test("a permission's uses are the lists that it is an entry of")
  func uses() throws {
    let stored = try StoredWorld(World(users: []))
    let dog = ObjectReference(className: "Dog", key: .int(1))
    let entry = try stored.file.edit { editor in
      let entry = try StoredWorld.permission(Line(role: "a", rights: [.read]), editor)
      let link = StateDump.Item.list([.value(.link(entry))])
      for object in [
        ObjectReference(className: "__Realm", key: .int(0)), ObjectReference(className: "__Class", key: .string("Dog")),
        dog,
      ] {
        try editor.create(object)
        try editor.set([object == dog ? "acl" : "permissions": link], of: object)
      }
      return entry
    }
    let uses = try stored.file.contents().permissions.uses(of: entry.key, isNew: { $0 == dog })
    let list: AccessList = [PermissionEntry("a", .read)]
    #expect(Set(uses) == [.realm, .class("Dog"), .object(ObjectFacts("Dog", list: list, isNew: true))])
  }

  @Test("lists of another type than they should have deny everybody")
  func misdeclared() throws {
    let file = try memoryFile()
    try file.edit { editor in
      try editor.addClasses(
        Schema([
          ObjectSchema(
            className: "__Realm", primaryKey: "id",
            properties: [Property(name: "id", type: .int), Property(name: "permissions", type: .string)])
        ]))
      try editor.create(ObjectReference(className: "__Realm", key: .int(0)))
    }
    #expect(try file.contents().permissions.realmList() == .empty)
    #expect(throws: RecordStoreError.self) { try file.edit { try $0.openPermissions() } }
  }
}

extension PermissionTable {
  /// Everything that a table says, with entries in the order of their text: their order has no meaning.
  var facts: [String] {
    func text(_ list: AccessList) -> String {
      list == .missing ? "missing" : "\(list.entries.map(\.description).sorted())"
    }
    return users.map { "user \($0)" }.sorted() + roles.map { "role \($0): \(members(of: $0)?.sorted() ?? [])" }
      + ["realm \(text(realmList))"] + classesWithList.map { "class \($0): \(text(list(ofClass: $0)))" }
  }
}

extension RealmFile {
  /// The facts that the changesets of a client's file touch after a version.
  func touches(after version: ClientVersion) throws -> PermissionTouches {
    var touches = PermissionTouches()
    let scan = try ClientHistory(self).uploadableEntries(
      after: UploadCursor(client: version, server: .zero), byteLimit: .max)
    for entry in scan.entries {
      let origin = ChangesetOrigin(timestamp: entry.timestamp, file: .none)
      touches.add(try Changeset(decoding: entry.changeset, origin: origin))
    }
    return touches
  }
}
