import ChangesetOT
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

/// The cost of declarations: each costs in proportion to its length, however many there are.
@Suite("the cost of declarations")
struct SchemaCostTests {
  private static let key = PrimaryKeyColumn(field: "_id", type: .int)

  private func addTable(_ number: Int) -> Instruction {
    .addTable(AddTable(table: "C\(number)", primaryKey: Self.key))
  }

  private func link(_ number: Int, of table: Int, to target: Int = 0) -> Instruction {
    .addColumn(
      AddColumn(
        table: "C\(table)", field: "f\(number)", type: .link, collection: .list, linkTarget: "C\(target)"))
  }

  @Test("the catalog is copied once in a transaction, whatever it declares")
  func copies() throws {
    let file = try memoryFile()
    try file.commit((0..<50).map(addTable))
    let session = try WriteSession(file, isRecorded: false)
    let applier = ChangesetApplier(writer: session.writer)
    let instructions =
      (50..<200).map(addTable) + (0..<200).map { link($0, of: $0 % 7) }
      + (100..<150).map { .eraseTable(EraseTable(table: "C\($0)")) }
      + (0..<50).map { .eraseColumn(EraseColumn(table: "C\($0 % 7)", field: "f\($0)")) }
    try applier.apply(
      Changeset(instructions: instructions, origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)))
    #expect(session.writer.work.steps <= 50)
    let catalog = session.writer.catalog
    _ = try session.commit()
    let readView = try file.latestReadView()
    #expect(readView.catalog.classes.map(\.name) == catalog.classes.map(\.name))
    #expect(readView.catalog.classes.count == 150)
    #expect(readView.catalog["C3"]?.fields.map(\.name) == catalog["C3"]?.fields.map(\.name))
    let target = try #require(readView.catalog["C0"])
    #expect(readView.catalog.incoming(target.table).count == 150)
    #expect(readView.catalog.incoming(target.table).map(\.layout.table.rawValue).isSorted)
    try file.store.verify()
  }

  @Test("what somebody holds of the catalog stays as it is")
  func held() throws {
    let file = try memoryFile()
    try file.commit([addTable(0)])
    let session = try WriteSession(file, isRecorded: false)
    let applier = ChangesetApplier(writer: session.writer)
    try applier.apply(addTable(1))
    let held = session.writer.catalog
    try applier.apply(addTable(2))
    #expect(held.classes.map(\.name) == ["C0", "C1"])
    #expect(held["C2"] == nil)
    #expect(session.writer.catalog.classes.map(\.name) == ["C0", "C1", "C2"])
    session.rollback()
    #expect(try file.latestReadView().catalog.classes.map(\.name) == ["C0"])
  }

  @Test("a class takes as many lists of links as columns, and the file opens again")
  func manyIndexes() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("indexes.realm").path
    let object = ObjectReference(className: "C0", key: .int(1))
    func make() throws {
      let file = try RealmFile.open(.file(path: path))
      try file.commit([addTable(0)] + (0..<2_100).map { link($0, of: 0) })
      try file.commit([.createObject(CreateObject(object: object))])
    }
    try make()
    let again = try RealmFile.open(.file(path: path))
    #expect(try again.dump().objects["C0"]?.count == 1)
    #expect(try again.latestReadView().catalog["C0"]?.fields.count == 2_101)
  }

  @Test("columns that come between the writes of a row are there for all of them")
  func interleaved() throws {
    let file = try memoryFile()
    try file.commit([addTable(0)])
    let object = ObjectReference(className: "C0", key: .int(1))
    func column(_ number: Int, _ type: PayloadType) -> Instruction {
      .addColumn(AddColumn(table: "C0", field: "f\(number)", type: type))
    }
    func set(_ number: Int, _ value: Payload) -> Instruction {
      .update(Update(target: Target(object: object, field: "f\(number)"), payload: value))
    }
    try file.commit([
      .createObject(CreateObject(object: object)), column(0, .int), set(0, .int(7)), column(1, .string),
      column(2, .decimal128), column(3, .bool), set(1, .string("seven")),
      .eraseColumn(EraseColumn(table: "C0", field: "f0")), column(4, .int), set(3, .bool(true)),
    ])
    let found = try #require(try file.dump().objects["C0"]?[.int(1)])
    #expect(found["f1"] == .value(.string("seven")))
    #expect(found["f2"] == .value(.decimal128(Decimal128())))
    #expect(found["f3"] == .value(.bool(true)))
    #expect(found["f4"] == .value(.int(0)))
    #expect(found["f0"] == nil)
    try file.store.verify()
  }
}

extension [Int] {
  fileprivate var isSorted: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
