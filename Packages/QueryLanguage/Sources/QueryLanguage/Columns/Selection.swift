/// A set of slots of one cluster of 256: four words, bit *i* of the whole is slot *i*.
///
/// All is inlined by hand, being the inner loop of every scan: rows `query.scan-two-conditions`, `query.count-bool` and
/// `query.link-hop`.
struct Selection: Equatable {
  var words: SIMD4<UInt64>

  init(_ words: SIMD4<UInt64> = .zero) { self.words = words }

  /// The first `count` slots.
  init(first count: Int) {
    if count >= 256 {
      words = SIMD4(repeating: .max)
      return
    }
    words = .zero
    for word in 0..<4 {
      let rest = count - word * 64
      if rest >= 64 { words[word] = .max } else if rest > 0 { words[word] = 1 << UInt64(rest) - 1 }
    }
  }

  /// 256 bits from memory of any alignment.
  @inline(__always) init(loading pointer: UnsafeRawPointer) {
    words = SIMD4(
      pointer.loadUnaligned(as: UInt64.self), pointer.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
      pointer.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
      pointer.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
  }

  @inline(__always) var isEmpty: Bool { words[0] | words[1] | words[2] | words[3] == 0 }

  @inline(__always) var count: Int {
    words[0].nonzeroBitCount + words[1].nonzeroBitCount + words[2].nonzeroBitCount + words[3].nonzeroBitCount
  }

  @inline(__always) func contains(_ slot: Int) -> Bool { words[slot >> 6] >> UInt64(slot & 63) & 1 == 1 }

  @inline(__always) mutating func insert(_ slot: Int) { words[slot >> 6] |= 1 << UInt64(slot & 63) }

  @inline(__always) mutating func formIntersection(_ other: Selection) { words &= other.words }
  @inline(__always) mutating func subtract(_ other: Selection) { words &= ~other.words }
  @inline(__always) mutating func formUnion(_ other: Selection) { words |= other.words }

  /// Calls a closure for each selected slot, in order.
  @inline(__always) func forEach(_ body: (Int) throws -> Void) rethrows {
    for word in 0..<4 {
      var rest = words[word]
      while rest != 0 {
        try body(word << 6 | rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }

  /// The selected slots for which a test holds.
  @inline(__always) func filtered(_ test: (Int) throws -> Bool) rethrows -> Selection {
    var kept = self
    try kept.filter(test)
    return kept
  }

  /// Keeps the slots for which a test holds.
  @inline(__always) mutating func filter(_ test: (Int) throws -> Bool) rethrows {
    for word in 0..<4 {
      var rest = words[word]
      var kept: UInt64 = 0
      while rest != 0 {
        let bit = rest & (0 &- rest)
        if try test(word << 6 | rest.trailingZeroBitCount) { kept |= bit }
        rest ^= bit
      }
      words[word] = kept
    }
  }
}
