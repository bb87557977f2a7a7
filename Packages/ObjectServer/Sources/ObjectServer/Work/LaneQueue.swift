/// Lanes by the charge of their accounts, least first, equals in the order of their coming: a binary heap.
///
/// Complexity: O(log n) for each operation.
struct LaneQueue {
  private struct Entry {
    var charge: Double
    var order: UInt64
    var lane: WorkLane

    func precedes(_ other: Entry) -> Bool { (charge, order) < (other.charge, other.order) }
  }

  private var entries: [Entry] = []
  private var next: UInt64 = 0

  /// The lane that comes next, with the charge that it was inserted with.
  var first: (lane: WorkLane, charge: Double)? { entries.first.map { ($0.lane, $0.charge) } }
  /// The charge of ``first``.
  var least: Double? { entries.first?.charge }

  mutating func insert(_ lane: WorkLane, charge: Double) {
    entries.append(Entry(charge: charge, order: next, lane: lane))
    next += 1
    var index = entries.count - 1
    while index > 0, entries[index].precedes(entries[(index - 1) / 2]) {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeFirst() -> (lane: WorkLane, charge: Double)? {
    guard let first = entries.first else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < entries.count && entries[child].precedes(entries[least]) { least = child }
      guard least != index else { return (first.lane, first.charge) }
      entries.swapAt(index, least)
      index = least
    }
  }
}
