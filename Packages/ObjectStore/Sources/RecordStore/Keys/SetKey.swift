import DataModel
import StorageEngine

/// The key under which a set keeps an element: a byte for the type, then ordered bytes.
///
/// Elements are equal when type and content are, as the merge rules have it; floats by their bits, decimals by value.
package enum SetKey {
  package static func bytes(of value: StoredValue) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return bytes
  }

  private static func append(_ value: StoredValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(0)
    case .bool(let value): bytes.append(contentsOf: [1, value ? 1 : 0])
    case .int(let value):
      bytes.append(2)
      OrderedBytes.append(value, to: &bytes)
    case .float(let value):
      bytes.append(3)
      OrderedBytes.append(value, to: &bytes)
    case .double(let value):
      bytes.append(4)
      OrderedBytes.append(value, to: &bytes)
    case .decimal128(let value):
      bytes.append(5)
      let number = value.normalized
      OrderedBytes.append(number.high, to: &bytes)
      OrderedBytes.append(number.low, to: &bytes)
    case .string(let value):
      bytes.append(6)
      bytes.append(contentsOf: value.utf8)
    case .data(let value):
      bytes.append(7)
      bytes.append(contentsOf: value)
    case .timestamp(let value):
      bytes.append(8)
      OrderedBytes.append(value, to: &bytes)
    case .objectId(let value):
      bytes.append(9)
      bytes.append(contentsOf: value.bytes)
    case .uuid(let value):
      bytes.append(10)
      OrderedBytes.append(value, to: &bytes)
    case .link(let table, let row):
      bytes.append(11)
      OrderedBytes.append(Int64(table.rawValue), to: &bytes)
      OrderedBytes.append(row.rawValue, to: &bytes)
    case .list(let elements):
      bytes.append(12)
      for element in elements { append(element, to: &bytes) }
    case .dictionary(let entries):
      bytes.append(13)
      for (key, element) in entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        bytes.append(contentsOf: key.utf8)
        append(element, to: &bytes)
      }
    }
  }
}

/// The key under which a link to any class stands in an index of backlinks.
func freeLinkKey(_ table: TableID, _ row: RowKey) -> [UInt8] {
  var bytes: [UInt8] = []
  OrderedBytes.append(Int64(table.rawValue), to: &bytes)
  OrderedBytes.append(row.rawValue, to: &bytes)
  return bytes
}
