/// A set of integers that answers quickly: a bitmap where they lie close together, a hash table where not.
final class IntegerSet: Sendable {
  let values: [Int64]
  private let low: Int64
  private let bitmap: [UInt64]
  private let slots: [Int64]
  private let isUsed: [Bool]
  private let shift: UInt64

  init(_ elements: [Int64]) {
    let values = Set(elements).sorted()
    self.values = values
    low = values.first ?? 0
    let (span, overflow) = (values.last ?? 0).subtractingReportingOverflow(low)
    if !overflow, span < Int64(values.count) * 64 + 4096 {
      var bitmap = [UInt64](repeating: 0, count: Int(span) / 64 + 1)
      for value in values {
        let bit = Int(value - low)
        bitmap[bit >> 6] |= 1 << UInt64(bit & 63)
      }
      self.bitmap = bitmap
      slots = []
      isUsed = []
      shift = 0
    } else {
      var bits: UInt64 = 4
      while 1 << bits < values.count * 2 { bits += 1 }
      var slots = [Int64](repeating: 0, count: 1 << Int(bits))
      var isUsed = [Bool](repeating: false, count: slots.count)
      for value in values {
        var at = Self.slot(value, 64 - bits)
        while isUsed[at] { at = (at + 1) & (slots.count - 1) }
        slots[at] = value
        isUsed[at] = true
      }
      self.slots = slots
      self.isUsed = isUsed
      shift = 64 - bits
      bitmap = []
    }
  }

  @inline(__always) private static func slot(_ value: Int64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: value) &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  @inline(__always) func contains(_ value: Int64) -> Bool {
    if !bitmap.isEmpty {
      let bit = UInt64(bitPattern: value &- low)
      return bit >> 6 < UInt64(bitmap.count) && bitmap[Int(bit >> 6)] >> (bit & 63) & 1 == 1
    }
    guard !slots.isEmpty else { return false }
    var at = Self.slot(value, shift)
    while isUsed[at] {
      if slots[at] == value { return true }
      at = (at + 1) & (slots.count - 1)
    }
    return false
  }
}

/// A set of byte strings in one block of memory with an open hash table.
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

  /// Eight bytes at a time.
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
