import ChangesetOT
import DataModel
import StorageEngine

extension FieldInverse {
  /// Steps that are kept for a list in one version; with more, the whole list is.
  static let mostSteps = 64

  /// The inverse with one more instruction of the version taken into account.
  ///
  /// - Parameters:
  ///   - inverse: of the instructions of the version before this one; nil for the first on the field.
  ///   - readView: the state before the version.
  /// - Complexity: O(log *n*) and the value that the instruction replaces; the size of the list once it exceeds
  ///   ``mostSteps``.
  static func adding(
    _ instruction: Instruction, to inverse: FieldInverse?, _ cell: Cell, in readView: ReadView
  ) throws -> FieldInverse {
    switch (cell.field.collection, inverse) {
    case (_, .absent?), (_, .whole?): return inverse ?? .absent
    case (.list, .list(let steps)?): return try adding(instruction, to: steps, cell, readView)
    case (.list, _): return try adding(instruction, to: [], cell, readView)
    case (.dictionary, .entries(let entries)?): return try adding(instruction, toEntries: entries, cell, readView)
    case (.dictionary, _): return try adding(instruction, toEntries: [:], cell, readView)
    case (.set, .members(let members)?): return try adding(instruction, toMembers: members, cell, readView)
    case (.set, _): return try adding(instruction, toMembers: [:], cell, readView)
    case (.single, _): return .whole(try readView.fieldItem(cell))
    }
  }

  // MARK: Lists

  /// - Parameter steps: back, the last instruction's first.
  private static func adding(
    _ instruction: Instruction, to steps: [ListStep], _ cell: Cell, _ readView: ReadView
  ) throws -> FieldInverse {
    guard let path = instruction.target?.path, case .index(let number)? = path.first, steps.count < mostSteps else {
      return .whole(try readView.fieldItem(cell))
    }
    let index = Int(number)
    let step: ListStep?
    switch instruction {
    case .arrayInsert where path.count == 1: step = .remove(index)
    case .arrayMove(let it) where path.count == 1: step = .move(from: Int(it.destination), to: index)
    case .arrayErase where path.count == 1:
      step = .insert(index, try element(index, after: steps, cell, readView) ?? .value(.null))
    default: step = try element(index, after: steps, cell, readView).map { .set(index, $0) }
    }
    return .list((step.map { [$0] } ?? []) + steps)
  }

  /// The element before the version of what has a position now; nil for one that the version put in.
  private static func element(
    _ position: Int, after steps: [ListStep], _ cell: Cell, _ readView: ReadView
  ) throws -> StateDump.Item? {
    var position = position
    for step in steps {
      switch step {
      case .remove(let index):
        if position == index { return nil }
        if position > index { position -= 1 }
      case .insert(let index, _): if position >= index { position += 1 }
      case .set: break
      case .move(let source, let target):
        if position == source {
          position = target
        } else {
          if position > source { position -= 1 }
          if position >= target { position += 1 }
        }
      }
    }
    let list = try readView.list(cell)
    return position >= 0 && position < list.count ? try readView.item(try list.element(at: position)) : nil
  }

  // MARK: Dictionaries and sets

  private static func adding(
    _ instruction: Instruction, toEntries entries: [String: StateDump.Item?], _ cell: Cell, _ readView: ReadView
  ) throws -> FieldInverse {
    guard case .name(let name)? = instruction.target?.path.first else { return .whole(try readView.fieldItem(cell)) }
    var entries = entries
    if entries[name] == nil {
      entries.updateValue(try readView.map(cell).value(for: Array(name.utf8)).map(readView.item), forKey: name)
    }
    return .entries(entries)
  }

  private static func adding(
    _ instruction: Instruction, toMembers members: [Value: Bool], _ cell: Cell, _ readView: ReadView
  ) throws -> FieldInverse {
    let payload: Payload
    switch instruction {
    case .setInsert(let it): payload = it.payload
    case .setErase(let it): payload = it.payload
    default: return .whole(try readView.fieldItem(cell))
    }
    // Of these, equal values are equal bytes.
    guard let value = payload.value, let stored = StoredValue(value), value.isExact, cell.field.type != .any else {
      return .whole(try readView.fieldItem(cell))
    }
    var members = members
    if members[value] == nil {
      members[value] = try readView.map(cell).value(for: SetKey.bytes(of: stored)) != nil
    }
    return .members(members)
  }
}

extension Value {
  /// Whether no other bytes are an equal value.
  fileprivate var isExact: Bool {
    switch self {
    case .int, .bool, .string, .data, .timestamp, .objectId, .uuid: true
    case .null, .float, .double, .decimal128, .link, .list, .dictionary: false
    }
  }
}
