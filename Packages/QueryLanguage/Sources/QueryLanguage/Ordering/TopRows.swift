import DataModel

/// The first `capacity` rows of a sort, found in one pass: a heap with the last of them on top. Row `query.sort-limit`.
///
/// O(*n* log *k*) at worst for *n* rows and a capacity of *k*.
struct TopRows {
  let keys: [SortKeyReader]
  let capacity: Int
  private var heap: [SortRow] = []
  private var seen = 0
  private let flags: ColumnKernels.Flags

  init(_ keys: [SortKeyReader], capacity: Int, scratch: ColumnKernels.Flags) {
    self.keys = keys
    self.capacity = capacity
    flags = scratch
    heap.reserveCapacity(min(capacity, 4096))
  }

  /// Offers the selected rows of a cluster.
  mutating func offer(_ batch: Batch, _ selection: Selection) throws {
    guard capacity > 0 else { return }
    // Positions grow from cluster to cluster, so that equal rows keep their order.
    let start = seen
    seen += 256
    guard let property = keys[0].ownProperty else {
      return try selection.forEach { slot in try consider(batch.row(slot), start + slot) }
    }
    let column = try batch.cluster.column(property)
    let candidates = candidates(column, batch, selection)
    try candidates.forEach { slot in
      if heap.count == capacity {
        // Rows come in order, so one that is equal to the last kept row comes after it.
        let order = try keys[0].cell(column, batch, slot).compare(heap[0].rank.cells[0])
        let isAfter = keys[0].isAscending ? order > 0 : order < 0
        if isAfter || order == 0 && keys.count == 1 && keys[0].isExact { return }
      }
      try consider(batch.row(slot), start + slot)
    }
  }

  /// The rows that may still belong to the first ones: a superset, found by the bounds of the column or with one vector
  /// comparison.
  private func candidates(_ column: ColumnView, _ batch: Batch, _ selection: Selection) -> Selection {
    guard heap.count == capacity, heap[0].rank.cells[0].rank == 1, keys[0].isExact else { return selection }
    let bits = heap[0].rank.cells[0].bits
    var found: Selection
    switch column.layout {
    case .double(let values):
      guard let bounds = column.floatingBounds, bits != 0 else { return selection }
      let worst = Double(bitPattern: bits >> 63 == 1 ? bits ^ 1 << 63 : ~bits)
      if keys[0].isAscending ? bounds.lowerBound > worst : bounds.upperBound < worst {
        found = Selection()
      } else if keys[0].isAscending {
        found = ColumnKernels.doubles(values, -.infinity, worst, count: batch.slotCount, flags)
      } else {
        found = ColumnKernels.doubles(values, worst, .infinity, count: batch.slotCount, flags)
      }
    case .int64:
      guard let bounds = column.bounds else { return selection }
      let worst = Int64(bitPattern: bits ^ 1 << 63)
      let isOut = keys[0].isAscending ? bounds.lowerBound > worst : bounds.upperBound < worst
      guard isOut else { return selection }
      found = Selection()
    case .generic, .allNull, .bits, .float, .ranges, .timestamps, .fixed, .links: return selection
    }
    if let nulls = column.nulls { found.formUnion(Selection(loading: nulls)) }
    found.formIntersection(selection)
    return found
  }

  private mutating func consider(_ row: QueryRow, _ position: Int) throws {
    let candidate = try SortRow(keys, row, position: position)
    if heap.count < capacity {
      heap.append(candidate)
      siftUp()
    } else if candidate.precedes(heap[0], keys) {
      heap[0] = candidate
      siftDown()
    }
  }

  private mutating func siftUp() {
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[parent].precedes(heap[child], keys) else { return }
      heap.swapAt(parent, child)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var last = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[last].precedes(heap[child], keys) { last = child }
      }
      if last == parent { return }
      heap.swapAt(last, parent)
      parent = last
    }
  }

  /// The rows kept, in order.
  func sorted() -> [QueryRow] { heap.sorted { $0.precedes($1, keys) }.map(\.row) }
}
