/// A set of byte strings in one block of memory with an open hash table, asked without making an array of the bytes
/// asked for. Row `query.in-100k`.
///
/// Made once per plan in O(*n*) for *n* bytes; a look-up costs O(*m*) for the *m* bytes asked for.
final class BytesSet: Sendable {
  let values: [[UInt8]]
  private let blob: [UInt8]
  private let ranges: [(start: Int, count: Int)]
  /// Position in `ranges` plus one, below 32 bits of the hash; zero where free.
  private let slots: [UInt64]

  init(_ elements: [[UInt8]]) {
    var values: [[UInt8]] = []
    values.reserveCapacity(elements.count)
    var size = 16
    while size < elements.count * 2 { size *= 2 }
    var blob: [UInt8] = []
    var ranges: [(start: Int, count: Int)] = []
    ranges.reserveCapacity(elements.count)
    var slots = [UInt64](repeating: 0, count: size)
    adding: for value in elements {
      let hash = value.withUnsafeBufferPointer { Self.hash($0) }
      var at = Int(truncatingIfNeeded: hash) & (size - 1)
      while slots[at] != 0 {
        if slots[at] >> 32 == hash >> 32, values[Int(slots[at] & 0xFFFF_FFFF) - 1] == value { continue adding }
        at = (at + 1) & (size - 1)
      }
      ranges.append((blob.count, value.count))
      blob += value
      values.append(value)
      slots[at] = (hash & ~0xFFFF_FFFF) | UInt64(values.count)
    }
    self.values = values
    self.blob = blob
    self.ranges = ranges
    self.slots = slots
  }

  /// A hash of eight bytes at a time.
  @inline(__always) private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(raw.count)
    var at = 0
    while at &+ 8 <= raw.count {
      hash = (hash ^ raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      at &+= 8
    }
    var rest: UInt64 = 0
    while at < raw.count {
      rest = rest << 8 | UInt64(raw[at])
      at &+= 1
    }
    hash = (hash ^ rest) &* 0xBF58_476D_1CE4_E5B9
    return hash ^ hash >> 31
  }

  func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !ranges.isEmpty else { return false }
    let hash = Self.hash(bytes)
    let mask = slots.count - 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while slots[at] != 0 {
      let slot = slots[at]
      if slot >> 32 == hash >> 32 {
        let range = ranges[Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1]
        if range.count == bytes.count, blob.withUnsafeBufferPointer({ BytesTest.equal($0, range.start, bytes) }) {
          return true
        }
      }
      at = (at + 1) & mask
    }
    return false
  }
}
