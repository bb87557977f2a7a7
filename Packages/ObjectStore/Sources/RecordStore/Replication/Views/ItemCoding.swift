import ByteCoding
import DataModel
import Foundation
import StorageEngine

// Values as bytes, a type code first, for records beside the history. Nesting is bounded where bytes are read: no bytes
// exhaust the stack.

extension ByteWriter {
  /// Writes a value of a field.
  mutating func write(_ item: StateDump.Item) {
    switch item {
    case .value(let value): write(value)
    case .embedded(let fields):
      writeByte(20)
      write(fields)
    case .list(let items):
      writeByte(21)
      writeVarint(items.count)
      for item in items { write(item) }
    case .dictionary(let entries):
      writeByte(22)
      write(entries)
    case .set(let values):
      writeByte(23)
      writeVarint(values.count)
      for value in values { write(value) }
    }
  }

  private mutating func write(_ items: [String: StateDump.Item]) {
    writeVarint(items.count)
    for (name, item) in items.sorted(by: { $0.key < $1.key }) {
      writeString(name)
      write(item)
    }
  }

  mutating func write(_ reference: ObjectReference) {
    writeString(reference.className)
    let key = reference.key.bytes
    writeVarint(key.count)
    writeBytes(key)
  }

  private mutating func write(_ value: Value) {
    switch value {
    case .null: writeByte(0)
    case .int(let value):
      writeByte(1)
      writeVarint(value)
    case .bool(let value):
      writeByte(2)
      writeByte(value ? 1 : 0)
    case .string(let value):
      writeByte(3)
      writeString(value)
    case .data(let value):
      writeByte(4)
      writeVarint(value.count)
      writeBytes(value)
    case .timestamp(let value):
      writeByte(5)
      writeVarint(value.seconds)
      writeVarint(value.nanoseconds)
    case .float(let value):
      writeByte(6)
      writeLittleEndian(value.bitPattern)
    case .double(let value):
      writeByte(7)
      writeLittleEndian(value.bitPattern)
    case .decimal128(let value):
      writeByte(8)
      writeLittleEndian(value.high)
      writeLittleEndian(value.low)
    case .link(let reference):
      writeByte(9)
      write(reference)
    case .objectId(let value):
      writeByte(10)
      writeBytes(value.bytes)
    case .uuid(let value):
      writeByte(11)
      withUnsafeBytes(of: value.uuid) { writeBytes($0) }
    case .list(let elements):
      writeByte(12)
      writeVarint(elements.count)
      for element in elements { write(element) }
    case .dictionary(let entries):
      writeByte(13)
      writeVarint(entries.count)
      for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
        writeString(name)
        write(entry)
      }
    }
  }
}

extension StorageError {
  /// An inverse that is none, or belongs to another state.
  static var damagedInverse: StorageError {
    StorageError(.corrupt, "The past of an object cannot be read. Restore the file from a backup.")
  }
}

extension ByteReader {
  /// Collections lie in each other up to 100 deep, and embedded objects around them.
  private static var deepest: Int { 1_000 }

  mutating func readItem(depth: Int = 0) throws -> StateDump.Item {
    guard depth < Self.deepest else { throw StorageError.damagedInverse }
    let code = try readByte()
    switch code {
    case 20: return .embedded(try readItems(depth))
    case 21:
      var items: [StateDump.Item] = []
      for _ in 0..<(try readCount()) { items.append(try readItem(depth: depth + 1)) }
      return .list(items)
    case 22: return .dictionary(try readItems(depth))
    case 23:
      var values: Set<Value> = []
      for _ in 0..<(try readCount()) { values.insert(try readValue(try readByte(), depth: depth + 1)) }
      return .set(values)
    default: return .value(try readValue(code, depth: depth))
    }
  }

  private mutating func readItems(_ depth: Int) throws -> [String: StateDump.Item] {
    var items: [String: StateDump.Item] = [:]
    for _ in 0..<(try readCount()) {
      let name = try readString()
      items[name] = try readItem(depth: depth + 1)
    }
    return items
  }

  mutating func readReference() throws -> ObjectReference {
    let className = try readString()
    guard let key = ObjectKey(bytes: try readBytes(try readCount())) else { throw StorageError.damagedInverse }
    return ObjectReference(className: className, key: key)
  }

  private mutating func readValue(_ code: UInt8, depth: Int) throws -> Value {
    guard depth < Self.deepest else { throw StorageError.damagedInverse }
    switch code {
    case 0: return .null
    case 1: return .int(try readVarint())
    case 2: return .bool(try readByte() != 0)
    case 3: return .string(try readString())
    case 4:
      return .data(try readBytes(try readCount()))
    case 5: return .timestamp(Timestamp(seconds: try readVarint(), nanoseconds: try readVarint()))
    case 6: return .float(Float(bitPattern: try readLittleEndian()))
    case 7: return .double(Double(bitPattern: try readLittleEndian()))
    case 8: return .decimal128(Decimal128(high: try readLittleEndian(), low: try readLittleEndian()))
    case 9: return .link(try readReference())
    case 10:
      guard let id = ObjectId(bytes: try readBytes(12)) else { throw StorageError.damagedInverse }
      return .objectId(id)
    case 11:
      let bytes: [UInt8] = try readBytes(16)
      return .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    case 12:
      var elements: [Value] = []
      for _ in 0..<(try readCount()) { elements.append(try readValue(try readByte(), depth: depth + 1)) }
      return .list(elements)
    case 13:
      var entries: [String: Value] = [:]
      for _ in 0..<(try readCount()) {
        let name = try readString()
        entries[name] = try readValue(try readByte(), depth: depth + 1)
      }
      return .dictionary(entries)
    default: throw StorageError.damagedInverse
    }
  }
}
