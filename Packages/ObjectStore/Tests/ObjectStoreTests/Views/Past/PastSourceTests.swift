import ChangesetOT
import DataModel
import QueryLanguage
import StorageEngine
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("the parts of a past state")
struct PastSourceTests {
  private static func dog(_ key: Int64) -> ObjectReference { PastWorld.dog(key) }

  private static func set(_ object: ObjectReference, _ field: String, _ payload: Payload) -> Instruction {
    .update(Update(target: Target(object: object, field: field), payload: payload))
  }

  private static let schema: [Instruction] = [
    .addTable(AddTable(table: "Dog", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addColumn(AddColumn(table: "Dog", field: "age", type: .int)),
    .addColumn(AddColumn(table: "Dog", field: "friend", type: .link, isNullable: true, linkTarget: "Dog")),
  ]

  /// Dogs 1 … `count` of that age, each the friend of the one before.
  private static func dogs(_ count: Int64) -> [Instruction] {
    (1...count).flatMap { key -> [Instruction] in
      [
        .createObject(CreateObject(object: dog(key))), set(dog(key), "age", .int(key)),
        set(dog(key), "friend", key < count ? .link(dog(key + 1)) : .null),
      ]
    }
  }

  /// The state before some versions, made of the state after them.
  private func past(_ base: [Instruction], before later: [Instruction]...) throws -> PastQuerySource {
    let file = try memoryFile()
    try file.commit(base)
    try file.write(isRecorded: false) { session in
      guard let layout = session.writer.catalog["Dog"], let age = layout.field("age") else { return }
      try session.writer.setIndexed(true, age, of: layout)
    }
    var past = PastStates()
    for (number, instructions) in later.enumerated() {
      past.add(try VersionInverse(of: instructions, in: file.latestReadView()), at: ServerVersion(UInt64(number) + 1))
      try file.commit(instructions)
    }
    return try PastQuerySource(ReadViewQuerySource(try file.latestReadView()), past, at: .zero)
  }

  private func keys(_ text: String, _ className: String, _ source: PastQuerySource) throws -> [ObjectKey] {
    let query = try KeyOrderedQuery(
      try ParsedQuery(parsing: text), className: className, schema: QuerySchema(source.schema))
    let table = try source.table(className)
    let keys = try query.rows(in: source).compactMap { try table?.objectKey(of: $0) }
    return query.plan.hasOrderingClauses ? keys : keys.sorted { $0.precedes($1) }
  }

  @Test("fields that were declared later hold what new objects do")
  func laterField() throws {
    let source = try past(
      Self.schema + Self.dogs(3),
      before: [
        .addColumn(AddColumn(table: "Dog", field: "size", type: .int)),
        .addColumn(AddColumn(table: "Dog", field: "tags", type: .string, collection: .list)),
        Self.set(Self.dog(1), "size", .int(7)),
        .arrayInsert(
          ArrayInsert(
            target: Target(object: Self.dog(1), field: "tags", path: [.index(0)]), payload: .string("a"), priorSize: 0)),
        .eraseObject(EraseObject(object: Self.dog(2))),
      ])
    #expect(try keys("size == 0 AND tags.@count == 0", "Dog", source) == [.int(1), .int(2), .int(3)])
    #expect(try source.fields(of: Self.dog(1))?["size"] == nil)
  }

  @Test("an object that was erased and made again has nothing of what it holds now")
  func madeAgain() throws {
    let source = try past(
      Self.schema + Self.dogs(2), before: [.eraseObject(EraseObject(object: Self.dog(1)))],
      [
        .addColumn(AddColumn(table: "Dog", field: "size", type: .int)),
        .createObject(CreateObject(object: Self.dog(1))), Self.set(Self.dog(1), "size", .int(7)),
      ])
    #expect(try keys("size == 0", "Dog", source) == [.int(1), .int(2)])
    #expect(try keys("age == 1 AND friend.age == 2", "Dog", source) == [.int(1)])
  }

  @Test("classes that were declared later are empty")
  func laterClass() throws {
    let cat = ObjectReference(className: "Cat", key: .int(1))
    let source = try past(
      Self.schema + Self.dogs(2),
      before: [
        .addTable(AddTable(table: "Cat", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
        .addColumn(AddColumn(table: "Cat", field: "friend", type: .link, isNullable: true, linkTarget: "Dog")),
        .createObject(CreateObject(object: cat)), Self.set(cat, "friend", .link(Self.dog(1))),
      ])
    #expect(try keys("TRUEPREDICATE", "Cat", source).isEmpty)
    #expect(try source.table("Cat")?.rowCount == 0)
    #expect(try source.row(of: cat) == nil)
    #expect(try keys("@links.@count == 0", "Dog", source) == [.int(1)])
  }

  @Test("clusters and columns without changes are those of the present")
  func columns() throws {
    let source = try past(Self.schema + Self.dogs(600), before: [Self.set(Self.dog(300), "age", .int(0))])
    let table = try #require(try source.table("Dog"))
    let age = try #require(source.catalog["Dog"]?.number(of: "age"))
    #expect(try table.cluster(at: 0) is ReadViewQueryCluster)
    #expect(try table.cluster(at: 1) is PastQueryCluster)
    #expect(try table.cluster(at: 2) is ReadViewQueryCluster)
    if case .generic = try table.cluster(at: 1).column(age).layout {
    } else {
      Issue.record("a changed column as it lies")
    }
    if case .generic = try table.cluster(at: 1).column(0).layout { Issue.record("an unchanged column value by value") }
  }

  @Test("indexes of changed rows are corrected")
  func indexes() throws {
    let source = try past(
      Self.schema + Self.dogs(600),
      before: [
        Self.set(Self.dog(300), "age", .int(7)), .eraseObject(EraseObject(object: Self.dog(8))),
        .createObject(CreateObject(object: Self.dog(601))), Self.set(Self.dog(601), "age", .int(8)),
      ])
    #expect(try keys("age == 7", "Dog", source) == [.int(7)])
    #expect(try keys("age == 8", "Dog", source) == [.int(8)])
    #expect(try keys("age == 300", "Dog", source) == [.int(300)])
    #expect(try keys("id == 601", "Dog", source).isEmpty)
  }

  @Test("a link leads to an object that is erased now, and nowhere when its object came later")
  func links() throws {
    let source = try past(
      Self.schema + Self.dogs(3) + [Self.set(Self.dog(3), "friend", .link(Self.dog(9)))],
      before: [
        .eraseObject(EraseObject(object: Self.dog(2))), .createObject(CreateObject(object: Self.dog(9))),
        Self.set(Self.dog(9), "age", .int(9)),
      ])
    #expect(try keys("friend.age == 2", "Dog", source) == [.int(1)])
    #expect(try keys("friend == nil", "Dog", source) == [.int(3)])
    #expect(try keys("@links.Dog.friend.age == 1", "Dog", source) == [.int(2)])
    #expect(try keys("friend.friend.friend == nil", "Dog", source) == [.int(1), .int(2), .int(3)])
  }

  @Test("a walk along links reaches what was linked then, and stops at its limit")
  func closure() throws {
    let source = try past(
      Self.schema + Self.dogs(5),
      before: [.eraseObject(EraseObject(object: Self.dog(3))), Self.set(Self.dog(2), "friend", .null)])
    let dogs = try #require(source.catalog["Dog"]?.table)
    let start = try #require(try source.row(of: Self.dog(1)))
    let then = try LinkClosure(from: [dogs: [start.row]], in: source, limit: 5)
    let reached = try then.rows(of: dogs).compactMap { try source.object(in: ClassRow(table: dogs, row: $0))?.key }
    #expect(Set(reached) == [.int(1), .int(2), .int(3), .int(4), .int(5)])
    let now = try LinkClosure(from: [dogs: [start.row]], in: source.present, limit: 5)
    #expect(now.rows(of: dogs).count == 2)
    #expect(throws: LinkClosureError(limit: 4)) { try LinkClosure(from: [dogs: [start.row]], in: source, limit: 4) }
  }

  @Test("the outcome of a LIMIT does not depend on rows")
  func limit() throws {
    let source = try past(
      Self.schema + Self.dogs(5),
      before: [
        .eraseObject(EraseObject(object: Self.dog(1))), .eraseObject(EraseObject(object: Self.dog(2))),
        .createObject(CreateObject(object: Self.dog(2))),
      ])
    #expect(try keys("TRUEPREDICATE LIMIT(3)", "Dog", source) == [.int(1), .int(2), .int(3)])
    #expect(try keys("age > 1 LIMIT(2)", "Dog", source) == [.int(2), .int(3)])
  }

  @Test("a damaged inverse is an error")
  func damage() throws {
    let file = try memoryFile()
    try file.commit(Self.schema + Self.dogs(2))
    let readView = try file.latestReadView()
    let layout = try #require(readView.catalog["Dog"])
    let part = VersionInverse.Part(object: Self.dog(1), existed: true, fields: ["age": .list([.remove(0)])])
    #expect(throws: StorageError.self) { try PastObject(Self.dog(1), layout, [part], in: readView) }
  }
}
