import ChangesetOT
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("scans within queries")
struct ViewScanTests {
  private static func dog(_ key: Int64) -> ObjectReference { ObjectReference(className: "Dog", key: .int(key)) }

  private static func set(_ key: Int64, _ field: String, _ payload: Payload) -> Instruction {
    .update(Update(target: Target(object: dog(key), field: field), payload: payload))
  }

  private static let schema: [Instruction] = [
    .addTable(AddTable(table: "Dog", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addColumn(AddColumn(table: "Dog", field: "age", type: .int)),
    .addColumn(AddColumn(table: "Dog", field: "name", type: .string, isNullable: true)),
    .addColumn(AddColumn(table: "Dog", field: "tags", type: .string, collection: .list)),
    .addColumn(AddColumn(table: "Dog", field: "friend", type: .link, isNullable: true, linkTarget: "Dog")),
    .addColumn(AddColumn(table: "Dog", field: "extra", type: nil, isNullable: true)),
  ]

  private static func tag(_ key: Int64, _ index: UInt32, _ text: String) -> Instruction {
    let target = Target(object: dog(key), field: "tags", path: [.index(index)])
    return .arrayInsert(ArrayInsert(target: target, payload: .string(text), priorSize: index))
  }

  /// Dogs 1 … 6 of that age.
  private static var dogs: [Instruction] {
    (Int64(1)...6).flatMap { key -> [Instruction] in
      [.createObject(CreateObject(object: dog(key))), set(key, "age", .int(key)), tag(key, 0, "a"), tag(key, 1, "b")]
    }
  }

  private func network(_ queries: String = #"{"Dog":"age > 3"}"#) throws -> ViewNetwork {
    var network = try ViewNetwork(Self.schema + Self.dogs)
    _ = try network.add(queries: queries)
    return network
  }

  private func selected(_ network: ViewNetwork, from age: Int64) throws -> StateDump {
    try network.expected(["Dog": { if case .value(.int(let it))? = $0["age"] { it >= age } else { false } }])
  }

  @Test("a bootstrap brings the schema and what the queries select, whatever the size of its parts")
  func bootstrap() throws {
    for limit in [1, 60, Int.max] {
      var network = try network()
      try network.downloadAll(0, byteLimit: limit)
      #expect(try network.keys(0, "Dog") == [4, 5, 6], "\(limit)")
      #expect(try network.dump(0) == selected(network, from: 4), "\(limit)")
    }
  }

  @Test("the first set brings the schema alone, and classes that come later arrive with the changes")
  func schema() throws {
    var network = try ViewNetwork([])
    _ = try network.add(queries: "{}")
    let full = try network.add(queries: nil)
    try network.downloadAll(0)
    #expect(try network.dump(0).objects.isEmpty)
    try network.write(full, Self.schema + Self.dogs)
    try network.upload(full)
    try network.downloadAll(0)
    #expect(try network.keys(0, "Dog") == [])
    #expect(try network.clients[0].history.file.latestReadView().catalog["Dog"]?.field("age") != nil)
    try network.subscribe(0, #"{"Dog":"age > 3"}"#)
    try network.downloadAll(0)
    #expect(try network.dump(0) == selected(network, from: 4))
  }

  @Test("the parts of a bootstrap say that more is to come until the last one")
  func states() throws {
    let network = try network()
    let view = ViewRequest(held: QuerySet(), wanted: QuerySet(version: QueryVersion(1), json: #"{"Dog":"age > 3"}"#))
    var states: [DownloadBatch.State] = []
    var cursor = DownloadCursor.zero
    var scan = DownloadScan(progress: SyncProgress(), reachedEnd: false, entries: [])
    repeat {
      scan = try network.server.viewScan(
        for: network.clients[0].ident, from: cursor, view: view, byteLimit: 1)
      cursor = scan.progress.download
      states.append(scan.batch?.state ?? .steady)
      #expect(scan.batch?.query == QueryVersion(1))
      #expect(scan.isPrivate)
      #expect(network.server.hasViewBootstrap(for: network.clients[0].ident) == (scan.batch?.state == .moreToCome))
    } while scan.batch?.state == .moreToCome
    #expect(states == [.moreToCome, .last])
    let steady = try network.server.viewScan(
      for: network.clients[0].ident, from: cursor, view: ViewRequest(held: view.wanted, wanted: view.wanted),
      byteLimit: 1)
    #expect(steady.batch == DownloadBatch(query: QueryVersion(1), state: .steady))
    #expect(steady.reachedEnd)
  }

  @Test(
    "objects that enter, leave, stay and go arrive as creations, erasures, changes and nothing",
    arguments: [
      ("stays", [set(4, "name", .string("x"))], "update Dog[4].name"),
      ("is elsewhere", [set(1, "name", .string("x"))], ""),
      ("enters", [set(1, "age", .int(9))], "create Dog[1]; update Dog[1].age; insert Dog[1].tags; insert Dog[1].tags"),
      ("leaves", [set(5, "age", .int(0))], "erase Dog[5]"),
      ("is erased", [.eraseObject(EraseObject(object: dog(5)))], "erase Dog[5]"),
      ("is erased elsewhere", [.eraseObject(EraseObject(object: dog(2)))], ""),
      (
        "is made", [.createObject(CreateObject(object: dog(7))), set(7, "age", .int(7))],
        "create Dog[7]; update Dog[7].age"
      ),
      ("is made elsewhere", [.createObject(CreateObject(object: dog(7)))], ""),
      ("links to one elsewhere", [set(4, "friend", .link(dog(1)))], "update Dog[4].friend"),
    ] as [(String, [Instruction], String)])
  func changes(_ name: String, _ edit: [Instruction], _ expected: String) throws {
    var network = try network()
    let full = try network.add(queries: nil)
    try network.downloadAll(0)
    try network.downloadAll(full)
    try network.write(full, edit)
    try network.upload(full)
    let client = network.clients[0]
    let scan = try network.server.viewScan(
      for: client.ident, from: try client.history.progress().download,
      view: ViewRequest(held: client.held, wanted: client.held), byteLimit: .max)
    let text = try scan.entries.flatMap { entry in
      try Changeset(
        decoding: Array(entry.changeset), origin: ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)
      ).instructions.map(Self.text)
    }
    #expect(text.joined(separator: "; ") == expected)
    try network.downloadAll(0)
    #expect(try network.dump(0) == selected(network, from: 4))
  }

  private static func text(_ instruction: Instruction) -> String {
    let subject = instruction.object.map { "\($0)" } ?? instruction.className
    let field = instruction.target.map { ".\($0.field)" } ?? ""
    let verb =
      switch instruction {
      case .createObject: "create"
      case .eraseObject: "erase"
      case .arrayInsert: "insert"
      case .update: "update"
      default: "\(instruction)"
      }
    return "\(verb) \(subject)\(field)"
  }

  @Test("an object enters with what it held at that version, and later changes follow")
  func entersThenChanges() throws {
    var network = try network()
    let full = try network.add(queries: nil)
    try network.downloadAll(0)
    try network.downloadAll(full)
    try network.write(full, [Self.set(1, "age", .int(9))])
    try network.write(full, [Self.tag(1, 2, "c"), Self.set(1, "name", .string("later"))])
    try network.write(full, [Self.tag(1, 3, "d")])
    try network.upload(full)
    #expect(try network.download(0, byteLimit: 1))
    let tags = try network.dump(0).objects["Dog"]?[.int(1)]?["tags"]
    #expect(tags == .list([.value(.string("a")), .value(.string("b"))]))
    try network.downloadAll(0, byteLimit: 1)
    #expect(try network.dump(0) == selected(network, from: 4))
  }

  @Test("another set erases what it does not select, makes what is new, and leaves the rest alone")
  func resubscribes() throws {
    var network = try network(#"{"Dog":"age > 1 AND age < 5"}"#)
    let full = try network.add(queries: nil)
    try network.downloadAll(0)
    #expect(try network.keys(0, "Dog") == [2, 3, 4])
    try network.downloadAll(full)
    try network.write(full, [Self.set(2, "age", .int(6)), Self.set(4, "name", .string("both"))])
    try network.upload(full)
    try network.subscribe(0, #"{"Dog":"age > 3"}"#)
    let row = try network.clients[0].history.file.latestReadView()
    let before = try row.row(.int(4), try #require(row.catalog["Dog"]))
    try network.downloadAll(0, byteLimit: 1)
    #expect(try network.dump(0) == selected(network, from: 4))
    let view = try network.clients[0].history.file.latestReadView()
    #expect(try view.row(.int(4), try #require(view.catalog["Dog"])) == before, "it is the same object")
  }

  @Test("a bootstrap that was cut off begins anew")
  func interrupted() throws {
    var network = try network()
    let full = try network.add(queries: nil)
    try network.downloadAll(full)
    #expect(try network.download(0, byteLimit: 1))
    try network.restart()
    try network.write(full, [Self.set(1, "age", .int(9))])
    try network.upload(full)
    #expect(try network.download(0, byteLimit: 1))
    try network.disconnect(0)
    try network.downloadAll(0, byteLimit: 1)
    #expect(try network.dump(0) == selected(network, from: 4))
  }

  @Test("a client behind the kept inverses must reset its file")
  func trimmed() throws {
    var network = try network()
    let full = try network.add(queries: nil)
    try network.downloadAll(0)
    try network.downloadAll(full)
    try network.write(full, [.eraseColumn(EraseColumn(table: "Dog", field: "extra"))])
    try network.upload(full)
    #expect(throws: TrimmedHistoryError.self) { try network.downloadAll(0) }
  }

  @Test(
    "queries that cannot be served are refused with their class, the reason and the place",
    arguments: [
      (#"{"Dog":"age >"}"#, "class 'Dog': line 1, column 6: "),
      (#"{"Dog":"size > 3"}"#, "class 'Dog': line 1, column 1: "),
      (#"{"Dog":["age > 3", "size > 3"]}"#, "class 'Dog': line 1, column 1: "),
      (#"{"Dog":[]}"#, "class 'Dog': the query is no text"),
      (#"{"Dog":"age > $0"}"#, "class 'Dog': line 1, column 7: "),
      (#"{"Dog":3}"#, "class 'Dog': the query is no text"),
      (#"["Dog"]"#, "the queries are no JSON object"),
      (#"{"Dog""#, "the queries are no JSON: byte 6"),
    ])
  func refusals(_ queries: String, _ message: String) throws {
    var network = try network(queries)
    let refusal = #expect(throws: QueryRefusal.self) { try network.downloadAll(0) }
    #expect(refusal?.query == QueryVersion(1))
    #expect(refusal?.message.hasPrefix(message) == true, "\(refusal?.message ?? "")")
  }

  @Test(
    "conditions and clauses are served",
    arguments: [
      (#"{"Dog":"TRUEPREDICATE"}"#, [1, 2, 3, 4, 5, 6]), (#"{"Dog":"FALSEPREDICATE"}"#, []), (#"{}"#, []),
      (#"{"Dog":"id == 2"}"#, [2]), (#"{"Dog":"age IN {1, 3} OR (id > 4 AND NOT age == 6)"}"#, [1, 3, 5]),
      (#"{"Dog":"name == nil"}"#, [1, 2, 3, 4, 5, 6]), (#"{"Dog":"name BEGINSWITH[c] 'x'"}"#, []),
      (#"{"Dog":"age BETWEEN {2, 3}"}"#, [2, 3]), (#"{"Dog":"age > 3 SORT(age ASC) LIMIT(2)"}"#, [4, 5]),
      (#"{"Dog":["age == 1", "age > 1 SORT(age DESC) LIMIT(1)"]}"#, [1, 6]),
      (#"{"Dog":"friend == nil"}"#, [1, 2, 3, 4, 5, 6]),
      (#"{"Dog":"tags.@count > 9"}"#, []), (#"{"Dog":"age > 4 DISTINCT(name)"}"#, [5]), (#"{"Cat":"age > 3"}"#, []),
      (#"{"Dog":"age * 2 > 9"}"#, [5, 6]),
    ] as [(String, [Int64])])
  func served(_ queries: String, _ keys: [Int64]) throws {
    var network = try network(queries)
    try network.downloadAll(0)
    #expect(try network.keys(0, "Dog") == keys)
  }
}
