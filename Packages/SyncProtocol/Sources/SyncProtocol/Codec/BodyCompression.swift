import CZlib

/// The body of UPLOAD and DOWNLOAD: as it is, or one zlib stream (RFC 1950) when that is smaller.
enum BodyCompression {
  /// Bodies up to this are never compressed.
  static let threshold = 1024
  /// zlib cannot pack more into one byte than this.
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

  /// The inflated body, which must have exactly `size` bytes.
  ///
  /// Memory follows what really comes out of the stream: a false `size` costs nothing. Bytes after the stream are not looked at
  /// when `allowsTrailingBytes`.
  static func inflate(
    _ packed: ArraySlice<UInt8>, size: Int, allowsTrailingBytes: Bool
  ) -> [UInt8]? {
    guard size / maximumRatio <= packed.count, !packed.isEmpty else { return nil }
    var stream = z_stream()
    guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var body: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(max(size, 1), 256 << 10))
    return packed.withUnsafeBufferPointer { input in
      // zlib only reads through next_in; the pointer stays valid for the whole closure.
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = UInt32(input.count)
      while true {
        let status = chunk.withUnsafeMutableBufferPointer { output in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          return CZlib.inflate(&stream, Z_NO_FLUSH)
        }
        let produced = chunk.count - Int(stream.avail_out)
        guard status == Z_OK || status == Z_STREAM_END, body.count + produced <= size else { return nil }
        body.append(contentsOf: chunk[..<produced])
        if status == Z_STREAM_END {
          return body.count == size && (allowsTrailingBytes || stream.avail_in == 0) ? body : nil
        }
        if produced == 0 && stream.avail_in == 0 { return nil }
      }
    }
  }
}
