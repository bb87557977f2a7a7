import ByteCoding
import ChangesetOT
import DataModel
import FoundationEssentials

/// The worked examples of the format, instruction by instruction and byte by byte.
struct WorkedExample: Sendable, CustomStringConvertible {
  var description: String
  var hex: String
  var instructions: [Instruction]

  var bytes: [UInt8] { hexBytes(hex) ?? [] }

  static let all = [firstCommit, listOfStrings, valueTypes, nested, withoutKey]

  static let firstCommit = WorkedExample(
    description: "1: first commit",
    hex: """
      3F 00 04 49 74 65 6D 3F 01 03 5F 69 64 3F 02 01 6E
      00 00 00 01 01 00  06 00 02 01 00 00  02 00 01 01  04 00 01 01 02 00 01 05 00
      """,
    instructions: [
      .addTable(AddTable(table: "Item", primaryKey: PrimaryKeyColumn(field: "_id", type: .int))),
      .addColumn(AddColumn(table: "Item", field: "n", type: .int)),
      .createObject(CreateObject(object: item)),
      .update(Update(target: Target(object: item, field: "n"), payload: .int(5))),
    ])

  /// The first example as a recorder orders it: strings where first needed.
  static let firstCommitRecorded = """
    3F 00 04 49 74 65 6D 3F 01 03 5F 69 64 00 00 00 01 01 00 3F 02 01 6E 06 00 02 01 00 00
    02 00 01 01 04 00 01 01 02 00 01 05 00
    """

  static let listOfStrings = WorkedExample(
    description: "2: a list of strings",
    hex: """
      3F 00 04 49 74 65 6D  3F 01 04 74 61 67 73  06 00 01 03 00 01
      08 00 01 01 01 01 00 03 01 61 00  08 00 01 01 01 01 01 03 01 62 01
      04 00 01 01 01 01 00 03 01 41 02  09 00 01 01 01 01 00 01 02  0A 00 01 01 01 01 01 02
      0B 00 01 01 01 00 01
      """,
    instructions: [
      .addColumn(AddColumn(table: "Item", field: "tags", type: .string, collection: .list)),
      .arrayInsert(ArrayInsert(target: tag(0), payload: .string("a"), priorSize: 0)),
      .arrayInsert(ArrayInsert(target: tag(1), payload: .string("b"), priorSize: 1)),
      .update(Update(target: tag(0), payload: .string("A"), priorSize: 2)),
      .arrayMove(ArrayMove(target: tag(0), destination: 1, priorSize: 2)),
      .arrayErase(ArrayErase(target: tag(1), priorSize: 2)),
      .clear(Clear(target: Target(object: item, field: "tags"), collection: .list)),
    ])

  static let valueTypes = WorkedExample(
    description: "3: value types and a string key",
    hex: """
      3F 00 05 4F 72 64 65 72 3F 01 03 6B 2D 31 3F 02 02 61 74 3F 03 05 74 6F 74 61 6C
      3F 04 04 72 61 74 65 3F 05 04 69 74 65 6D 3F 06 04 49 74 65 6D 3F 07 03 74 61 67
      3F 08 04 6E 6F 74 65 3F 09 05 63 6F 75 6E 74
      02 00 03 01  04 00 03 01 02 00 05 80 E2 CF AA 06 05 00  04 00 03 01 03 00 08 D2 09 41 00 00
      04 00 03 01 04 00 07 00 00 00 00 00 00 F8 3F 00  04 00 03 01 05 00 09 06 01 AC 02 00
      04 00 03 01 07 00 0B 00 11 22 33 44 55 66 77 88 99 AA BB CC DD EE FF 01
      04 00 03 01 08 00 00 00  05 00 03 01 09 00 42
      """,
    instructions: [
      .createObject(CreateObject(object: order)),
      write("at", .timestamp(Timestamp(seconds: 1_700_000_000, nanoseconds: 5))),
      write("total", .decimal128(Decimal128(isNegative: false, coefficient: 1234, exponent: -2) ?? zero)),
      write("rate", .double((1.5).bitPattern)),
      write("item", .link(ObjectReference(className: "Item", key: .int(300)))),
      write("tag", .uuid(UUID(uuidString: "00112233-4455-6677-8899-aabbccddeeff") ?? UUID()), isDefault: true),
      write("note", .null),
      .addInteger(AddInteger(target: Target(object: order, field: "count"), amount: -3)),
    ])

  static let nested = WorkedExample(
    description: "4: embedded list, dictionary, list in mixed, ObjectId key",
    hex: """
      3F 00 03 53 75 62 3F 01 03 44 6F 63 3F 02 04 73 75 62 73 3F 03 05 70 72 6F 70 73 3F 04 01 78
      3F 05 05 63 6F 6C 6F 72 3F 06 04 73 69 7A 65 00 00 01 06 01 02 09 00 01 00 06 01 03 00 01 02 03
      08 01 0A 01 23 45 67 89 AB CD EF 01 23 45 67 02 01 00 41 00
      04 01 0A 01 23 45 67 89 AB CD EF 01 23 45 67 02 02 00 40 04 01 40 00
      04 01 0A 01 23 45 67 89 AB CD EF 01 23 45 67 03 01 40 05 03 03 72 65 64 00
      04 01 0A 01 23 45 67 89 AB CD EF 01 23 45 67 03 01 40 06 44 00
      08 01 0A 01 23 45 67 89 AB CD EF 01 23 45 67 03 02 40 06 00 02 01 00
      04 01 0A 01 23 45 67 89 AB CD EF 01 23 45 67 03 01 40 05 43 00
      03 01 0A 01 23 45 67 89 AB CD EF 01 23 45 67
      """,
    instructions: [
      .addTable(AddTable(table: "Sub", kind: .embedded, primaryKey: nil)),
      .addColumn(AddColumn(table: "Doc", field: "subs", type: .link, collection: .list, linkTarget: "Sub")),
      .addColumn(AddColumn(table: "Doc", field: "props", type: nil, isNullable: true, collection: .dictionary)),
      .arrayInsert(ArrayInsert(target: document("subs", .index(0)), payload: .objectValue, priorSize: 0)),
      .update(Update(target: document("subs", .index(0), .name("x")), payload: .int(-1))),
      .update(Update(target: document("props", .name("color")), payload: .string("red"))),
      .update(Update(target: document("props", .name("size")), payload: .list)),
      .arrayInsert(
        ArrayInsert(target: document("props", .name("size"), .index(0)), payload: .bool(true), priorSize: 0)),
      .update(Update(target: document("props", .name("color")), payload: .erased)),
      .eraseObject(EraseObject(object: doc)),
    ])

  static let withoutKey = WorkedExample(
    description: "5: class without key, set, erasure",
    hex: """
      3F 00 03 4C 6F 67  3F 01 00  3F 02 04 6E 75 6D 73  00 00 00 01 40 00  06 00 02 01 00 03  02 00 40 02 00
      0C 00 40 02 00 02 00 01 C8 01  0D 00 40 02 00 02 00 01 C8 01  0B 00 40 02 00 02 00 03  07 00 02  01 00
      """,
    instructions: [
      .addTable(AddTable(table: "Log", primaryKey: PrimaryKeyColumn(field: "", type: .global))),
      .addColumn(AddColumn(table: "Log", field: "nums", type: .int, collection: .set)),
      .createObject(CreateObject(object: log)),
      .setInsert(SetInsert(target: nums, payload: .int(200))),
      .setErase(SetErase(target: nums, payload: .int(200))),
      .clear(Clear(target: nums, collection: .set)),
      .eraseColumn(EraseColumn(table: "Log", field: "nums")),
      .eraseTable(EraseTable(table: "Log")),
    ])

  private static let item = ObjectReference(className: "Item", key: .int(1))
  private static let order = ObjectReference(className: "Order", key: .string("k-1"))
  private static let doc = ObjectReference(
    className: "Doc", key: .objectId((try? ObjectId(string: "0123456789abcdef01234567")) ?? .zero))
  private static let log = ObjectReference(className: "Log", key: .global(GlobalKey(high: 2, low: 0)))
  private static let nums = Target(object: log, field: "nums")
  private static let zero = Decimal128(high: 0, low: 0)

  private static func tag(_ index: UInt32) -> Target { Target(object: item, field: "tags", path: [.index(index)]) }
  private static func document(_ field: String, _ path: PathElement...) -> Target {
    Target(object: doc, field: field, path: path)
  }
  private static func write(_ field: String, _ payload: Payload, isDefault: Bool = false) -> Instruction {
    .update(Update(target: Target(object: order, field: field), payload: payload, isDefault: isDefault))
  }
}
