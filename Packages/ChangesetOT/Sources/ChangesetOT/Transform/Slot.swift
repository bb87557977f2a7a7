import DataModel

/// One instruction of a ``Branch``, with its address and its origin.
struct Slot {
  var instruction: Instruction
  let code: InstructionCode
  let address: Address
  let origin: ChangesetOrigin
  /// The index of its changeset in the branch.
  let changeset: Int
  /// The index in its changeset before the merge.
  let position: Int
  var isDropped = false

  /// The number of path components that the instruction addresses: 1 a class, 2 an object or column, 3 and more a field.
  var level: Int {
    switch code {
    case .addTable, .eraseTable: 1
    case .createObject, .eraseObject, .addColumn, .eraseColumn: 2
    case .update, .addInteger, .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert, .setErase:
      3 + (instruction.target?.path.count ?? 0)
    }
  }
}

extension Slot {
  /// The erasure of a column that the other side just added, for insertion before the erasure of a class.
  init(erasing column: Slot, before erasure: Slot) {
    var instruction = column.instruction
    if case .addColumn(let add) = instruction {
      instruction = .eraseColumn(EraseColumn(table: add.table, field: add.field))
    }
    self.init(
      instruction: instruction, code: .eraseColumn, address: column.address, origin: erasure.origin,
      changeset: erasure.changeset, position: erasure.position)
  }
}
