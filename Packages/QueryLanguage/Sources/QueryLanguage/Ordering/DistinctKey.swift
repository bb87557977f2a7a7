import DataModel

/// The values of DISTINCT as bytes: equal for equal combinations.
struct DistinctKey: Hashable {
  private var bytes: [UInt8] = []

  mutating func append(_ value: Value) {
    switch value {
    case .null: bytes.append(0)
    case .bool(let value): bytes += [1, value ? 1 : 0]
    case .int(let value): append(2, value)
    case .double(let value): append(value)
    case .float(let value): append(Double(value))
    case .decimal128(let value):
      let normal = value.normalized
      if normal.isFinite, let whole = Int64(normal.description) {
        append(2, whole)
      } else {
        append(4, Int64(bitPattern: normal.high))
        append(4, Int64(bitPattern: normal.low))
      }
    case .string(let text): append(5, Array(text.utf8))
    case .data(let data): append(6, data)
    case .timestamp(let value):
      append(7, value.seconds)
      append(7, Int64(value.nanoseconds))
    case .objectId(let id): append(8, id.bytes)
    case .uuid: append(9, ColumnBytes.of(value) ?? [])
    case .link(let reference): append(10, Array("\(reference)".utf8))
    case .list, .dictionary: append(11, Array("\(value)".utf8))
    }
  }

  private mutating func append(_ value: Double) {
    if let whole = Int64(exactly: value) {
      append(2, whole)
    } else {
      append(3, Int64(bitPattern: ColumnTest.bits(value)))
    }
  }

  private mutating func append(_ kind: UInt8, _ value: Int64) {
    bytes.append(kind)
    withUnsafeBytes(of: value) { bytes += $0 }
  }

  private mutating func append(_ kind: UInt8, _ content: [UInt8]) {
    append(kind, Int64(content.count))
    bytes += content
  }
}
