/// The inner loops over text that lies in one block per cluster.
enum TextKernels {
  /// Rows that begin with, or are, the needle of a test. The needle is not empty.
  ///
  /// Most rows differ from the needle in length or first byte; that is decided with two loads and no call.
  static func starting(
    _ test: BytesTest, _ ranges: UnsafeRawPointer, _ bytes: UnsafeRawPointer, _ selection: Selection
  ) -> Selection {
    test.needle.withUnsafeBufferPointer { needle in
      let first = needle[0]
      let count = UInt64(needle.count)
      let longest = test.operation == .equal ? count : UInt64.max
      var passing = selection
      for word in 0..<4 {
        var rest = selection.words[word]
        var kept: UInt64 = 0
        let base = word &* 512
        while rest != 0 {
          let slot = rest.trailingZeroBitCount
          rest &= rest &- 1
          let pair = UInt64(littleEndian: ranges.loadUnaligned(fromByteOffset: base &+ slot &* 8, as: UInt64.self))
          let length = pair >> 32
          guard length >= count, length <= longest else { continue }
          let start = Int(truncatingIfNeeded: pair & 0xFFFF_FFFF)
          guard bytes.load(fromByteOffset: start, as: UInt8.self) == first else { continue }
          if count > 1, !equal(bytes + start, needle) { continue }
          kept |= 1 << UInt64(truncatingIfNeeded: slot)
        }
        passing.words[word] = kept
      }
      return passing
    }
  }

  @inline(__always) private static func equal(_ text: UnsafeRawPointer, _ needle: UnsafeBufferPointer<UInt8>) -> Bool {
    for at in 1..<needle.count where text.load(fromByteOffset: at, as: UInt8.self) != needle[at] { return false }
    return true
  }

  /// Rows that contain the needle, when the rows lie one behind the other; nil when they do not.
  static func containing(
    _ needle: [UInt8], _ ranges: UnsafeRawPointer, _ bytes: UnsafeRawPointer, _ count: Int
  ) -> Selection? {
    func start(_ slot: Int) -> Int { Int(ranges.loadUnaligned(fromByteOffset: slot &* 8, as: UInt32.self)) }
    func length(_ slot: Int) -> Int { Int(ranges.loadUnaligned(fromByteOffset: slot &* 8 &+ 4, as: UInt32.self)) }
    // Empty rows have no place of their own; all others have to follow each other without a gap.
    var expected = -1
    var first = -1
    for slot in 0..<count {
      let length = length(slot)
      if length == 0 { continue }
      let start = start(slot)
      if expected >= 0, start != expected { return nil }
      if first < 0 { first = start }
      expected = start &+ length
    }
    guard first >= 0 else { return Selection() }
    return needle.withUnsafeBufferPointer { needle in
      var found = Selection()
      var slot = 0
      var at = first
      while at < expected, let hit = ByteSearch.firstMatch(of: needle, in: bytes, from: at, to: expected) {
        while length(slot) == 0 || start(slot) &+ length(slot) <= hit { slot += 1 }
        let end = start(slot) &+ length(slot)
        if hit + needle.count <= end {
          found.insert(slot)
          at = end
        } else {
          at = hit + 1
        }
      }
      return found
    }
  }

  /// The same for rows kept as offsets, which always follow each other.
  static func containing(
    _ needle: [UInt8], offsets: UnsafeRawPointer, _ bytes: UnsafeRawPointer, _ count: Int
  ) -> Selection {
    func offset(_ slot: Int) -> Int { Int(offsets.loadUnaligned(fromByteOffset: slot &* 4, as: UInt32.self)) }
    return needle.withUnsafeBufferPointer { needle in
      var found = Selection()
      var slot = 0
      var at = offset(0)
      let end = offset(count)
      while at < end, let hit = ByteSearch.firstMatch(of: needle, in: bytes, from: at, to: end) {
        while offset(slot + 1) <= hit { slot += 1 }
        if hit + needle.count <= offset(slot + 1) {
          found.insert(slot)
          at = offset(slot + 1)
        } else {
          at = hit + 1
        }
      }
      return found
    }
  }
}
