/// Inner loops over one array of a cluster. Pointers need no alignment.
enum ColumnKernels {
  /// Scratch space for one byte per slot: at least 264 bytes.
  typealias Flags = UnsafeMutablePointer<UInt8>

  /// The slots of a whole cluster of 256 whose integer lies in a range.
  ///
  /// One bit per comparison goes straight into four words at a time: vector instructions that every processor has do
  /// not compare 64 bits. Rows `query.scan-two-conditions` and `query.link-hop`; the plain form is `ColumnNode`'s.
  @inline(__always) static func integers(_ values: UnsafeRawPointer, _ range: ClosedRange<Int64>) -> Selection {
    let low = UInt64(bitPattern: range.lowerBound)
    let width = UInt64(bitPattern: range.upperBound) &- low
    var first: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt64 = 0
    var fourth: UInt64 = 0
    @inline(__always) func push(_ slot: Int, _ bits: inout UInt64) {
      let value = values.loadUnaligned(fromByteOffset: slot &* 8, as: UInt64.self) &- low
      bits = bits &+ bits &+ (value <= width ? 1 : 0)
    }
    var slot = 63
    while slot >= 0 {
      push(slot, &first)
      push(slot &+ 64, &second)
      push(slot &+ 128, &third)
      push(slot &+ 192, &fourth)
      slot &-= 1
    }
    return Selection(SIMD4(first, second, third, fourth))
  }

  /// The slots whose double lies between two bounds.
  ///
  /// The loop writes one byte per slot, which the compiler turns into vector instructions; ``pack(_:count:)`` makes bits
  /// of them. Row `query.sort-limit`.
  @inline(__always) static func doubles(
    _ values: UnsafeRawPointer, _ low: Double, _ high: Double, count: Int, _ flags: Flags
  ) -> Selection {
    for at in 0..<count {
      let value = values.loadUnaligned(fromByteOffset: at &* 8, as: Double.self)
      flags[at] = (value >= low ? 1 : 0) & (value <= high ? 1 : 0)
    }
    return pack(flags, count: count)
  }

  /// Turns bytes that are 0 or 1 into bits, eight bytes with one multiplication; bytes past `count` count as 0.
  /// Row `query.sort-limit`.
  @inline(__always) private static func pack(_ flags: Flags, count: Int) -> Selection {
    var end = count
    while end & 7 != 0 {
      flags[end] = 0
      end += 1
    }
    let raw = UnsafeRawPointer(flags)
    var result = Selection()
    for word in 0..<4 {
      var bits: UInt64 = 0
      var at = word * 64
      let stop = min(at + 64, end)
      var shift: UInt64 = 0
      while at < stop {
        let eight = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        bits |= ((eight &* 0x0102_0408_1020_4080) >> 56) << shift
        shift += 8
        at += 8
      }
      result.words[word] = bits
    }
    return result
  }

  /// The integer of a slot.
  static func integer(_ values: UnsafeRawPointer, _ slot: Int) -> Int64 {
    values.loadUnaligned(fromByteOffset: slot &* 8, as: Int64.self)
  }

  /// The bytes of a slot kept as start and length. Row `query.in-100k`.
  @inline(__always) static func range(
    _ ranges: UnsafeRawPointer, _ bytes: UnsafeRawPointer, _ slot: Int
  ) -> UnsafeBufferPointer<UInt8> {
    let start = Int(ranges.loadUnaligned(fromByteOffset: slot &* 8, as: UInt32.self))
    let count = Int(ranges.loadUnaligned(fromByteOffset: slot &* 8 &+ 4, as: UInt32.self))
    return UnsafeBufferPointer(start: bytes.assumingMemoryBound(to: UInt8.self) + start, count: count)
  }
}
