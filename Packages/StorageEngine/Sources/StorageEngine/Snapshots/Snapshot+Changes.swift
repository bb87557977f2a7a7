import Glibc

extension Snapshot {
  /// What happened to a table between an older snapshot and this one.
  ///
  /// Only parts of the table that differ are read, so the cost follows the size of the change. A row that was
  /// inserted and deleted in between does not appear; row keys are never reused, so no row is both.
  ///
  /// - Parameter older: a snapshot of the same store with a version at or below this one's. A table that it does
  ///   not have counts as empty.
  public func changes(since older: Snapshot, in table: TableID) throws -> TableChanges {
    var changes = TableChanges()
    let new = root.table(table)
    let old = older.root.table(table)
    guard new !== old, new?.node != old?.node else { return changes }
    let newPages = new?.directory ?? .empty(table)
    let oldPages = old?.directory ?? .empty(table)
    for page in newPages.pages(differingFrom: oldPages) {
      let newLeaf = try newPages.leaf(page, loader)
      let oldLeaf = try oldPages.leaf(page, loader)
      for entry in 0..<max(newLeaf?.nodes.count ?? 0, oldLeaf?.nodes.count ?? 0) {
        let newNode = newLeaf.flatMap { entry < $0.nodes.count ? $0.nodes[entry] : 0 } ?? 0
        let oldNode = oldLeaf.flatMap { entry < $0.nodes.count ? $0.nodes[entry] : 0 } ?? 0
        if newNode == oldNode { continue }
        let index = page << DirectoryLeaf.bits | entry
        compare(
          index, try oldNode == 0 ? nil : oldPages.cluster(index, loader),
          try newNode == 0 ? nil : newPages.cluster(index, loader), new?.definition.columns ?? [], &changes)
      }
    }
    return changes
  }

  /// The tables that differ at all between an older snapshot and this one. O(tables).
  public func changedTables(since older: Snapshot) -> [TableID] {
    (0..<max(root.tables.count, older.root.tables.count)).map { TableID($0) }.filter {
      root.table($0)?.node != older.root.table($0)?.node
    }
  }

  private func compare(
    _ index: Int, _ old: Cluster?, _ new: Cluster?, _ columns: [ColumnDefinition], _ changes: inout TableChanges
  ) {
    for word in 0..<4 {
      let oldAlive = old?.alive[word] ?? 0
      let newAlive = new?.alive[word] ?? 0
      forEachBit(newAlive & ~oldAlive) { changes.insertions.append(RowKey(clusterIndex: index, slot: word << 6 | $0)) }
      forEachBit(oldAlive & ~newAlive) { changes.deletions.append(RowKey(clusterIndex: index, slot: word << 6 | $0)) }
    }
    guard let old, let new else { return }
    var modified: [Int: ColumnSet] = [:]
    for column in columns {
      ClusterComparison(old: old, new: new, column: column).forEachDifference { slot in
        modified[slot, default: ColumnSet()].insert(column.id)
      }
    }
    for slot in modified.keys.sorted() {
      changes.modifications.append(
        RowModification(row: RowKey(clusterIndex: index, slot: slot), columns: modified[slot] ?? ColumnSet()))
    }
  }
}

@inline(__always) func forEachBit(_ bits: UInt64, _ body: (Int) -> Void) {
  var bits = bits
  while bits != 0 {
    body(bits.trailingZeroBitCount)
    bits &= bits - 1
  }
}

/// Compares one column of two versions of a cluster.
struct ClusterComparison {
  let old: Cluster
  let new: Cluster
  let column: ColumnDefinition

  /// Calls `body` with every slot alive in both whose cells differ.
  func forEachDifference(_ body: (Int) -> Void) {
    let number = column.id.rawValue
    let oldColumn = old.column(column.id)
    let newColumn = new.column(column.id)
    if oldColumn == nil, newColumn == nil { return }
    let zeros = Cluster.empty(
      index: 0, shapes: [ColumnShape(id: number, type: column.type, isNullable: column.isNullable)], source: new.source)
    if column.isNullable || column.type == .link { zeros.columns[number].nulls.update(repeating: .max, count: 4) }
    let left = oldColumn ?? zeros.columns[number]
    let right = newColumn ?? zeros.columns[number]
    guard left.typeCode == right.typeCode else { return }
    if !column.type.isVariable, memcmp(left.values, right.values, column.type.clusterWidth) == 0,
      memcmp(left.nulls, right.nulls, 32) == 0
    {
      return
    }
    withExtendedLifetime(zeros) {
      for word in 0..<4 {
        let both = old.alive[word] & new.alive[word]
        let nullsDiffer = left.nulls[word] ^ right.nulls[word]
        forEachBit(both) { bit in
          let slot = word << 6 | bit
          if nullsDiffer >> UInt64(bit) & 1 != 0 || isDifferent(left, right, slot) { body(slot) }
        }
      }
    }
  }

  private func isDifferent(_ left: ClusterColumn, _ right: ClusterColumn, _ slot: Int) -> Bool {
    func differ(_ offset: Int, _ width: Int) -> Bool { memcmp(left.values + offset, right.values + offset, width) != 0 }
    switch column.type {
    case .int, .link, .double: return differ(slot * 8, 8)
    case .float: return differ(slot * 4, 4)
    case .timestamp: return differ(slot * 8, 8) || differ(2048 + slot * 4, 4)
    case .objectId: return differ(slot * 12, 12)
    case .uuid, .decimal128: return differ(slot * 16, 16)
    case .bool:
      let leftWord = left.values.assumingMemoryBound(to: UInt64.self)[slot >> 6]
      let rightWord = right.values.assumingMemoryBound(to: UInt64.self)[slot >> 6]
      return (leftWord ^ rightWord) >> UInt64(slot & 63) & 1 != 0
    case .string, .data, .mixed, .list, .map:
      let first = left.values.assumingMemoryBound(to: HeapRange.self)[slot]
      let second = right.values.assumingMemoryBound(to: HeapRange.self)[slot]
      guard first.length == second.length else { return true }
      guard first.length != 0, let leftHeap = left.heap, let rightHeap = right.heap else { return false }
      return memcmp(leftHeap + Int(first.start), rightHeap + Int(second.start), Int(first.length & 0x7FFF_FFFF)) != 0
    }
  }
}
