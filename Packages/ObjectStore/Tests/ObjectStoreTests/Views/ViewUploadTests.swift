import ChangesetOT
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("uploads within queries")
struct ViewUploadTests {
  private static func dog(_ key: Int64) -> ObjectReference { ObjectReference(className: "Dog", key: .int(key)) }

  private static func set(_ key: Int64, _ field: String, _ payload: Payload) -> Instruction {
    .update(Update(target: Target(object: dog(key), field: field), payload: payload))
  }

  private static func create(_ key: Int64, age: Int64) -> [Instruction] {
    [.createObject(CreateObject(object: dog(key))), set(key, "age", .int(age))]
  }

  private static let schema: [Instruction] = [
    .addTable(AddTable(table: "Dog", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addColumn(AddColumn(table: "Dog", field: "age", type: .int)),
    .addColumn(AddColumn(table: "Dog", field: "name", type: .string, isNullable: true)),
    .addColumn(AddColumn(table: "Dog", field: "tags", type: .string, collection: .list)),
  ]

  /// A client with the dogs above 3 years, and one with all six.
  private struct Scene {
    var network: ViewNetwork
    let view = 0
    let full = 1

    init(clock: UInt64 = 1) throws {
      network = try ViewNetwork(
        ViewUploadTests.schema + (Int64(1)...6).flatMap { ViewUploadTests.create($0, age: $0) }, clock: clock)
      _ = try network.add(queries: #"{"Dog":"age > 3"}"#)
      _ = try network.add(queries: nil)
      try network.downloadAll(view)
      try network.downloadAll(full)
    }

    /// A field of a dog on the server; nil when there is none.
    func server(_ key: Int64, _ field: String = "age") throws -> StateDump.Item? {
      try network.server.file.dump().objects["Dog"]?[.int(key)]?[field]
    }

    var refused: [RefusedWrite] { network.clients[view].refusals }

    /// Everything that was written arrives everywhere, and the view is what its query selects.
    mutating func settle() throws {
      try network.settle()
      let expected = try network.expected([
        "Dog": { if case .value(.int(let age))? = $0["age"] { age > 3 } else { false } }
      ])
      #expect(try network.dump(view) == expected)
      #expect(try network.dump(full) == network.server.file.dump())
    }
  }

  @Test("a write within the queries is taken")
  func within() throws {
    var scene = try Scene()
    try scene.network.write(scene.view, [Self.set(5, "name", .string("Rex"))] + Self.create(7, age: 7))
    try scene.network.upload(scene.view)
    #expect(scene.refused.isEmpty)
    #expect(try scene.server(5, "name") == .value(.string("Rex")))
    #expect(try scene.server(7) == .value(.int(7)))
    try scene.settle()
  }

  @Test("a new object outside of the queries is refused and undone, the rest of its changeset is taken")
  func creation() throws {
    var scene = try Scene()
    let before = try scene.network.server.state().current.version
    try scene.network.write(scene.view, Self.create(7, age: 1) + [Self.set(5, "name", .string("Rex"))])
    try scene.network.upload(scene.view)
    #expect(
      scene.refused.map(\.reason) == ["write not allowed: the new object is outside of the query view"])
    #expect(scene.refused.map(\.object) == [Self.dog(7)])
    #expect(try scene.server(7) == nil)
    #expect(try scene.server(5, "name") == .value(.string("Rex")))
    let scan = try scene.network.server.scan(
      for: scene.network.clients[scene.full].ident, from: DownloadCursor(server: before, client: .zero),
      byteLimit: .max)
    for entry in scan.entries {
      let changeset = try Changeset(
        decoding: Array(entry.changeset), origin: ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin))
      #expect(!changeset.instructions.contains { $0.object == Self.dog(7) })
    }
    #expect(try scene.network.keys(scene.view, "Dog") == [4, 5, 6, 7])
    try scene.settle()
    #expect(try scene.network.keys(scene.view, "Dog") == [4, 5, 6])
  }

  @Test("what undoes a write comes before the bootstrap of another set, as a change of the set before")
  func undoneBeforeBootstrap() throws {
    var scene = try Scene()
    try scene.network.write(scene.view, Self.create(7, age: 1))
    try scene.network.upload(scene.view)
    try scene.network.subscribe(scene.view, #"{"Dog":"age > 4"}"#)
    let client = scene.network.clients[scene.view]
    let cursor = try client.history.progress().download
    var scan = try scene.network.server.viewScan(
      for: client.ident, from: cursor, view: ViewRequest(held: client.held, wanted: try #require(client.wanted)),
      byteLimit: .max)
    #expect(scan.batch == DownloadBatch(query: client.held.version, state: .steady))
    let told = try scene.network.server.undoneUploads(of: client.ident, after: cursor.server, in: &scan)
    #expect(told.flatMap(\.objects) == [Self.dog(7)])
    #expect(scan.entries.map(\.cursor.server) == told.map(\.version))
    #expect(try scene.network.download(scene.view))
    #expect(try scene.network.keys(scene.view, "Dog") == [4, 5, 6])
    try scene.network.downloadAll(scene.view)
    #expect(try scene.network.keys(scene.view, "Dog") == [5, 6])
  }

  @Test("an object that exists outside of the queries is not changed by one of its key")
  func strange() throws {
    var scene = try Scene()
    let tag = Target(object: Self.dog(2), field: "tags", path: [.index(0)])
    try scene.network.write(
      scene.view,
      Self.create(2, age: 9) + [.arrayInsert(ArrayInsert(target: tag, payload: .string("x"), priorSize: 0))])
    try scene.network.upload(scene.view)
    #expect(scene.refused.map(\.reason) == ["write not allowed: it is an object outside of the query view"])
    #expect(try scene.server(2) == .value(.int(2)))
    try scene.settle()
  }

  @Test("what is written of an object whose erasure the author was not told of has no effect")
  func erasedUnseen() throws {
    let tag = Target(object: Self.dog(7), field: "tags", path: [.index(0)])
    let insertion = Instruction.arrayInsert(ArrayInsert(target: tag, payload: .string("x"), priorSize: 0))
    for isOneUpload in [true, false] {
      var scene = try Scene()
      try scene.network.write(scene.full, Self.create(7, age: 1))
      try scene.network.upload(scene.full)
      try scene.network.write(scene.full, [.eraseObject(EraseObject(object: Self.dog(7)))])
      try scene.network.upload(scene.full)
      try scene.network.write(scene.view, Self.create(7, age: 9))
      // The cursor passes the erasure, of which the view has nothing.
      while try scene.network.download(scene.view) {}
      if !isOneUpload { try scene.network.upload(scene.view) }
      try scene.network.write(scene.view, [insertion])
      try scene.network.upload(scene.view)
      // Behind what is set back, the collections of the object are others in the author's file.
      #expect(scene.refused.count == 1)
      try scene.settle()
    }
  }

  @Test("what is written of a collection before it is set back is refused, in a later upload as well")
  func collectionBeforeSettingBack() throws {
    func tag(_ index: UInt32) -> Target { Target(object: Self.dog(7), field: "tags", path: [.index(index)]) }
    func insertion(_ text: String, _ index: UInt32) -> Instruction {
      .arrayInsert(ArrayInsert(target: tag(index), payload: .string(text), priorSize: index))
    }
    var scene = try Scene()
    // Outside of the view for as long as the author writes of it.
    try scene.network.write(scene.full, Self.create(7, age: 1))
    try scene.network.upload(scene.full)
    try scene.network.downloadAll(scene.view)
    try scene.network.write(scene.view, Self.create(7, age: 9) + [insertion("mine", 0)])
    try scene.network.write(scene.full, [Self.set(7, "age", .int(8))])
    try scene.network.upload(scene.full)
    while try scene.network.download(scene.view) {}
    try scene.network.downloadAll(scene.full)
    try scene.network.write(scene.full, [insertion("theirs", 0)])
    try scene.network.upload(scene.full)
    try scene.network.upload(scene.view)
    try scene.network.write(
      scene.view, [.arrayErase(ArrayErase(target: tag(0), priorSize: 1))])
    try scene.network.upload(scene.view)
    #expect(scene.refused.contains { $0.reason.contains("its tags is being set back") })
    try scene.settle()
    let tags = try scene.server(7, "tags")
    #expect(tags == .list([.value(.string("theirs"))]))
  }

  @Test("what is written of a collection behind a refused write of the same upload is refused, and merged with nothing")
  func collectionBehindRefusedWrite() throws {
    func insertion(_ text: String, _ index: UInt32) -> Instruction {
      let tag = Target(object: Self.dog(2), field: "tags", path: [.index(index)])
      return .arrayInsert(ArrayInsert(target: tag, payload: .string(text), priorSize: index))
    }
    var scene = try Scene()
    // It is outside of the view, and comes in behind the first write of its author.
    try scene.network.write(scene.view, Self.create(2, age: 9) + [insertion("mine", 0)])
    try scene.network.write(scene.full, [Self.set(2, "age", .int(8)), insertion("theirs", 0)])
    try scene.network.upload(scene.full)
    while try scene.network.download(scene.view) {}
    try scene.network.write(scene.full, [insertion("more of theirs", 1)])
    try scene.network.upload(scene.full)
    try scene.network.write(scene.view, [insertion("more of mine", 2)])
    try scene.network.upload(scene.view)
    #expect(Set(scene.refused.map(\.object)) == [Self.dog(2)])
    try scene.settle()
    #expect(try scene.server(2, "tags") == .list([.value(.string("theirs")), .value(.string("more of theirs"))]))
  }

  @Test("a write may move an object out of the queries, and the next one is refused")
  func movesOut() throws {
    var scene = try Scene()
    try scene.network.write(scene.view, [Self.set(5, "age", .int(1)), Self.set(5, "name", .string("a"))])
    try scene.network.write(scene.view, [Self.set(5, "name", .string("b"))])
    try scene.network.upload(scene.view)
    #expect(scene.refused.map(\.object) == [Self.dog(5)])
    #expect(scene.refused.first?.clientVersion == scene.network.clients[scene.view].lastUpload)
    #expect(try scene.server(5) == .value(.int(1)))
    #expect(try scene.server(5, "name") == .value(.string("a")))
    try scene.settle()
    #expect(try scene.network.keys(scene.view, "Dog") == [4, 6])
  }

  @Test("a write behind one that moved its new object out of the queries is refused, in a later upload as well")
  func movedOutBefore() throws {
    var scene = try Scene()
    try scene.network.write(scene.view, Self.create(7, age: 9))
    try scene.network.upload(scene.view)
    try scene.network.write(scene.view, [Self.set(7, "age", .int(1))])
    try scene.network.upload(scene.view)
    // Made before its author hears that the object is out.
    try scene.network.write(scene.view, [Self.set(7, "name", .string("b"))])
    try scene.network.upload(scene.view)
    #expect(scene.refused.map(\.object) == [Self.dog(7)])
    #expect(try scene.server(7) == .value(.int(1)))
    #expect(try scene.server(7, "name") == .value(.null))
    try scene.settle()
    #expect(try scene.network.keys(scene.view, "Dog") == [4, 5, 6])
  }

  @Test("a client alone that writes right behind its first set is refused nothing, and set back nowhere")
  func behindFirstSet() throws {
    var network = try ViewNetwork(Self.schema + (Int64(1)...6).flatMap { Self.create($0, age: $0) })
    let number = try network.add(queries: "{}")
    try network.downloadAll(number)
    try network.subscribe(number, #"{"Dog":"age > 3"}"#)
    try network.download(number, byteLimit: 1)
    try network.write(number, Self.schema + Self.create(7, age: 9))
    try network.upload(number)
    for step in Int64(1)...4 {
      let tag = Target(object: Self.dog(7), field: "tags", path: [.index(UInt32(step - 1))])
      try network.write(
        number,
        [
          Self.set(7, "age", .int(9 + step)),
          .arrayInsert(ArrayInsert(target: tag, payload: .string("\(step)"), priorSize: UInt32(step - 1))),
        ])
      try network.upload(number)
    }
    #expect(network.clients[number].refusals.isEmpty)
    try network.settle()
    #expect(try network.keys(number, "Dog") == [4, 5, 6, 7])
    let dog = try network.server.file.dump().objects["Dog"]?[.int(7)]
    #expect(dog?["age"] == .value(.int(13)))
    #expect(dog?["tags"] == .list((1...4).map { .value(.string("\($0)")) }))
  }

  @Test("a later write of an object that is being set back is taken")
  func setBackBefore() throws {
    // Uploads arrive some time after they were written.
    var scene = try Scene(clock: 100)
    try scene.network.write(scene.full, [Self.set(5, "age", .int(1))], at: 1)
    try scene.network.upload(scene.full)
    try scene.network.write(scene.full, [Self.set(5, "age", .int(9))], at: 2)
    try scene.network.upload(scene.full)
    try scene.network.write(scene.view, [Self.set(5, "name", .string("first"))], at: 3)
    try scene.network.upload(scene.view)
    // Made before its author hears that the object went and came.
    try scene.network.write(scene.view, [Self.set(5, "name", .string("second"))], at: 4)
    try scene.network.upload(scene.view)
    #expect(scene.refused.isEmpty)
    #expect(try scene.server(5, "name") == .value(.string("second")))
    try scene.settle()
  }

  @Test("a write that met the object's way out is refused, one that brings it back is taken")
  func concurrent() throws {
    for (time, isTaken) in [(UInt64(1), false), (9, true)] {
      var scene = try Scene()
      try scene.network.write(scene.full, [Self.set(5, "age", .int(1))], at: 5)
      try scene.network.upload(scene.full)
      try scene.network.write(scene.view, [Self.set(5, "age", .int(8)), Self.set(5, "name", .string("b"))], at: time)
      try scene.network.upload(scene.view)
      #expect(scene.refused.isEmpty == isTaken)
      #expect(try scene.server(5) == .value(.int(isTaken ? 8 : 1)))
      #expect(try scene.server(5, "name") == .value(isTaken ? .string("b") : .null))
      try scene.settle()
    }
  }

  @Test("writes of an object that left the view and came back are there after the merge")
  func cameBack() throws {
    var scene = try Scene()
    try scene.network.write(scene.view, [Self.set(5, "name", .string("mine"))], at: 3)
    try scene.network.write(scene.full, [Self.set(5, "age", .int(1))], at: 1)
    try scene.network.write(scene.full, [Self.set(5, "age", .int(9))], at: 2)
    try scene.network.upload(scene.full)
    try scene.network.downloadAll(scene.view, byteLimit: 1)
    try scene.network.upload(scene.view)
    #expect(scene.refused.isEmpty)
    try scene.settle()
    #expect(try scene.server(5, "name") == .value(.string("mine")))
  }

  @Test("the same key made on both sides within the queries is merged, not refused")
  func sameKey() throws {
    var scene = try Scene()
    try scene.network.write(scene.full, Self.create(7, age: 7) + [Self.set(7, "name", .string("theirs"))], at: 1)
    try scene.network.upload(scene.full)
    try scene.network.write(scene.view, Self.create(7, age: 8), at: 2)
    try scene.network.upload(scene.view)
    #expect(scene.refused.isEmpty)
    #expect(try scene.server(7) == .value(.int(8)))
    try scene.settle()
  }

  @Test("an object that others made and erased in one transaction does not stay in the file that made it, too")
  func madeAndErased() throws {
    var scene = try Scene()
    try scene.network.write(
      scene.full, Self.create(7, age: 7) + [.eraseObject(EraseObject(object: Self.dog(7)))], at: 2)
    try scene.network.upload(scene.full)
    try scene.network.write(scene.view, Self.create(7, age: 8), at: 1)
    try scene.network.upload(scene.view)
    #expect(try scene.server(7) == nil)
    try scene.settle()
  }

  @Test("a client with a view erases no class for everybody")
  func erasesClass() throws {
    var scene = try Scene()
    try scene.network.write(scene.view, [.eraseTable(EraseTable(table: "Dog"))])
    #expect(throws: UploadRefusal.self) { try scene.network.upload(scene.view) }
    #expect(try scene.server(5) == .value(.int(5)))
  }

  @Test("the inverse of a write to a long list is short")
  func shortInverses() throws {
    var scene = try Scene()
    func tag(_ index: Int) -> Instruction {
      let place = Target(object: Self.dog(5), field: "tags", path: [.index(UInt32(index))])
      return .arrayInsert(ArrayInsert(target: place, payload: .string("tag \(index)"), priorSize: UInt32(index)))
    }
    try scene.network.write(scene.full, (0..<5_000).map(tag))
    try scene.network.write(scene.full, [tag(5_000)])
    try scene.network.upload(scene.full)
    let version = Int64(try scene.network.server.state().current.version.rawValue)
    let inverse = try scene.network.file.store.log(InverseLog.entries).entries(in: version...version)
    #expect(inverse.map(\.content.count).reduce(0, +) < 64)
    try scene.settle()
  }

  @Test("inverses are kept from the first view on, and no longer than the history")
  func kept() throws {
    var network = try ViewNetwork(Self.schema + Self.create(1, age: 1))
    let full = try network.add(queries: nil)
    try network.downloadAll(full)
    try network.write(full, [Self.set(1, "age", .int(5))])
    try network.upload(full)
    #expect(try network.file.store.log(InverseLog.entries).lastPosition() == nil)
    let view = try network.add(queries: #"{"Dog":"age > 3"}"#)
    try network.downloadAll(view)
    try network.write(full, [Self.set(1, "age", .int(6))])
    try network.upload(full)
    #expect(try network.file.store.log(InverseLog.entries).lastPosition() != nil)
    for _ in 0..<2 { try network.settle() }
    try network.server.trim(notSeenSince: OriginTimestamp(0), grace: OriginTimestamp(0))
    #expect(try network.file.store.log(InverseLog.entries).lastPosition() == nil)
  }
}

extension ViewNetwork.Client {
  /// The newest client version that has something to upload.
  var lastUpload: ClientVersion? {
    try? history.uploadableEntries(after: .zero, byteLimit: .max).entries.last?.cursor.client
  }
}
