import CZlib

/// A zlib stream (RFC 1950) that is inflated piece by piece on demand. One owner; not thread-safe.
///
/// Memory: the state of zlib, about 40 kB, and what the caller provides to inflate into.
final class Inflation {
  private let packed: ArraySlice<UInt8>
  /// The number of packed bytes that zlib has read.
  private var consumed = 0
  // The state of zlib points back to the stream, which must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var hasEnded = false

  /// Nil when zlib has no memory.
  init?(_ packed: ArraySlice<UInt8>) {
    self.packed = packed
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Inflates until `room` is full or the stream ends.
  ///
  /// - Returns: how many bytes were written; nil when the stream is damaged or cut off before it ends.
  /// - Complexity: O(bytes written).
  func read(into room: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard let start = room.baseAddress, !hasEnded else { return 0 }
    return packed.withUnsafeBufferPointer { input -> Int? in
      // zlib only reads through next_in; the pointer is set anew in each call.
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress).map { $0 + consumed }
      stream.pointee.avail_in = UInt32(input.count - consumed)
      stream.pointee.next_out = start
      stream.pointee.avail_out = UInt32(room.count)
      let status = CZlib.inflate(stream, Z_NO_FLUSH)
      consumed = input.count - Int(stream.pointee.avail_in)
      let produced = room.count - Int(stream.pointee.avail_out)
      hasEnded = status == Z_STREAM_END
      if hasEnded || (status == Z_OK && produced == room.count) { return produced }
      return nil
    }
  }

  /// Whether the stream ends at the present position, without trailing bytes unless they are allowed.
  func endsHere(allowsTrailingBytes: Bool) -> Bool {
    if !hasEnded {
      var spare: UInt8 = 0
      let rest = withUnsafeMutablePointer(to: &spare) { read(into: UnsafeMutableBufferPointer(start: $0, count: 1)) }
      guard rest == 0, hasEnded else { return false }
    }
    return allowsTrailingBytes || consumed == packed.count
  }
}
