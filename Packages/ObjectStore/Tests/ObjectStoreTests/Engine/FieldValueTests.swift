import ChangesetOT
import DataModel
import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("values of fields that arrive")
struct FieldValueTests {
  private static let object = ObjectReference(className: "All", key: .int(1))

  private static let values: [(type: PayloadType, payload: Payload)] = [
    (.int, .int(-5)), (.bool, .bool(true)), (.string, .string("text beyond fifteen bytes")), (.data, .data([0, 255])),
    (.timestamp, .timestamp(Timestamp(seconds: 7))), (.float, .float(Float(1.5).bitPattern)),
    (.double, .double(Double(2.5).bitPattern)), (.decimal128, .decimal128(Decimal128(high: 3, low: 4))),
    (.objectId, .objectId(.zero)), (.uuid, .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))),
  ]

  private func name(_ type: PayloadType, _ isNullable: Bool) -> String { "\(type)\(isNullable ? "?" : "")" }

  private func set(_ field: String, _ payload: Payload) -> Instruction {
    .update(Update(target: Target(object: Self.object, field: field), payload: payload))
  }

  /// An object with a field of every type, once of values and once of values or null.
  private func file() throws -> RealmFile {
    let key = PrimaryKeyColumn(field: "id", type: .int)
    var instructions: [Instruction] = [.addTable(AddTable(table: "All", primaryKey: key))]
    for (type, _) in Self.values {
      for isNullable in [false, true] {
        let column = AddColumn(table: "All", field: name(type, isNullable), type: type, isNullable: isNullable)
        instructions.append(.addColumn(column))
      }
    }
    let link = AddColumn(table: "All", field: "link", type: .link, isNullable: true, linkTarget: "All")
    instructions.append(.addColumn(link))
    instructions.append(.addColumn(AddColumn(table: "All", field: "mixed", type: nil, isNullable: true)))
    let file = try memoryFile()
    try file.commit(instructions + [.createObject(CreateObject(object: Self.object))])
    return file
  }

  private func held(_ field: String, _ file: RealmFile) throws -> StateDump.Item? {
    try file.dump().objects["All"]?[Self.object.key]?[field]
  }

  @Test("a field takes values of its own type, in any order of fields")
  func ownType() throws {
    let file = try file()
    var instructions: [Instruction] = []
    for isNullable in [true, false] {
      for (type, payload) in Self.values.reversed() { instructions.append(set(name(type, isNullable), payload)) }
    }
    try file.commit(instructions)
    for (type, payload) in Self.values {
      for isNullable in [false, true] {
        #expect(try held(name(type, isNullable), file) == payload.value.map { .value($0) })
      }
    }
  }

  @Test("a field takes null where it may be null, before and after it has a value")
  func null() throws {
    let file = try file()
    for (type, payload) in Self.values {
      for steps in [[Payload.null], [payload, .null], [.null, .null]] {
        try file.commit(steps.map { set(name(type, true), $0) })
        #expect(try held(name(type, true), file) == .value(.null))
      }
      let error = #expect(throws: BadChangesetError.self) { try file.commit([set(name(type, false), .null)]) }
      #expect(error?.refusal == .notNullable)
    }
    for (field, payload) in [("link", Payload.link(Self.object)), ("mixed", .int(1)), ("mixed", .link(Self.object))] {
      for steps in [[Payload.null], [payload, .null], [.null, payload, .null, .null]] {
        try file.commit(steps.map { set(field, $0) })
        #expect(try held(field, file) == .value(.null))
        #expect(try LinkBooks(file).complaint == nil)
      }
    }
  }

  @Test("null is refused also where a field came after its object")
  func laterField() throws {
    let file = try file()
    try file.commit([.addColumn(AddColumn(table: "All", field: "late", type: .int))])
    let error = #expect(throws: BadChangesetError.self) { try file.commit([set("late", .null)]) }
    #expect(error?.refusal == .notNullable)
    try file.commit([set("late", .int(3))])
    #expect(try held("late", file) == .value(.int(3)))
  }

  @Test("the index of a field knows what arrives")
  func indexedField() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let object = ObjectReference(className: "Person", key: .int(1))
    func age(_ value: Int64) -> Instruction {
      .update(Update(target: Target(object: object, field: "age"), payload: .int(value)))
    }
    try realm.file.commit([.createObject(CreateObject(object: object)), age(30), age(40)])
    realm.refresh()
    for (value, count) in [(0, 0), (30, 0), (40, 1)] {
      #expect(realm.objects(Person.self).where { $0.age == value }.count == count)
    }
  }

  @Test("a field refuses values of other types, and nothing has happened then")
  func otherType() throws {
    let file = try file()
    let before = try file.dump()
    for (type, _) in Self.values {
      for (other, payload) in Self.values where other != type {
        for isNullable in [false, true] {
          let error = #expect(throws: BadChangesetError.self) {
            try file.commit([set(name(type, isNullable), payload)])
          }
          #expect(error?.refusal == .otherType)
        }
      }
    }
    for (field, refusal) in [("id", ChangesetRefusal.keyWritten), ("none", .unknownField)] {
      for payload in [Payload.int(1), .null] {
        #expect(throws: BadChangesetError.self) { try file.commit([set(field, payload)]) }
        let instructions = [set("int", .int(1)), set(field, payload)]
        let error = #expect(throws: BadChangesetError.self) { try file.commit(instructions) }
        #expect(error?.refusal == refusal)
        #expect(error?.instruction == 1)
      }
    }
    #expect(try file.dump() == before)
  }
}
