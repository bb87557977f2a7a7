/// Builds the content of a node; the counterpart of ``NodeReader``.
struct NodeWriter {
  private(set) var bytes: [UInt8]

  init(_ kind: NodeKind, capacity: Int = 256) {
    bytes = []
    bytes.reserveCapacity(capacity)
    bytes.append(kind.rawValue)
  }

  /// A writer that appends to content made before, without its checksum.
  init(content: [UInt8]) { bytes = content }

  /// A writer of bytes that are no node, such as the content of a cell.
  init(capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func fixed<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func count(_ value: Int) { varint(UInt64(value)) }
  mutating func signed(_ value: Int64) { varint(UInt64(bitPattern: value << 1 ^ value >> 63)) }
  mutating func raw(_ run: UnsafeRawBufferPointer) { bytes.append(contentsOf: run) }
  mutating func raw(_ run: [UInt8]) { bytes.append(contentsOf: run) }

  /// Appends a part of a run.
  mutating func raw(_ run: [UInt8], _ part: some RangeExpression<Int>) {
    run.withUnsafeBytes { raw(UnsafeRawBufferPointer(rebasing: $0[part])) }
  }

  mutating func string(_ text: String) {
    var text = text
    text.withUTF8 {
      count($0.count)
      bytes.append(contentsOf: $0)
    }
  }

  /// Appends the checksum of a node.
  mutating func close(_ id: Int64) {
    let sum = bytes.withUnsafeBytes { NodeChecksum.sum($0, id) }
    fixed(sum)
  }

  /// Appends `count` bytes, all of which `body` writes.
  mutating func reserve(_ count: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
    guard count > 0 else { return }
    withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { buffer in
      guard let base = buffer.baseAddress else { return }
      body(base)
      bytes.append(contentsOf: UnsafeRawBufferPointer(buffer))
    }
  }
}
