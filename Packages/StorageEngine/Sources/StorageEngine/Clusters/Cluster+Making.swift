extension ColumnType {
  /// Bytes of one cluster's cells; see ``ClusterColumn``.
  var clusterWidth: Int {
    switch self {
    case .int, .link, .double, .data, .mixed, .list, .map: 256 * 8
    case .string: 256 * 12
    case .float: 256 * 4
    case .bool: 32
    case .timestamp: 256 * 12
    case .objectId: 256 * 12
    case .uuid, .decimal128: 256 * 16
    }
  }

  /// Bytes from one cell to the next, where cells are not bits; of those in two parts, in the first.
  var cellWidth: Int {
    switch self {
    case .string, .timestamp: 8
    default: clusterWidth / 256
    }
  }

  /// Whether cells are ranges of a heap.
  var isVariable: Bool {
    switch self {
    case .string, .data, .mixed, .list, .map: true
    default: false
    }
  }
}

/// What a cluster must know of a column to make room for it.
struct ColumnShape: Sendable {
  var id: Int
  var type: ColumnType
  var isNullable: Bool
}

/// The shapes of a table's columns, made once for the versions that have the same columns.
struct ColumnShapes: Sendable {
  /// Ascending by number.
  private(set) var present: [ColumnShape]
  /// Nil where the table has no column.
  private var byNumber: [ColumnShape?]

  /// - Parameter next: above the numbers of all columns.
  init(_ columns: [ColumnDefinition], next: Int) {
    present = columns.map { ColumnShape(id: $0.id.rawValue, type: $0.type, isNullable: $0.isNullable) }
    var shapes = [ColumnShape?](repeating: nil, count: next)
    for shape in present { shapes[shape.id] = shape }
    byNumber = shapes
  }

  /// Adds a column, whose number is above all others.
  mutating func add(_ column: ColumnDefinition) {
    let shape = ColumnShape(id: column.id.rawValue, type: column.type, isNullable: column.isNullable)
    present.append(shape)
    byNumber += repeatElement(nil, count: shape.id + 1 - byNumber.count)
    byNumber[shape.id] = shape
  }

  subscript(column: ColumnID) -> ColumnShape? {
    byNumber.indices.contains(column.rawValue) ? byNumber[column.rawValue] : nil
  }
}

// What a cluster says of itself lies together at the start of its memory, so that reading one cell of many clusters
// touches few pages:
//
//     0    4 × UInt64, bits of live slots
//     32   4 × UInt64, bits of patched slots
//     64   the columns
//          the cells of each column behind its null bits
extension Cluster {
  static var firstColumn: Int { 64 }

  /// Where the cells begin.
  static func firstCell(_ columnCount: Int) -> Int {
    (firstColumn + columnCount * MemoryLayout<ClusterColumn>.stride + 15) & ~15
  }

  /// A cluster without rows, with zeroed cells for the given columns.
  static func empty(index: Int, shapes: [ColumnShape], source: NodeSource) -> Cluster {
    let cluster = unwritten(index: index, shapes: shapes, source: source)
    for shape in shapes { cluster.zero(shape) }
    return cluster
  }

  private func zero(_ shape: ColumnShape) {
    let column = columns[shape.id]
    column.nulls.update(repeating: 0, count: 4)
    column.values.initializeMemory(as: UInt8.self, repeating: 0, count: shape.type.clusterWidth)
    if shape.type == .link { column.values.assumingMemoryBound(to: Int64.self).update(repeating: -1, count: 256) }
  }

  /// A cluster without rows, whose cells hold anything.
  private static func unwritten(index: Int, shapes: [ColumnShape], source: NodeSource) -> Cluster {
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

  /// What numbers without a column point at: zeros, all null. Links into it are read through `isPresent`.
  // Written once, here, and only read afterwards.
  private nonisolated(unsafe) static let absentColumn: ClusterColumn = {
    let zeros = UnsafeMutableRawPointer.allocate(byteCount: 256 * 16, alignment: 16)
    zeros.initializeMemory(as: UInt8.self, repeating: 0, count: 256 * 16)
    let nulls = UnsafeMutablePointer<UInt64>.allocate(capacity: 4)
    nulls.initialize(repeating: .max, count: 4)
    return ClusterColumn(
      values: zeros, nulls: nulls, heap: nil, heapCount: 0, heapCapacity: 0, minimumBits: 0, maximumBits: 0,
      hasStatistics: false, isPresent: false, hasExternalCells: false, ownsHeap: false, typeCode: 0)
  }()

  /// A copy that a write transaction may change, with room for the given columns; cells of columns that this
  /// cluster has are kept, cells of others are dropped.
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

  /// The same cells in the same columns, with their heaps, which get some room, in one piece of memory.
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
  /// Bytes of a copy of the heap that leaves some room; 0 when there is nothing in it.
  fileprivate var roomyHeapSize: Int { heap == nil || heapCount == 0 ? 0 : Int(heapCount) + 64 }

  /// Copies another column's heap to a place that has the room.
  fileprivate mutating func takeHeap(of other: ClusterColumn, at place: UnsafeMutableRawPointer) {
    (heap, heapCount, heapCapacity, ownsHeap) = (nil, 0, 0, false)
    let size = other.roomyHeapSize
    guard size > 0, let bytes = other.heap else { return }
    place.copyMemory(from: bytes, byteCount: Int(other.heapCount))
    heap = place.bindMemory(to: UInt8.self, capacity: size)
    (heapCount, heapCapacity) = (other.heapCount, UInt32(size))
  }
}
