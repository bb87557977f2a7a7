/// A set of cohorts in ascending order. Insertion and removal cost O(log *n*) comparisons and move O(*n*) words.
struct SlotSet: Sendable {
  private(set) var slots: [Int] = []

  var isEmpty: Bool { slots.isEmpty }

  mutating func insert(_ slot: Int) {
    let position = position(of: slot)
    if position < slots.count, slots[position] == slot { return }
    slots.insert(slot, at: position)
  }

  mutating func remove(_ slot: Int) {
    let position = position(of: slot)
    if position < slots.count, slots[position] == slot { slots.remove(at: position) }
  }

  /// The position of the first slot that is not below another.
  private func position(of slot: Int) -> Int {
    if let last = slots.last, last < slot { return slots.count }
    var low = 0
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      if slots[middle] < slot { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
