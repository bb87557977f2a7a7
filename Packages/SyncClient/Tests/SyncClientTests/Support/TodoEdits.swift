import ChangesetOT
import DataModel
import ObjectStore
import TestKit

/// Random edits of a to-do list, each legal on what a file shows.
enum TodoEdits {
  /// The class `Item`: key `_id`, `title`, `count`, `tags`.
  static let schema: [Instruction] = [
    .addTable(
      AddTable(
        table: "Item", kind: .topLevel, primaryKey: PrimaryKeyColumn(field: "_id", type: .int, isNullable: false))),
    .addColumn(AddColumn(table: "Item", field: "title", type: .string)),
    .addColumn(AddColumn(table: "Item", field: "count", type: .int)),
    .addColumn(AddColumn(table: "Item", field: "tags", type: .string, collection: .list)),
  ]

  static func some(on dump: StateDump, using random: inout SeededGenerator) -> [Instruction] {
    let items = dump.objects["Item"] ?? [:]
    var keys = Set(items.keys)
    var sizes: [ObjectKey: UInt32] = items.mapValues { fields in
      if case .list(let tags)? = fields["tags"] { return UInt32(tags.count) }
      return 0
    }
    var instructions: [Instruction] = []
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      let key = ObjectKey.int(Int64.random(in: 0..<6, using: &random))
      let object = ObjectReference(className: "Item", key: key)
      let tags = Target(object: object, field: "tags")
      guard keys.contains(key) else {
        keys.insert(key)
        sizes[key] = 0
        instructions.append(.createObject(CreateObject(object: object)))
        continue
      }
      let size = sizes[key] ?? 0
      let at = UInt32.random(in: 0...size, using: &random)
      let element = Target(object: object, field: "tags", path: [.index(at)])
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        keys.remove(key)
        instructions.append(.eraseObject(EraseObject(object: object)))
      case 1, 2:
        let title = "title \(UInt64.random(in: 0..<1_000, using: &random))"
        instructions.append(.update(Update(target: Target(object: object, field: "title"), payload: .string(title))))
      case 3:
        instructions.append(.addInteger(AddInteger(target: Target(object: object, field: "count"), amount: 1)))
      case 4 where at < size:
        instructions.append(.arrayErase(ArrayErase(target: element, priorSize: size)))
        sizes[key] = size - 1
      case 5 where at < size:
        instructions.append(
          .update(Update(target: element, payload: .string("set \(at)"), priorSize: size)))
      case 6 where at < size && size > 1:
        let destination = UInt32.random(in: 0..<size, using: &random)
        if destination != at {
          instructions.append(.arrayMove(ArrayMove(target: element, destination: destination, priorSize: size)))
        }
      case 7:
        instructions.append(.clear(Clear(target: tags, collection: .list)))
        sizes[key] = 0
      default:
        let tag = "tag \(UInt64.random(in: 0..<1_000, using: &random))"
        instructions.append(.arrayInsert(ArrayInsert(target: element, payload: .string(tag), priorSize: size)))
        sizes[key] = size + 1
      }
    }
    return instructions
  }
}
