/// Appends integers, strings and byte runs to a growing byte array; the counterpart of ``ByteReader``. Inlinable for the encoders of other modules: row
/// `ot.codec-encode-1m`.
///
///     var writer = ByteWriter()
///     writer.writeVarint(300)
///     writer.writeString("abc")
///     writer.bytes                     // [0xAC, 0x02, 0x03, 0x61, 0x62, 0x63]
public struct ByteWriter: Sendable {
  /// Everything written so far.
  public var bytes: [UInt8]

  /// An empty writer; `capacity` bytes are reserved ahead.
  @inlinable public init(capacity: Int = 0) {
    bytes = []
    if capacity > 0 { bytes.reserveCapacity(capacity) }
  }

  /// Bytes written so far.
  @inlinable public var count: Int { bytes.count }

  /// Appends one byte.
  @inlinable public mutating func writeByte(_ byte: UInt8) { bytes.append(byte) }

  /// Appends bytes as they are.
  @inlinable public mutating func writeBytes(_ run: some Sequence<UInt8>) { bytes.append(contentsOf: run) }

  /// Appends a fixed-width integer, least significant byte first.
  @inlinable public mutating func writeLittleEndian<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends a variable-length length, then the UTF-8 bytes.
  @inlinable public mutating func writeString(_ string: String) {
    var string = string
    string.withUTF8 { buffer in
      writeVarint(buffer.count)
      bytes.append(contentsOf: buffer)
    }
  }
}
