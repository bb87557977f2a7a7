import CZlib

/// Compression of the bodies of UPLOAD and DOWNLOAD: one zlib stream (RFC 1950) when that is smaller, else the plain bytes.
enum BodyCompression {
  /// Bodies up to this are never compressed.
  static let threshold = 1024
  /// The most bytes that zlib can pack into one.
  private static let maximumRatio = 1040

  /// The body to send: compressed when it is larger than 1024 bytes and becomes smaller.
  static func pack(_ body: [UInt8]) -> (isCompressed: Bool, bytes: [UInt8]) {
    guard body.count > threshold, let packed = deflated(body), packed.count < body.count else { return (false, body) }
    return (true, packed)
  }

  private static func deflated(_ body: [UInt8]) -> [UInt8]? {
    var size = compressBound(UInt(body.count))
    let packed = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
      let status = compress2(buffer.baseAddress, &size, body, UInt(body.count), Z_BEST_SPEED)
      count = status == Z_OK ? Int(size) : 0
    }
    return packed.isEmpty ? nil : packed
  }

  /// The stream of a body with a stated size; nil when `packed` cannot contain so many bytes.
  static func inflation(of packed: ArraySlice<UInt8>, size: Int) -> Inflation? {
    guard size / maximumRatio <= packed.count, !packed.isEmpty else { return nil }
    return Inflation(packed)
  }

  /// The inflated body, which must have exactly `size` bytes; nil when it has not.
  ///
  /// Memory is in proportion to the real output: the memory for a false `size` is never touched.
  ///
  /// - Parameter allowsTrailingBytes: whether bytes after the stream are ignored.
  static func inflate(_ packed: ArraySlice<UInt8>, size: Int, allowsTrailingBytes: Bool) -> [UInt8]? {
    guard let inflation = inflation(of: packed, size: size) else { return nil }
    let body = [UInt8](unsafeUninitializedCapacity: size) { room, count in
      count = inflation.read(into: UnsafeMutableBufferPointer(rebasing: room[..<size])) ?? 0
    }
    return body.count == size && inflation.endsHere(allowsTrailingBytes: allowsTrailingBytes) ? body : nil
  }
}
