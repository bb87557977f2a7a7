import DataModel
import Foundation

// An object key as bytes, type first: in names of unresolved objects and in the hidden column of global keys.

extension ObjectKey {
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .null: bytes.append(0)
    case .int(let value):
      bytes.append(1)
      OrderedBytes.append(value, to: &bytes)
    case .string(let value):
      bytes.append(3)
      bytes.append(contentsOf: value.utf8)
    case .objectId(let value):
      bytes.append(10)
      bytes.append(contentsOf: value.bytes)
    case .uuid(let value):
      bytes.append(11)
      OrderedBytes.append(value, to: &bytes)
    case .global(let value):
      bytes.append(255)
      OrderedBytes.append(value.high, to: &bytes)
      OrderedBytes.append(value.low, to: &bytes)
    }
    return bytes
  }

  /// The key of such bytes; nil for anything else.
  init?(bytes: [UInt8]) {
    let content = bytes.dropFirst()
    func number(_ slice: ArraySlice<UInt8>) -> UInt64 { slice.reduce(0) { $0 << 8 | UInt64($1) } }
    switch (bytes.first, content.count) {
    case (0?, 0): self = .null
    case (1?, 8): self = .int(Int64(bitPattern: number(content) ^ 1 << 63))
    case (3?, _): self = .string(String(decoding: content, as: UTF8.self))
    case (10?, 12):
      guard let id = ObjectId(bytes: content) else { return nil }
      self = .objectId(id)
    case (11?, 16):
      self = .uuid(UUID(uuid: content.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    case (255?, 16):
      self = .global(GlobalKey(high: number(content.prefix(8)), low: number(content.suffix(8))))
    default: return nil
    }
  }
}
