import ByteCoding
import DataModel
import StorageEngine

/// The content of a field before a version, as a difference to its content after it.
///
/// Small where little changed: an element of a list of a thousand costs that element.
enum FieldInverse: Sendable {
  /// The field was not declared yet.
  case absent
  /// Everything that it held.
  case whole(StateDump.Item)
  /// The way back from the list after the version, step by step.
  case list([ListStep])
  /// The entries of a dictionary that the version touched; nil for those that were not there.
  case entries([String: StateDump.Item?])
  /// The members of a set that the version touched, and whether they were there.
  case members([Value: Bool])

  /// One step back.
  enum ListStep: Sendable {
    case remove(Int)
    case insert(Int, StateDump.Item)
    case set(Int, StateDump.Item)
    case move(from: Int, to: Int)
  }

  /// The content before, given the content after; nil for a field that was not declared.
  ///
  /// - Throws: `StorageError` with code `corrupt` when the one does not belong to the other.
  func before(_ after: StateDump.Item?) throws -> StateDump.Item? {
    switch (self, after) {
    case (.absent, _): return nil
    case (.whole(let item), _): return item
    case (.list(let steps), .list(var items)?):
      for step in steps { try Self.take(step, &items) }
      return .list(items)
    case (.entries(let entries), .dictionary(var items)?):
      for (name, item) in entries { items[name] = item }
      return .dictionary(items)
    case (.members(let members), .set(var values)?):
      for (value, wasThere) in members {
        if wasThere { values.insert(value) } else { values.remove(value) }
      }
      return .set(values)
    case (.list, _), (.entries, _), (.members, _): throw StorageError.damagedInverse
    }
  }

  private static func take(_ step: ListStep, _ items: inout [StateDump.Item]) throws {
    switch step {
    case .remove(let index):
      guard items.indices.contains(index) else { throw StorageError.damagedInverse }
      items.remove(at: index)
    case .insert(let index, let item):
      guard index >= 0, index <= items.count else { throw StorageError.damagedInverse }
      items.insert(item, at: index)
    case .set(let index, let item):
      guard items.indices.contains(index) else { throw StorageError.damagedInverse }
      items[index] = item
    case .move(let source, let target):
      guard items.indices.contains(source), items.indices.contains(target) else { throw StorageError.damagedInverse }
      items.insert(items.remove(at: source), at: target)
    }
  }
}

extension ByteWriter {
  mutating func write(_ inverse: FieldInverse) {
    switch inverse {
    case .absent: writeByte(0)
    case .whole(let item):
      writeByte(1)
      write(item)
    case .list(let steps):
      writeByte(2)
      writeVarint(steps.count)
      for step in steps { write(step) }
    case .entries(let entries):
      writeByte(3)
      writeVarint(entries.count)
      for (name, item) in entries.sorted(by: { $0.key < $1.key }) {
        writeString(name)
        writeByte(item == nil ? 0 : 1)
        if let item { write(item) }
      }
    case .members(let members):
      writeByte(4)
      writeVarint(members.count)
      for (value, wasThere) in members {
        writeByte(wasThere ? 1 : 0)
        write(StateDump.Item.value(value))
      }
    }
  }

  private mutating func write(_ step: FieldInverse.ListStep) {
    switch step {
    case .remove(let index):
      writeByte(0)
      writeVarint(index)
    case .insert(let index, let item):
      writeByte(1)
      writeVarint(index)
      write(item)
    case .set(let index, let item):
      writeByte(2)
      writeVarint(index)
      write(item)
    case .move(let source, let target):
      writeByte(3)
      writeVarint(source)
      writeVarint(target)
    }
  }
}

extension ByteReader {
  mutating func readFieldInverse() throws -> FieldInverse {
    switch try readByte() {
    case 0: return .absent
    case 1: return .whole(try readItem())
    case 2:
      var steps: [FieldInverse.ListStep] = []
      for _ in 0..<(try readCount()) { steps.append(try readListStep()) }
      return .list(steps)
    case 3:
      var entries: [String: StateDump.Item?] = [:]
      for _ in 0..<(try readCount()) {
        let name = try readString()
        entries.updateValue(try readByte() == 0 ? nil : try readItem(), forKey: name)
      }
      return .entries(entries)
    case 4:
      var members: [Value: Bool] = [:]
      for _ in 0..<(try readCount()) {
        let wasThere = try readByte() != 0
        guard case .value(let value) = try readItem() else { throw StorageError.damagedInverse }
        members[value] = wasThere
      }
      return .members(members)
    default: throw StorageError.damagedInverse
    }
  }

  private mutating func readListStep() throws -> FieldInverse.ListStep {
    switch try readByte() {
    case 0: return .remove(try readVarint())
    case 1: return .insert(try readVarint(), try readItem())
    case 2: return .set(try readVarint(), try readItem())
    case 3: return .move(from: try readVarint(), to: try readVarint())
    default: throw StorageError.damagedInverse
    }
  }
}
