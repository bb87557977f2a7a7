import DataModel
import Foundation
import StorageEngine

// Byte strings that `memcmp` orders as their values are ordered. Used for index entries, elements of sets and names of
// unresolved objects.
//
//   int          8 bytes, big-endian, sign bit flipped             -1  7F FF … FF        0  80 00 … 00
//   bool         1 byte
//   string       UTF-8
//   timestamp    seconds as int, then nanoseconds as 4 bytes likewise
//   float        4 bytes, big-endian; sign bit flipped, all bits of negatives flipped
//   ids, data    the bytes themselves
//   nullable     00 for null; 01, then the value

package enum OrderedBytes {
  static func append(_ value: Int64, to bytes: inout [UInt8]) {
    append(UInt64(bitPattern: value) ^ 1 << 63, to: &bytes)
  }

  package static func append<T: FixedWidthInteger & UnsignedInteger>(_ value: T, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  static func append(_ value: Timestamp, to bytes: inout [UInt8]) {
    append(value.seconds, to: &bytes)
    append(UInt32(bitPattern: value.nanoseconds) ^ 1 << 31, to: &bytes)
  }

  static func append(_ value: Double, to bytes: inout [UInt8]) {
    let bits = value.bitPattern
    append(bits >> 63 == 1 ? ~bits : bits | 1 << 63, to: &bytes)
  }

  static func append(_ value: Float, to bytes: inout [UInt8]) {
    let bits = value.bitPattern
    append(bits >> 31 == 1 ? ~bits : bits | 1 << 31, to: &bytes)
  }

  static func append(_ value: UUID, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
  }
}

/// The key of an index entry.
package enum IndexKey: Hashable {
  case int(Int64)
  case bytes([UInt8])

  /// The entry of a field's value; nil for values that no index holds.
  package init?(_ value: StoredValue, of field: FieldLayout) {
    if field.hasIntegerIndex {
      switch value {
      case .int(let value): self = .int(value)
      case .bool(let value): self = .int(value ? 1 : 0)
      default: return nil
      }
      return
    }
    var bytes: [UInt8] = []
    if field.isNullable { bytes.append(value == .null ? 0 : 1) }
    guard bytes == [0] || IndexKey.append(value, to: &bytes) else { return nil }
    self = .bytes(bytes)
  }

  private static func append(_ value: StoredValue, to bytes: inout [UInt8]) -> Bool {
    switch value {
    case .int(let value): OrderedBytes.append(value, to: &bytes)
    case .bool(let value): bytes.append(value ? 1 : 0)
    case .string(let value): bytes.append(contentsOf: value.utf8)
    case .timestamp(let value): OrderedBytes.append(value, to: &bytes)
    case .objectId(let value): bytes.append(contentsOf: value.bytes)
    case .uuid(let value): OrderedBytes.append(value, to: &bytes)
    case .null, .float, .double, .data, .decimal128, .link, .list, .dictionary: return false
    }
    return true
  }
}

extension KeyLayout {
  /// The index entry of an object key; nil when objects of the class cannot have such a key.
  package func entry(_ key: ObjectKey) -> IndexKey? {
    if hasIntegerIndex {
      guard case .int(let value) = key else { return nil }
      return .int(value)
    }
    var bytes: [UInt8] = []
    if isNullable { bytes.append(key == .null ? 0 : 1) }
    switch (key, type) {
    case (.null, _) where isNullable: break
    case (.int(let value), .int): OrderedBytes.append(value, to: &bytes)
    case (.string(let value), .string): bytes.append(contentsOf: value.utf8)
    case (.objectId(let value), .objectId): bytes.append(contentsOf: value.bytes)
    case (.uuid(let value), .uuid): OrderedBytes.append(value, to: &bytes)
    case (.global(let value), .global) where value.isPortable:
      OrderedBytes.append(value.high, to: &bytes)
      OrderedBytes.append(value.low, to: &bytes)
    default: return nil
    }
    return .bytes(bytes)
  }
}
