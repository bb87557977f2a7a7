/// Reads integers, strings and byte runs from the front of a byte array, with positions in every error.
///
///     var reader = ByteReader([0xAC, 0x02, 0x03, 0x61, 0x62, 0x63])
///     try reader.readVarint()          // 300
///     try reader.readString()          // "abc"
///     reader.isAtEnd                   // true
///
/// A reader never traps on any input: a read past the end or a malformed item throws
/// ``ByteDecodingError``, after which the reader stays where the offending item began. Generic and one-line members are
/// inlinable because decoders of other modules call them per field: row `ot.codec-decode-1m`.
public struct ByteReader: Sendable {
  @usableFromInline let bytes: ArraySlice<UInt8>
  @usableFromInline let base: Int
  /// Bytes consumed so far, counted from the start of the input.
  @inlinable public var position: Int { index - base }
  @usableFromInline var index: Int

  /// A reader over all of `bytes`.
  @inlinable public init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// A reader over a slice; positions count from the start of the slice.
  @inlinable public init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    base = bytes.startIndex
    index = bytes.startIndex
  }

  /// Bytes not yet consumed.
  @inlinable public var remaining: Int { bytes.endIndex - index }
  /// Whether everything is consumed.
  @inlinable public var isAtEnd: Bool { index == bytes.endIndex }

  /// The next byte, or nil at the end; does not advance.
  @inlinable public func peek() -> UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  /// The next byte.
  ///
  /// - Throws: ``ByteDecodingError/truncated(at:missing:)`` at the end.
  @inlinable public mutating func readByte() throws(ByteDecodingError) -> UInt8 {
    guard index < bytes.endIndex else { throw .truncated(at: position, missing: 1) }
    let byte = bytes[index]
    index += 1
    return byte
  }

  /// The next `count` bytes as a slice of the input, without copying.
  ///
  /// - Throws: ``ByteDecodingError/truncated(at:missing:)`` when fewer are left.
  @inlinable public mutating func readSlice(_ count: Int) throws(ByteDecodingError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else {
      throw .truncated(at: position, missing: max(count - remaining, 1))
    }
    let slice = bytes[index..<index + count]
    index += count
    return slice
  }

  /// The next `count` bytes as an array.
  ///
  /// - Throws: ``ByteDecodingError/truncated(at:missing:)`` when fewer are left.
  @inlinable public mutating func readBytes(_ count: Int) throws(ByteDecodingError) -> [UInt8] {
    Array(try readSlice(count))
  }

  /// A little-endian fixed-width integer.
  ///
  /// - Throws: ``ByteDecodingError/truncated(at:missing:)`` when too few bytes are left.
  @inlinable public mutating func readLittleEndian<T: FixedWidthInteger>(
    _ type: T.Type = T.self
  ) throws(ByteDecodingError) -> T {
    let width = T.bitWidth / 8
    guard width <= remaining else { throw .truncated(at: position, missing: width - remaining) }
    let value = bytes.withUnsafeBytes { buffer in
      buffer.loadUnaligned(fromByteOffset: index - bytes.startIndex, as: T.self)
    }
    index += width
    return T(littleEndian: value)
  }

  /// A length-prefixed UTF-8 string: a `readVarint` length, then that many bytes.
  ///
  /// - Throws: as ``readLength(limit:)``; ``ByteDecodingError/invalidUTF8(at:)`` for bytes that are no text.
  /// - Complexity: O(*n*) for *n* bytes.
  public mutating func readString(limit: Int = .max) throws(ByteDecodingError) -> String {
    let start = index
    do {
      let count = try readLength(limit: limit)
      return try readUTF8(count)
    } catch {
      index = start
      throw error
    }
  }

  /// `count` bytes as UTF-8.
  ///
  /// - Throws: ``ByteDecodingError/truncated(at:missing:)`` when fewer are left,
  ///   ``ByteDecodingError/invalidUTF8(at:)`` for bytes that are no text.
  public mutating func readUTF8(_ count: Int) throws(ByteDecodingError) -> String {
    let start = position
    let slice = try readSlice(count)
    if let string = Self.plain(slice) { return string }
    guard let string = String(validating: slice, as: UTF8.self) else {
      index -= count
      throw .invalidUTF8(at: start)
    }
    return string
  }

  /// The text of bytes that are all ASCII, as most are, without the slower validation; nil for others. Row
  /// `ot.codec-decode-1m`.
  private static func plain(_ slice: ArraySlice<UInt8>) -> String? {
    slice.withUnsafeBufferPointer { isASCII(UnsafeRawBufferPointer($0)) ? String(decoding: $0, as: UTF8.self) : nil }
  }

  /// Whether all bytes are ASCII; checked eight at a time. Row `ot.codec-decode-1m`.
  static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var bits: UInt64 = 0
    var offset = 0
    while offset + 8 <= bytes.count {
      bits |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    while offset < bytes.count {
      bits |= UInt64(bytes[offset])
      offset += 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// A length that exceeds neither `limit` nor the rest of the input.
  ///
  /// - Throws: ``ByteDecodingError/lengthTooLarge(_:limit:at:)``, ``ByteDecodingError/truncated(at:missing:)``, and as
  ///   ``readVarint(_:)``.
  public mutating func readLength(limit: Int = .max) throws(ByteDecodingError) -> Int {
    let start = index
    let length = try readVarint(UInt64.self)
    guard length <= UInt64(limit) else {
      index = start
      throw .lengthTooLarge(length, limit: UInt64(limit), at: position)
    }
    guard length <= UInt64(remaining) else {
      let missing = Int(clamping: length) - remaining
      index = start
      throw .truncated(at: position, missing: missing)
    }
    return Int(length)
  }
}
