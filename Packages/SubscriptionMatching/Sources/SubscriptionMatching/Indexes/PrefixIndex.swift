/// Prefixes of byte strings, found by a string that begins with them.
///
/// Prefixes are kept by their first 32 bytes; those that agree so far are found together, and the filter decides. A
/// search hashes one prefix of the string for each length in use: at most 32, O(1) for any number of prefixes.
struct PrefixIndex: Sendable {
  static let longest = 32
  private var slots: [[UInt8]: SlotSet] = [:]
  /// The number of different prefixes of each length.
  private var countOfLength = [Int](repeating: 0, count: PrefixIndex.longest + 1)

  var isEmpty: Bool { slots.isEmpty }

  mutating func insert(_ prefix: [UInt8], _ slot: Int) {
    let head = Array(prefix.prefix(Self.longest))
    if slots[head] == nil { countOfLength[head.count] += 1 }
    slots[head, default: SlotSet()].insert(slot)
  }

  mutating func remove(_ prefix: [UInt8], _ slot: Int) {
    let head = Array(prefix.prefix(Self.longest))
    guard slots[head] != nil else { return }
    slots[head]?.remove(slot)
    if slots[head]?.isEmpty == true {
      slots[head] = nil
      countOfLength[head.count] -= 1
    }
  }

  /// Calls a closure with the cohorts of every prefix of a byte string.
  func find(_ bytes: [UInt8], _ body: (Int) -> Void) {
    if slots.isEmpty { return }
    for length in 0...min(bytes.count, Self.longest) where countOfLength[length] > 0 {
      for slot in slots[Array(bytes.prefix(length))]?.slots ?? [] { body(slot) }
    }
  }
}
