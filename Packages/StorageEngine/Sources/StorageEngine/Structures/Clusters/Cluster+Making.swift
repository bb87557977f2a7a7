// The head of a cluster lies together at the start of its memory, so that reading one cell of many clusters touches few
// pages:
//
//     0    4 × UInt64, bits of live slots
//     32   4 × UInt64, bits of patched slots
//     64   the columns
//          the cells of each column behind its null bits
extension Cluster {
  static var firstColumn: Int { 64 }

  /// The offset of the cells.
  static func firstCell(_ columnCount: Int) -> Int {
    (firstColumn + columnCount * MemoryLayout<ClusterColumn>.stride + 15) & ~15
  }

  /// A cluster without rows, with zeroed cells for the given columns.
  static func empty(index: Int, shapes: [ColumnShape], source: NodeSource) -> Cluster {
    let cluster = unwritten(index: index, shapes: shapes, source: source)
    for shape in shapes { cluster.zero(shape) }
    return cluster
  }

  func zero(_ shape: ColumnShape) {
    let column = columns[shape.id]
    column.nulls.update(repeating: 0, count: 4)
    column.values.initializeMemory(as: UInt8.self, repeating: 0, count: shape.type.clusterWidth)
    if shape.type == .link { column.values.assumingMemoryBound(to: Int64.self).update(repeating: -1, count: 256) }
  }

  /// A cluster without rows, whose cells are not initialised.
  static func unwritten(index: Int, shapes: [ColumnShape], source: NodeSource) -> Cluster {
    let columnCount = (shapes.map(\.id).max() ?? -1) + 1
    let cells = firstCell(columnCount)
    let size = shapes.reduce(cells) { $0 + 32 + $1.type.clusterWidth }
    let storage = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    storage.initializeMemory(as: UInt8.self, repeating: 0, count: cells)
    let columns = (storage + firstColumn).bindMemory(to: ClusterColumn.self, capacity: columnCount)
    let absent = Self.absentColumn
    for number in 0..<columnCount { (columns + number).initialize(to: absent) }
    var offset = cells
    for shape in shapes {
      let nulls = (storage + offset).assumingMemoryBound(to: UInt64.self)
      let values = storage + offset + 32
      columns[shape.id] = ClusterColumn(
        values: values, nulls: nulls, heap: nil, heapCount: 0, heapCapacity: 0, minimumBits: 0, maximumBits: 0,
        hasStatistics: false, isPresent: true, hasExternalCells: false, ownsHeap: false, typeCode: shape.type.rawValue)
      offset += 32 + shape.type.clusterWidth
    }
    return Cluster(
      index: index, columnCount: columnCount, storage: storage, storageSize: size, cellsSize: size, source: source)
  }

  /// The column of numbers without a column: zeros, all null. Reads of links check `isPresent`. Written once, here.
  private nonisolated(unsafe) static let absentColumn: ClusterColumn = {
    let zeros = UnsafeMutableRawPointer.allocate(byteCount: 256 * 16, alignment: 16)
    zeros.initializeMemory(as: UInt8.self, repeating: 0, count: 256 * 16)
    let nulls = UnsafeMutablePointer<UInt64>.allocate(capacity: 4)
    nulls.initialize(repeating: .max, count: 4)
    return ClusterColumn(
      values: zeros, nulls: nulls, heap: nil, heapCount: 0, heapCapacity: 0, minimumBits: 0, maximumBits: 0,
      hasStatistics: false, isPresent: false, hasExternalCells: false, ownsHeap: false, typeCode: 0)
  }()
}
