import DataModel
import FoundationEssentials

// A value in bytes: a tag, then the content.
//
//     00 null        04 double     8 bytes        08 objectId   12 bytes         0C list         count, values
//     01 int varint  05 string     length, UTF-8  09 uuid       16 bytes         0D dictionary   count, (key, value)…
//     02 bool 1 byte 06 data       length, bytes  0A decimal128 low, high
//     03 float 4     07 timestamp  seconds, nanos 0B link       table, row
enum StoredValueCoding {
  static func encode(_ value: StoredValue) -> [UInt8] {
    var writer = NodeWriter(capacity: 32)
    encode(value, into: &writer)
    return writer.bytes
  }

  static func encode(_ value: StoredValue, into writer: inout NodeWriter) {
    switch value {
    case .null: writer.byte(0)
    case .int(let value):
      writer.byte(1)
      writer.signed(value)
    case .bool(let value):
      writer.byte(2)
      writer.byte(value ? 1 : 0)
    case .float(let value):
      writer.byte(3)
      writer.fixed(value.bitPattern)
    case .double(let value):
      writer.byte(4)
      writer.fixed(value.bitPattern)
    case .string(let value):
      writer.byte(5)
      writer.string(value)
    case .data(let value):
      writer.byte(6)
      writer.count(value.count)
      writer.raw(value)
    case .timestamp(let value):
      writer.byte(7)
      writer.signed(value.seconds)
      writer.signed(Int64(value.nanoseconds))
    case .objectId(let value):
      writer.byte(8)
      writer.raw(value.bytes)
    case .uuid(let value):
      writer.byte(9)
      withUnsafeBytes(of: value.uuid) { writer.raw($0) }
    case .decimal128(let value):
      writer.byte(10)
      writer.fixed(value.low)
      writer.fixed(value.high)
    case .link(let table, let row):
      writer.byte(11)
      writer.count(table.rawValue)
      writer.signed(row.rawValue)
    case .list(let values):
      writer.byte(12)
      writer.count(values.count)
      for value in values { encode(value, into: &writer) }
    case .dictionary(let values):
      writer.byte(13)
      writer.count(values.count)
      for key in values.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        writer.string(key)
        encode(values[key] ?? .null, into: &writer)
      }
    }
  }

  static func decode(_ bytes: UnsafeRawBufferPointer) throws -> StoredValue {
    var reader = NodeReader(bytes, node: 0)
    return try decode(&reader)
  }

  /// - Parameter depth: levels that the value may still nest.
  static func decode(_ reader: inout NodeReader, depth: Int = 200) throws -> StoredValue {
    switch try reader.byte() {
    case 0: return .null
    case 1: return .int(try reader.signed())
    case 2: return .bool(try reader.byte() != 0)
    case 3: return .float(Float(bitPattern: try reader.fixed()))
    case 4: return .double(Double(bitPattern: try reader.fixed()))
    case 5: return .string(try reader.string())
    case 6: return .data(Array(try reader.take(try reader.count(limit: reader.remaining))))
    case 7:
      let seconds = try reader.signed()
      let nanoseconds = Int32(truncatingIfNeeded: try reader.signed())
      guard let value = Timestamp(validating: seconds, nanoseconds: nanoseconds) else {
        throw reader.damage("a timestamp is impossible")
      }
      return .timestamp(value)
    case 8: return .objectId(ObjectId(bytes: try reader.take(12)) ?? .zero)
    case 9: return .uuid(UUID(uuid: try reader.take(16).loadUnaligned(as: uuid_t.self)))
    case 10:
      let low: UInt64 = try reader.fixed()
      return .decimal128(Decimal128(high: try reader.fixed(), low: low))
    case 11:
      let table = TableID(try reader.count(limit: 1 << 40))
      return .link(table, RowKey(try reader.signed()))
    case 12:
      guard depth > 0 else { throw reader.damage("a value nests too deep") }
      let count = try reader.count(limit: reader.remaining)
      return .list(try (0..<count).map { _ in try decode(&reader, depth: depth - 1) })
    case 13:
      guard depth > 0 else { throw reader.damage("a value nests too deep") }
      let count = try reader.count(limit: reader.remaining)
      var values: [String: StoredValue] = [:]
      for _ in 0..<count {
        let key = try reader.string()
        values[key] = try decode(&reader, depth: depth - 1)
      }
      return .dictionary(values)
    default: throw reader.damage("a value has an unknown tag")
    }
  }

  /// Steps over one value.
  static func skip(_ reader: inout NodeReader) throws { _ = try decode(&reader) }
}
