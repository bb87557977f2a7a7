/// The inner loops over text that lies in one block per cluster.
enum TextKernels {
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
