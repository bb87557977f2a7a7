import ChangesetOT
import ChangesetOTTestSupport
import DataModel

@testable import ObjectStore
@testable import RecordStore

/// For every ``ChangesetRefusal`` an instruction that meets it on the state of ``ModelState/sample()``, with classes `Doc`
/// (text keys) and `Loose` (no keys) beside it.
enum RefusalTable {
  static let declarations: [Instruction] = [
    .addTable(AddTable(table: "Doc", primaryKey: PrimaryKeyColumn(field: "id", type: .string))),
    .addTable(AddTable(table: "Loose", primaryKey: PrimaryKeyColumn(field: "", type: .global))),
  ]

  private static func item(_ key: Int64) -> ObjectReference { ObjectReference(className: "Item", key: .int(key)) }
  private static func at(_ key: Int64, _ field: String, _ path: PathElement...) -> Target {
    Target(object: item(key), field: field, path: path)
  }
  private static func write(_ target: Target, _ payload: Payload, prior: UInt32? = nil) -> Instruction {
    .update(Update(target: target, payload: payload, priorSize: prior))
  }
  private static func column(
    _ table: String, _ field: String, _ type: PayloadType?, _ collection: CollectionKind = .single,
    to target: String? = nil
  ) -> Instruction {
    .addColumn(AddColumn(table: table, field: field, type: type, collection: collection, linkTarget: target))
  }
  private static func table(_ name: String, _ key: PrimaryKeyColumn?, _ kind: ObjectKind = .topLevel) -> Instruction {
    .addTable(AddTable(table: name, kind: kind, primaryKey: key))
  }
  private static let intKey = PrimaryKeyColumn(field: "_id", type: .int)

  static let rows: [(refusal: ChangesetRefusal, instruction: Instruction)] =
    declared + [
      (.classWithoutKeys, .createObject(CreateObject(object: ObjectReference(className: "Sub", key: .int(1))))),
      (.keyOfOtherType, .createObject(CreateObject(object: ObjectReference(className: "Item", key: .string("a"))))),
      (.keyOfOtherType, .createObject(CreateObject(object: ObjectReference(className: "Item", key: .null)))),
      (.unknownObject, write(at(99, "n"), .int(1))),
      (.keyWritten, write(at(1, "_id"), .int(9))),
    ] + paths + values + collections

  private static let declared: [(refusal: ChangesetRefusal, instruction: Instruction)] = [
    (.unknownClass, .createObject(CreateObject(object: ObjectReference(className: "Nope", key: .int(1))))),
    (.unknownClass, .eraseTable(EraseTable(table: "Nope"))),
    (.unknownClass, column("Item", "far", .link, to: "Nope")),
    (.unknownClass, write(at(1, "m"), .link(ObjectReference(className: "Nope", key: .int(1))))),
    (.unknownField, write(at(1, "nope"), .int(1))),
    (.unknownField, write(at(1, "subs", .index(0), .name("nope")), .int(1))),
    (.unknownField, .eraseColumn(EraseColumn(table: "Item", field: "nope"))),
    (.invalidClassName, table("", intKey)),
    (.invalidClassName, table(String(repeating: "a", count: 58), intKey)),
    (.invalidFieldName, column("Item", "", .int)),
    (.invalidFieldName, column("Item", String(repeating: "a", count: 64), .int)),
    (.invalidFieldName, column("Loose", "!key", .data)),
    (.invalidFieldName, table("New", PrimaryKeyColumn(field: "", type: .int))),
    (.invalidClassKey, table("New", PrimaryKeyColumn(field: "k", type: .null))),
    (.invalidClassKey, table("New", PrimaryKeyColumn(field: "k", type: .global))),
    (.invalidClassKey, table("New", nil)),
    (.invalidFieldType, column("Item", "new", .objectValue)),
    (.classDeclaredDifferently, table("Item", nil, .embedded)),
    (.classDeclaredDifferently, table("Item", PrimaryKeyColumn(field: "_id", type: .int, isNullable: true))),
    (.fieldDeclaredDifferently, column("Item", "n", .string)),
    (.fieldDeclaredDifferently, column("Item", "n", .int, .list)),
    (.fieldDeclaredDifferently, column("Item", "ref", .link, to: "Doc")),
    (.classLinkedTo, .eraseTable(EraseTable(table: "Sub"))),
    (.keyErased, .eraseColumn(EraseColumn(table: "Item", field: "_id"))),
    (.embeddedSet, column("Item", "new", .link, .set, to: "Sub")),
  ]

  private static let paths: [(refusal: ChangesetRefusal, instruction: Instruction)] = [
    (.pathOutOfList, write(at(1, "subs", .index(9), .name("x")), .int(1))),
    (.pathOutOfList, write(at(1, "m", .index(9), .name("k")), .int(1))),
    (.pathToMissingKey, write(at(1, "subd", .name("zz"), .name("x")), .int(1))),
    (.pathToMissingKey, write(at(1, "props", .name("zz"), .name("x")), .int(1))),
    (.pathThroughNull, write(at(2, "sub", .name("x")), .int(1))),
    (.pathMismatch, write(at(1, "subs", .name("a"), .name("x")), .int(1))),
    (.pathMismatch, write(at(2, "m", .name("a")), .int(1))),
    (.pathMismatch, .clear(Clear(target: at(1, "m", .name("a"), .name("b")), collection: .list))),
    (.notMixed, write(at(1, "tags", .index(0), .index(0)), .int(1), prior: 1)),
    (.notMixed, .clear(Clear(target: at(1, "n"), collection: .list))),
  ]

  private static let values: [(refusal: ChangesetRefusal, instruction: Instruction)] = [
    (.notNullable, write(at(1, "n"), .null)),
    (.notNullable, write(at(1, "tags", .index(0)), .null, prior: 3)),
    (.otherType, write(at(1, "n"), .string("a"))),
    (.otherType, write(at(1, "n"), .link(item(1)))),
    (.otherType, write(at(1, "tags", .index(0)), .int(1), prior: 3)),
    (.otherType, .setInsert(SetInsert(target: at(1, "nums"), payload: .string("a")))),
    (.otherType, .setErase(SetErase(target: at(1, "nums"), payload: .string("a")))),
    (.otherLinkTarget, write(at(1, "ref"), .link(ObjectReference(className: "Doc", key: .string("a"))))),
    (.embeddedObjectLinked, write(at(1, "sub"), .link(item(1)))),
    (.embeddedObjectLinked, write(at(1, "subd", .name("a")), .link(item(1)))),
    (.embeddedObjectLinked, write(at(1, "subs", .index(0)), .null, prior: 2)),
    (
      .embeddedObjectLinked,
      .arrayInsert(ArrayInsert(target: at(1, "subs", .index(0)), payload: .link(item(1)), priorSize: 2))
    ),
    (.misplacedEmbeddedObject, write(at(1, "m"), .objectValue)),
    (.misplacedErasure, write(at(1, "m"), .erased)),
    (.misplacedCollection, write(at(1, "n"), .list)),
    (.misplacedCollection, write(at(1, "m"), .set)),
    (.misplacedCollection, .setInsert(SetInsert(target: at(1, "nums"), payload: .dictionary))),
    (.misplacedCollection, .clear(Clear(target: at(1, "m"), collection: .set))),
    (.wholeCollectionWritten, write(at(1, "tags"), .string("a"))),
    (.notAField, .addInteger(AddInteger(target: at(1, "props", .name("a")), amount: 1))),
    (.notAnInteger, .addInteger(AddInteger(target: at(1, "s"), amount: 1))),
  ]

  private static let collections: [(refusal: ChangesetRefusal, instruction: Instruction)] = [
    (
      .notAList,
      .arrayInsert(ArrayInsert(target: at(1, "props", .name("a"), .index(0)), payload: .int(1), priorSize: 0))
    ),
    (.notASet, .setInsert(SetInsert(target: at(1, "tags"), payload: .string("a")))),
    (.otherCollection, .clear(Clear(target: at(1, "tags"), collection: .set))),
    (.indexMissing, write(at(1, "tags", .name("a")), .string("a"))),
    (.nameMissing, write(at(1, "props", .index(0)), .int(1), prior: 1)),
    (.nameMissing, write(at(1, "sub", .index(0)), .int(1), prior: 1)),
    (.otherSize, .arrayErase(ArrayErase(target: at(1, "tags", .index(0)), priorSize: 9))),
    (.otherSize, write(at(1, "m", .index(0)), .int(1), prior: 9)),
    (.indexOutOfRange, .arrayErase(ArrayErase(target: at(1, "tags", .index(3)), priorSize: 3))),
    (
      .indexOutOfRange,
      .arrayInsert(ArrayInsert(target: at(1, "tags", .index(4)), payload: .string("a"), priorSize: 3))
    ),
    (
      .destinationOutOfRange,
      .arrayMove(ArrayMove(target: at(1, "tags", .index(0)), destination: 3, priorSize: 3))
    ),
    (.idleMove, .arrayMove(ArrayMove(target: at(1, "tags", .index(1)), destination: 1, priorSize: 3))),
  ]
}
