import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import RecordStore
import Synchronization
import TestKit
import Testing

@testable import AdapterKit

private let names = Atomic<Int>(0)

func server() throws -> ServerHistory {
  let number = names.wrappingAdd(1, ordering: .relaxed).newValue
  let file = try RealmFile.open(.inMemory(name: "adapter \(number)"))
  var random = SeededGenerator(seed: 1)
  return try ServerHistory(file, random: &random)
}

@Suite("adapters of a realm")
struct RealmAdapterTests {
  private static let schema = ObjectSchema(
    className: "Task", primaryKey: "id",
    properties: [
      Property(name: "id", type: .int), Property(name: "title", type: .string),
      Property(name: "tags", type: .string, collection: .list), Property(name: "marks", type: .int, collection: .set),
      Property(name: "notes", type: .string, collection: .dictionary),
    ])
  private static let task = ObjectReference(className: "Task", key: .int(1))

  @Test("a transaction is told as documented instructions, again until the adapter advances")
  func reading() throws {
    let history = try server()
    try history.file.edit { editor in
      try editor.addClasses(Schema([Self.schema]))
      try editor.create(Self.task)
      try editor.set(["title": .value(.string("a")), "tags": .list([.value(.string("x"))])], of: Self.task)
    }
    for _ in 0..<2 {
      var adapter = try RealmAdapter("a", of: "/shop", history)
      let transaction = try #require(try adapter.current())
      let steps = transaction.instructions
      #expect(steps.count >= 3)
      guard case .addType(let type)? = steps.first else {
        Issue.record("the first step is \(steps)")
        return
      }
      #expect(type.primaryKey == "id")
      #expect(steps.contains { if case .insert(Self.task, _) = $0 { true } else { false } })
      #expect(steps.contains(.listInsert(AdapterPlace(Self.task, "tags"), index: 0, .value(.string("x")))))
    }
    var adapter = try RealmAdapter("a", of: "/shop", history)
    while try adapter.current() != nil { try adapter.advance() }
    var again = try RealmAdapter("a", of: "/shop", history)
    #expect(try again.current() == nil)
  }

  @Test("what an adapter writes is written once, merged, and not told to it")
  func writing() throws {
    let history = try server()
    var adapter = try RealmAdapter("a", of: "/shop", history)
    let time = OriginTimestamp(1_000)
    let steps: [AdapterInstruction] = [
      .addType(Self.schema),
      .insert(Self.task, values: ["title": .value(.string("a"))]),
      .listClear(AdapterPlace(Self.task, "tags")),
      .listInsert(AdapterPlace(Self.task, "tags"), index: 0, .value(.string("x"))),
      .listInsert(AdapterPlace(Self.task, "tags"), index: 1, .value(.string("y"))),
      .setInsert(AdapterPlace(Self.task, "marks"), .value(.int(3))),
      .dictionarySet(AdapterPlace(Self.task, "notes"), key: "k", .value(.string("v"))),
    ]
    for _ in 0..<2 { try adapter.write(steps, number: 10, base: .zero, time: time) }
    let object = try #require(try history.file.contents().object(Self.task))
    #expect(object["tags"] == .list([.value(.string("x")), .value(.string("y"))]))
    #expect(object["marks"] == .set([.int(3)]))
    #expect(object["notes"] == .dictionary(["k": .value(.string("v"))]))
    #expect(try adapter.current() == nil)
    #expect(try adapter.written().client == ClientVersion(10))
    var other = try RealmAdapter("b", of: "/shop", history)
    #expect(try other.current() != nil)
    #expect(throws: AdapterError.self) {
      try adapter.write(
        [.listInsert(AdapterPlace(Self.task, "tags"), index: 5, .value(.string("z")))], number: 11, base: .zero,
        time: time)
    }
  }

  @Test("transactions that are written together are those that are written one by one, or none of them")
  func together() throws {
    let time = OriginTimestamp(1_000)
    let writes = (1...3).map { number in
      let object = ObjectReference(className: "Task", key: .int(Int64(number)))
      return AdapterWrite(
        [.addType(Self.schema), .insert(object, values: ["title": .value(.string("\(number)"))])],
        number: UInt64(number) * 10, time: time)
    }
    let (one, all) = (try server(), try server())
    for history in [one, all] {
      // Others have changed an object since the base.
      try history.file.edit { editor in
        try editor.addClasses(Schema([Self.schema]))
        try editor.create(Self.task)
      }
    }
    let single = try RealmAdapter("a", of: "/shop", one)
    for write in writes { try single.write(write.instructions, number: write.number, base: .zero, time: time) }
    let together = try RealmAdapter("a", of: "/shop", all)
    try together.write(writes, base: .zero)
    try together.write(Array(writes.prefix(2)), base: .zero)
    for number in Int64(1)...3 {
      let object = ObjectReference(className: "Task", key: .int(number))
      let (here, there) = (try one.file.contents().object(object), try all.file.contents().object(object))
      #expect(here?["title"] == .value(.string("\(number)")))
      #expect(there?["title"] == here?["title"])
    }
    #expect(try all.state().current.version == one.state().current.version)
    #expect(try together.written().client == ClientVersion(30))
    let version = try all.state().current.version
    let bad = AdapterInstruction.listInsert(AdapterPlace(Self.task, "tags"), index: 5, .value(.string("z")))
    #expect(throws: AdapterError.self) {
      try together.write(
        [
          AdapterWrite([.set(Self.task, values: ["title": .value(.string("x"))])], number: 40, time: time),
          AdapterWrite([bad], number: 41, time: time),
        ], base: .zero)
    }
    #expect(try all.state().current.version == version)
    #expect(try together.written().client == ClientVersion(30))
  }

  @Test("steps within a list and the deletion of a class are written on the newest base")
  func lists() throws {
    let history = try server()
    let adapter = try RealmAdapter("a", of: "/shop", history)
    let tags = AdapterPlace(Self.task, "tags")
    try history.file.edit { editor in
      try editor.addClasses(Schema([Self.schema]))
      try editor.create(Self.task)
      try editor.set(["tags": .list(["a", "b", "c"].map { .value(.string($0)) })], of: Self.task)
    }
    func texts() throws -> [String]? {
      guard case .list(let items)? = try history.file.contents().object(Self.task)?["tags"] else { return nil }
      return items.map { if case .value(.string(let text)) = $0 { text } else { "?" } }
    }
    let base = try history.state().current.version
    try adapter.write(
      [
        .listMove(tags, from: 0, to: 2), .listErase(tags, index: 0), .listInsert(tags, index: 1, .value(.string("x"))),
        .listSet(tags, index: 0, .value(.string("C"))),
      ], number: 1, base: base, time: OriginTimestamp(5))
    #expect(try texts() == ["C", "x", "a"])
    #expect(throws: AdapterError.self, "the base is not the newest") {
      try history.file.edit { try $0.set(["title": .value(.string("new"))], of: Self.task) }
      try adapter.write([.listErase(tags, index: 0)], number: 2, base: base, time: OriginTimestamp(6))
    }
    #expect(throws: AdapterError.self, "there is no such index") {
      try adapter.write(
        [.listErase(tags, index: 3)], number: 2, base: try history.state().current.version, time: OriginTimestamp(6))
    }
    try adapter.write(
      [.clear(className: "Task")], number: 2, base: try history.state().current.version, time: OriginTimestamp(7))
    #expect(try history.file.contents().count(of: "Task") == 0)
  }

  @Test("a load that is stopped goes on where it was, and its objects are written once")
  func loading() throws {
    let history = try server()
    let rows = (Int64(1)...10).map { key -> [AdapterInstruction] in
      let task = ObjectReference(className: "Task", key: .int(key))
      let insert = AdapterInstruction.insert(task, values: ["title": .value(.string("t\(key)"))])
      return key == 1 ? [.addType(Self.schema), insert] : [insert]
    }
    struct Stopped: Error {}
    let adapter = try RealmAdapter("a", of: "/shop", history)
    #expect(throws: Stopped.self) {
      try adapter.load(rows, portion: 4, time: OriginTimestamp(1)) { if $0 == 4 { throw Stopped() } }
    }
    let loaded = try RealmAdapter("a", of: "/shop", history)
    var counts: [Int] = []
    #expect(try loaded.load(rows, portion: 4, time: OriginTimestamp(1)) { counts.append($0) } == 10)
    #expect(counts == [8, 10])
    #expect(try history.file.contents().count(of: "Task") == 10)
    #expect(try loaded.load(rows, portion: 4, time: OriginTimestamp(1)) == 10)
    #expect(try history.state().current.version == ServerVersion(3))
  }

  @Test("the files of adapters hold no history, and an adapter that was away writes on")
  func retention() throws {
    let history = try server()
    var adapter = try RealmAdapter("a", of: "/shop", history)
    try adapter.write([.addType(Self.schema)], number: 1, base: .zero, time: OriginTimestamp(1))
    for key in Int64(1)...5 {
      try history.file.edit { try $0.create(ObjectReference(className: "Task", key: .int(key))) }
    }
    while try adapter.current() != nil { try adapter.advance() }
    try history.trim(notSeenSince: OriginTimestamp(UInt64(Int64.max)), grace: OriginTimestamp(UInt64(Int64.max)))
    #expect(try history.state().base == ServerVersion(6))
    try adapter.write(
      [.insert(ObjectReference(className: "Task", key: .int(9)), values: [:])], number: 2, base: ServerVersion(6),
      time: OriginTimestamp(2))
    #expect(try history.file.contents().count(of: "Task") == 6)
  }

  @Test("an adapter that only writes holds no history")
  func ownPosition() throws {
    let history = try server()
    var adapter = try RealmAdapter("a", of: "/shop", history)
    for number in UInt64(1)...3 {
      try adapter.write(
        [.addProperties(className: "Task", [])] + (number == 1 ? [.addType(Self.schema)] : []), number: number,
        base: .zero, time: OriginTimestamp(number))
    }
    #expect(try adapter.current() == nil)
    #expect(try adapter.storedPosition() == ServerVersion(3))
    // A transaction of others that is told and not advanced past stays before the position.
    try history.file.edit { try $0.create(Self.task) }
    try adapter.write(
      [.set(Self.task, values: ["title": .value(.string("own"))])], number: 4, base: ServerVersion(4),
      time: OriginTimestamp(4))
    #expect(try adapter.current() != nil)
    let first = try #require(try adapter.current()?.position)
    adapter.pass()
    #expect(try adapter.current() == nil)
    #expect(try adapter.storedPosition() == ServerVersion(3))
    for key in Int64(2)...3 {
      try history.file.edit { try $0.create(ObjectReference(className: "Task", key: .int(key))) }
    }
    while try adapter.current() != nil { adapter.pass() }
    // One of three is dealt with: the position is not moved over the others.
    try adapter.advance(to: first)
    #expect(try adapter.current() == nil)
    #expect(try adapter.storedPosition() == first.version)
  }

  @Test("the steps that make an object again make the same one")
  func restoring() throws {
    let (history, copy) = (try server(), try server())
    try history.file.edit { editor in
      try editor.addClasses(
        Schema([
          ObjectSchema(
            className: "Part", kind: .embedded,
            properties: [
              Property(name: "x", type: .int),
              Property(name: "more", type: .object, collection: .list, objectClassName: "Part"),
            ]),
          ObjectSchema(
            className: "Thing", primaryKey: "id",
            properties: [
              Property(name: "id", type: .int), Property(name: "any", type: .any, isOptional: true),
              Property(name: "part", type: .object, objectClassName: "Part", isOptional: true),
              Property(name: "parts", type: .object, collection: .list, objectClassName: "Part"),
              Property(name: "marks", type: .int, collection: .set),
              Property(name: "notes", type: .any, collection: .dictionary, isOptional: true),
            ]),
        ]))
      let thing = ObjectReference(className: "Thing", key: .int(1))
      try editor.create(thing)
      let part: StateDump.Item = .embedded(["x": .value(.int(1)), "more": .list([.embedded(["x": .value(.int(2))])])])
      try editor.set(
        [
          "any": .value(.list([.int(1), .dictionary(["k": .list([.string("deep")])])])), "part": part,
          "parts": .list([part, part]), "marks": .set([.int(3), .int(4)]),
          "notes": .dictionary(["a": .value(.null), "b": .value(.dictionary(["c": .int(5)]))]),
        ], of: thing)
    }
    let contents = try history.file.contents()
    var steps = contents.schema.objectSchema.map { AdapterInstruction.addType($0) }
    try contents.forEachObject(of: "Thing") { record in
      steps += AdapterInstruction.restoring(record, schema: contents.schema)
      return true
    }
    let adapter = try RealmAdapter("copy", of: "/copy", copy)
    try adapter.write(steps, number: 1, base: .zero, time: OriginTimestamp(1))
    #expect(try copy.file.dump() == history.file.dump())
  }

  @Test("the later of two changes of one field wins, whichever side it comes from")
  func merging() throws {
    let history = try server()
    let adapter = try RealmAdapter("a", of: "/shop", history)
    try adapter.write(
      [.addType(Self.schema), .insert(Self.task, values: ["title": .value(.string("a"))])], number: 1, base: .zero,
      time: OriginTimestamp(1))
    let base = try history.state().current.version
    try history.file.edit { try $0.set(["title": .value(.string("realm"))], of: Self.task) }
    try adapter.write(
      [.set(Self.task, values: ["title": .value(.string("earlier"))])], number: 2, base: base, time: OriginTimestamp(2))
    #expect(try history.file.contents().object(Self.task)?["title"] == .value(.string("realm")))
    try adapter.write(
      [.set(Self.task, values: ["title": .value(.string("later"))])], number: 3, base: base,
      time: OriginTimestamp(UInt64(Int64.max) / 2))
    #expect(try history.file.contents().object(Self.task)?["title"] == .value(.string("later")))
  }
}
