public import ChangesetOT
import DataModel

extension MergeWorkload {
  /// The instructions from the empty state to the common base of both histories of a shape.
  ///
  /// ``Shape/objectMix`` cannot be applied to a state: it writes to objects that its own side erased.
  public static func base(of shape: Shape) -> [Instruction] {
    var instructions: [Instruction] = [
      .addTable(AddTable(table: "Item", primaryKey: PrimaryKeyColumn(field: "_id", type: .int))),
      .addColumn(AddColumn(table: "Item", field: "n", type: .int)),
      .addColumn(AddColumn(table: "Item", field: "s", type: .string)),
      .addColumn(AddColumn(table: "Item", field: "tags", type: .int, collection: .list)),
      .addColumn(AddColumn(table: "Item", field: "props", type: nil, isNullable: true, collection: .dictionary)),
      .addColumn(AddColumn(table: "Item", field: "ref", type: .link, isNullable: true, linkTarget: "Item")),
    ]
    func create(_ key: Int64) {
      instructions.append(
        .createObject(CreateObject(object: ObjectReference(className: "Item", key: .int(key)))))
    }
    switch shape {
    case .listInserts, .listAppends, .listMix:
      create(1)
      let object = ObjectReference(className: "Item", key: .int(1))
      for number in UInt32(0)..<10_000 {
        let target = Target(object: object, field: "tags", path: [.index(number)])
        instructions.append(
          .arrayInsert(ArrayInsert(target: target, payload: .int(Int64(number)), priorSize: number)))
      }
    case .hotField, .hotCounter, .dictionary: create(1)
    case .sharedObjects, .objectMix: for key in Int64(0)..<1_000 { create(key) }
    case .equalCreations: break
    }
    return instructions
  }
}
