extension Cluster {
  /// A copy that a write transaction may change, with the given columns: cells of columns that this cluster has are
  /// kept, its other columns are dropped.
  func copy(shapes: [ColumnShape]) -> Cluster {
    let fits = fits(shapes)
    let copy = fits ? duplicate() : reshaped(shapes)
    copy.replacedNodes = node == 0 ? replacedNodes : nodes
    guard fits, node != 0 else { return copy }
    copy.fullNode = fullNode
    copy.patchedColumns = patchedColumns
    return copy
  }

  /// Whether the cluster has these columns and no others.
  func fits(_ shapes: [ColumnShape]) -> Bool {
    shapes.count == (0..<columnCount).count { columns[$0].isPresent }
      && shapes.allSatisfy { $0.id < columnCount && columns[$0.id].isPresent }
  }

  /// The same cells in the same columns, with room behind each heap, in one allocation.
  private func duplicate() -> Cluster {
    var size = cellsSize
    for number in 0..<columnCount { size += columns[number].roomyHeapSize }
    let storage = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    storage.copyMemory(from: self.storage, byteCount: cellsSize)
    let copy = Cluster(
      index: index, columnCount: columnCount, storage: storage, storageSize: size, cellsSize: cellsSize, source: source)
    copy.firstInserted = firstInserted
    var heap = storage + cellsSize
    for number in 0..<columnCount where columns[number].isPresent {
      let (from, to) = (columns + number, copy.columns + number)
      let values = storage + (from.pointee.values - self.storage)
      to.pointee.values = values
      to.pointee.nulls = (values - 32).assumingMemoryBound(to: UInt64.self)
      to.pointee.takeHeap(of: from.pointee, at: heap)
      heap += from.pointee.roomyHeapSize
    }
    return copy
  }

  private func reshaped(_ shapes: [ColumnShape]) -> Cluster {
    let copy = Cluster.unwritten(index: index, shapes: shapes, source: source)
    copy.alive.update(from: alive, count: 4)
    for shape in shapes {
      if shape.id < columnCount, columns[shape.id].isPresent {
        copy.takeCells(of: self, shape)
      } else {
        copy.zero(shape)
        copy.fillNewColumn(shape)
      }
    }
    return copy
  }

  private func takeCells(of source: Cluster, _ shape: ColumnShape) {
    let from = source.columns + shape.id
    let to = columns + shape.id
    to.pointee.values.copyMemory(from: from.pointee.values, byteCount: shape.type.clusterWidth)
    to.pointee.nulls.update(from: from.pointee.nulls, count: 4)
    to.pointee.hasExternalCells = from.pointee.hasExternalCells
    to.pointee.hasStatistics = from.pointee.hasStatistics
    to.pointee.minimumBits = from.pointee.minimumBits
    to.pointee.maximumBits = from.pointee.maximumBits
    guard from.pointee.roomyHeapSize > 0 else { return }
    let heap = UnsafeMutableRawPointer.allocate(byteCount: from.pointee.roomyHeapSize, alignment: 16)
    to.pointee.takeHeap(of: from.pointee, at: heap)
    to.pointee.ownsHeap = true
  }

  /// Gives the live rows null, or zero and empty, in a column that the cluster did not have.
  func fillNewColumn(_ shape: ColumnShape) {
    let column = columns[shape.id]
    let isLink = shape.type == .link
    if shape.isNullable || isLink {
      column.nulls.update(from: alive, count: 4)
    } else if shape.type == .decimal128 {
      for slot in 0..<256 where alive[slot >> 6] >> UInt64(slot & 63) & 1 != 0 { setDecimalZero(shape.id, slot) }
    }
  }
}

extension ClusterColumn {
  /// Bytes of a copy of the heap with some room; 0 for an empty heap.
  fileprivate var roomyHeapSize: Int { heap == nil || heapCount == 0 ? 0 : Int(heapCount) + 64 }

  /// Copies another column's heap to memory that has the room.
  fileprivate mutating func takeHeap(of other: ClusterColumn, at place: UnsafeMutableRawPointer) {
    (heap, heapCount, heapCapacity, ownsHeap) = (nil, 0, 0, false)
    let size = other.roomyHeapSize
    guard size > 0, let bytes = other.heap else { return }
    place.copyMemory(from: bytes, byteCount: Int(other.heapCount))
    heap = place.bindMemory(to: UInt8.self, capacity: size)
    (heapCount, heapCapacity) = (other.heapCount, UInt32(size))
  }
}
