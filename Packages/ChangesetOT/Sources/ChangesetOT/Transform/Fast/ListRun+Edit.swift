import DataModel

extension ListRun.Edit {
  /// The longest list whose indices cannot overflow `Int32` during a transform.
  private static let sizeLimit: UInt32 = 1 << 29

  /// The numbers of a list instruction; nil for other instructions, other lists, and indices out of range.
  init?(_ instruction: Instruction, _ list: [PathElement], _ rank: Int32, _ slot: Int32) {
    let target: Target
    let size: UInt32
    var limit: UInt32
    switch instruction {
    case .arrayInsert(let it):
      (target, size, limit) = (it.target, it.priorSize, it.priorSize)
      self.init(index: 0, rank: rank, delta: 1, priorSize: 0, kind: .insert, slot: slot)
    case .arrayErase(let it):
      (target, size, limit) = (it.target, it.priorSize, it.priorSize &- 1)
      self.init(index: 0, rank: rank, delta: -1, priorSize: 0, kind: .erase, slot: slot)
    case .arrayMove(let it):
      guard it.destination < it.priorSize, it.priorSize < Self.sizeLimit else { return nil }
      (target, size, limit) = (it.target, it.priorSize, it.priorSize &- 1)
      self.init(
        index: 0, destination: Int32(it.destination), rank: rank, delta: 0, priorSize: 0, kind: .move, slot: slot)
    case .update(let it):
      guard let priorSize = it.priorSize else { return nil }
      (target, size, limit) = (it.target, priorSize, priorSize &- 1)
      let content: ListRun.Content =
        switch it.payload {
        case .objectValue: .object
        case .list: .list
        case .dictionary: .dictionary
        case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .link, .objectId, .uuid,
          .erased, .set:
          .value
        }
      self.init(index: 0, rank: rank, delta: 0, priorSize: 0, kind: .set, content: content, slot: slot)
    case .addTable, .eraseTable, .createObject, .eraseObject, .addInteger, .addColumn, .eraseColumn, .clear,
      .setInsert, .setErase:
      return nil
    }
    guard let index = target.index, target.path.count == list.count + 1, list.isPrefix(of: target.path),
      size < Self.sizeLimit, kind == .insert || size > 0, index <= limit
    else { return nil }
    self.index = Int32(index)
    priorSize = Int32(size)
  }
}

extension Instruction {
  /// Sets the numbers of a list instruction; does nothing when they are the same.
  mutating func setListNumbers(index: UInt32, destination: UInt32, priorSize: UInt32) {
    switch self {
    case .arrayInsert(var it) where it.target.index != index || it.priorSize != priorSize:
      it.target.index = index
      it.priorSize = priorSize
      self = .arrayInsert(it)
    case .arrayErase(var it) where it.target.index != index || it.priorSize != priorSize:
      it.target.index = index
      it.priorSize = priorSize
      self = .arrayErase(it)
    case .arrayMove(var it):
      it.target.index = index
      it.destination = destination
      it.priorSize = priorSize
      self = .arrayMove(it)
    case .update(var it) where it.target.index != index || it.priorSize != priorSize:
      it.target.index = index
      it.priorSize = priorSize
      self = .update(it)
    case .arrayInsert, .arrayErase, .update, .addTable, .eraseTable, .createObject, .eraseObject, .addInteger,
      .addColumn,
      .eraseColumn, .clear, .setInsert, .setErase:
      break
    }
  }
}
