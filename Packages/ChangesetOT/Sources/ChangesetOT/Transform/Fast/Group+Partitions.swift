import DataModel

extension Group {
  /// A dictionary key or a set value: instructions of one field with different keys do not conflict.
  private enum PartitionKey: Hashable {
    case path([ExactString])
    case value(Payload)
  }

  /// The group split by dictionary key, or by set value; nil when its instructions can conflict across keys, or are few.
  ///
  /// - Complexity: O(*n* + *m*) in the number of instructions.
  func partitioned(_ left: Branch, _ right: Branch) -> [Group]? {
    guard local.count > 8 || incoming.count > 8 else { return nil }
    var depth: Int?
    var numbers: [PartitionKey: Int] = [:]
    var partitions: [Group] = []
    for index in local {
      guard let key = Self.key(of: left.slots[index].instruction, &depth) else { return nil }
      if let number = numbers[key] {
        partitions[number].local.append(index)
      } else {
        numbers[key] = partitions.count
        partitions.append(Group(local: [index]))
      }
    }
    for index in incoming {
      guard let key = Self.key(of: right.slots[index].instruction, &depth) else { return nil }
      if let number = numbers[key] { partitions[number].incoming.append(index) }
    }
    return partitions
  }

  /// The key of an instruction; nil unless its path consists of names and has the depth of all the others.
  private static func key(of instruction: Instruction, _ depth: inout Int?) -> PartitionKey? {
    switch instruction {
    case .update(let it):
      return names(it.target, 0, &depth).map(PartitionKey.path)
    case .addInteger(let it):
      return names(it.target, 0, &depth).map(PartitionKey.path)
    case .setInsert(let it):
      return names(it.target, 1_000_000, &depth) == [] ? .value(it.payload) : nil
    case .setErase(let it):
      return names(it.target, 1_000_000, &depth) == [] ? .value(it.payload) : nil
    case .addTable, .eraseTable, .createObject, .eraseObject, .addColumn, .eraseColumn, .arrayInsert, .arrayMove,
      .arrayErase, .clear:
      return nil
    }
  }

  /// The names of a path of the expected depth; `kind` is added to the depth and keeps sets and single values apart.
  private static func names(_ target: Target, _ kind: Int, _ depth: inout Int?) -> [ExactString]? {
    guard depth == nil || depth == kind + target.path.count else { return nil }
    depth = kind + target.path.count
    var names: [ExactString] = []
    for element in target.path {
      guard case .name(let name) = element else { return nil }
      names.append(ExactString(name))
    }
    return names
  }
}
