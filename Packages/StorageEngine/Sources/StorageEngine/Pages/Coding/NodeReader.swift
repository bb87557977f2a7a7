/// Reads the content of a node. Every read is checked against the bounds and throws ``StorageError`` with code
/// `corrupt`.
struct NodeReader {
  let bytes: UnsafeRawBufferPointer
  private(set) var position = 0
  let node: Int64

  init(_ bytes: UnsafeRawBufferPointer, node: Int64) {
    self.bytes = bytes
    self.node = node
  }

  var remaining: Int { bytes.count - position }

  func damage(_ what: String) -> StorageError {
    StorageError(
      .corrupt, "Node \(node) is damaged at byte \(position): \(what). Restore the file from a backup or its server.")
  }

  mutating func byte() throws -> UInt8 {
    guard position < bytes.count else { throw damage("it ends too early") }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func fixed<T: FixedWidthInteger>(_ type: T.Type = T.self) throws -> T {
    guard remaining >= MemoryLayout<T>.size else { throw damage("it ends too early") }
    defer { position += MemoryLayout<T>.size }
    return T(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: T.self))
  }

  /// An unsigned LEB128 integer.
  mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      guard shift < 63 || next <= 1 else { throw damage("an integer is too long") }
      value |= UInt64(next & 0x7F) << shift
      if next & 0x80 == 0 { return value }
      shift += 7
    }
  }

  /// A count or number up to `limit`.
  mutating func count(limit: Int) throws -> Int {
    let value = try varint()
    guard value <= UInt64(limit) else { throw damage("a count exceeds its limit") }
    return Int(value)
  }

  /// A signed integer in zigzag form.
  mutating func signed() throws -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  mutating func nodeID() throws -> Int64 { Int64(try count(limit: Int(Int64.max))) }

  /// The next `count` bytes, in place.
  mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, count <= remaining else { throw damage("it ends too early") }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  mutating func string() throws -> String {
    let length = try count(limit: remaining)
    let content = try take(length)
    // Nearly all names are ASCII, which needs no validation.
    if content.allSatisfy({ $0 < 0x80 }) { return String(decoding: content, as: UTF8.self) }
    guard let text = String(validating: content, as: UTF8.self) else { throw damage("a name is not UTF-8") }
    return text
  }

  func finish() throws {
    guard remaining == 0 else { throw damage("it is longer than its content") }
  }
}
