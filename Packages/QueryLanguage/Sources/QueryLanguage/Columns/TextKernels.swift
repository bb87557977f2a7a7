/// CONTAINS over the text of a whole cluster at once. Row `query.string-contains`.
enum TextKernels {
  /// The slots that contain the needle, found with one search through the whole block.
  ///
  /// - Returns: nil unless the texts lie one behind the other, in the order of their slots; empty ones lie nowhere.
  static func containing(
    _ needle: [UInt8], _ ranges: UnsafeRawPointer, _ bytes: UnsafeRawPointer, _ count: Int
  ) -> Selection? {
    func start(_ slot: Int) -> Int { Int(ranges.loadUnaligned(fromByteOffset: slot &* 8, as: UInt32.self)) }
    func length(_ slot: Int) -> Int { Int(ranges.loadUnaligned(fromByteOffset: slot &* 8 &+ 4, as: UInt32.self)) }
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
}
