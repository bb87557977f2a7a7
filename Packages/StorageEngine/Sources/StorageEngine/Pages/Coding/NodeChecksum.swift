import CStorageSupport

/// The checksum at the end of every node: CRC-32C over the node's number (8 bytes) and its content, 4 bytes.
enum NodeChecksum {
  static let byteCount = 4

  static func sum(_ bytes: UnsafeRawBufferPointer, _ id: Int64) -> UInt32 {
    let seed = withUnsafeBytes(of: id.littleEndian) { storage_crc32c(0, $0.baseAddress, 8) }
    return storage_crc32c(seed, bytes.baseAddress, bytes.count)
  }

  static func closed(_ content: consuming [UInt8], _ id: Int64) -> [UInt8] {
    let value = content.withUnsafeBytes { sum($0, id) }
    withUnsafeBytes(of: value.littleEndian) { content.append(contentsOf: $0) }
    return content
  }

  static func open<R>(
    _ stored: UnsafeRawBufferPointer, _ id: Int64, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R {
    guard stored.count >= 4 else { throw NodeReader(stored, node: id).damage("it ends too early") }
    let content = UnsafeRawBufferPointer(rebasing: stored[..<(stored.count - 4)])
    let value = UInt32(littleEndian: stored.loadUnaligned(fromByteOffset: stored.count - 4, as: UInt32.self))
    guard value == sum(content, id) else { throw NodeReader(stored, node: id).damage("its checksum does not match") }
    return try body(content)
  }
}
