import Glibc

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
