/// A set of properties of one class in one word. Properties from position 63 on share a bit, so the mask may claim more
/// than was put in, never less.
struct PropertyMask: Hashable, Sendable {
  private(set) var bits: UInt64 = 0

  init() {}

  init(_ positions: some Sequence<Int>) { for position in positions { insert(position) } }

  mutating func insert(_ position: Int) { bits |= Self.bit(position) }

  mutating func formUnion(_ other: PropertyMask) { bits |= other.bits }

  func mayContain(_ position: Int) -> Bool { bits & Self.bit(position) != 0 }

  func meets(_ other: PropertyMask) -> Bool { bits & other.bits != 0 }

  private static func bit(_ position: Int) -> UInt64 { 1 << UInt64(min(max(position, 0), 63)) }
}

/// The union of the masks of many queries, from which masks can be taken again.
struct PropertyMaskUnion: Sendable {
  private(set) var mask = PropertyMask()
  private var counts = [Int](repeating: 0, count: 64)

  mutating func add(_ other: PropertyMask) { change(other, by: 1) }

  mutating func remove(_ other: PropertyMask) { change(other, by: -1) }

  private mutating func change(_ other: PropertyMask, by step: Int) {
    mask = PropertyMask()
    for bit in counts.indices {
      if other.mayContain(bit) { counts[bit] += step }
      if counts[bit] > 0 { mask.insert(bit) }
    }
  }
}
