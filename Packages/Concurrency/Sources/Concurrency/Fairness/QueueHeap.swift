/// Queues ordered by charge, least first, equals in the order of insertion: a binary heap.
///
/// - Complexity: O(log n) for insertion and removal.
struct QueueHeap {
  private struct Entry {
    var charge: Double
    var order: UInt64
    var queue: SerialQueue

    func precedes(_ other: Entry) -> Bool { (charge, order) < (other.charge, other.order) }
  }

  private var entries: [Entry] = []
  private var insertions: UInt64 = 0

  /// The first queue, with the charge that it was inserted with.
  var first: (queue: SerialQueue, charge: Double)? { entries.first.map { ($0.queue, $0.charge) } }
  /// The charge of ``first``.
  var leastCharge: Double? { entries.first?.charge }

  mutating func insert(_ queue: SerialQueue, charge: Double) {
    entries.append(Entry(charge: charge, order: insertions, queue: queue))
    insertions += 1
    var index = entries.count - 1
    while index > 0, entries[index].precedes(entries[(index - 1) / 2]) {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeFirst() -> (queue: SerialQueue, charge: Double)? {
    guard let first = entries.first else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < entries.count && entries[child].precedes(entries[least]) { least = child }
      guard least != index else { return (first.queue, first.charge) }
      entries.swapAt(index, least)
      index = least
    }
  }
}
