import CStorageSupport
import Synchronization

/// Where the clusters of a page of a directory lay in memory when they were found last.
///
/// For the processor alone, which is asked to bring them nearer while something else is done: nothing is ever read from an
/// address that stands here, since a cluster may be gone. Who reads a row at random waits for memory once then, instead of
/// for the place of the cluster, the cluster, its columns and the cell one after the other.
///
/// The versions of a page share them: where one replaced a cluster, readers of the others bring a wrong one nearer.
final class ClusterHints: @unchecked Sendable {
  // @unchecked: entries are atomics.
  /// Two for each cluster: the object, and what it describes itself with.
  private let entries: UnsafeMutablePointer<Atomic<UInt>>

  init() {
    entries = .allocate(capacity: DirectoryLeaf.width * 2)
    for index in 0..<DirectoryLeaf.width * 2 { (entries + index).initialize(to: Atomic(0)) }
  }

  deinit { entries.deallocate() }

  func note(_ cluster: Cluster, at entry: Int) {
    entries[entry * 2].store(UInt(bitPattern: Unmanaged.passUnretained(cluster).toOpaque()), ordering: .relaxed)
    entries[entry * 2 + 1].store(UInt(bitPattern: cluster.storage), ordering: .relaxed)
  }

  /// - Parameters:
  ///   - entry: below ``DirectoryLeaf/width``.
  ///   - slot: the row's place in the cluster.
  @inline(__always) func prefetch(_ entry: Int, _ cells: CellPlaces, row slot: Int) {
    guard let object = UnsafeRawPointer(bitPattern: entries[entry * 2].load(ordering: .relaxed)),
      let storage = UnsafeRawPointer(bitPattern: entries[entry * 2 + 1].load(ordering: .relaxed))
    else { return }
    storage_prefetch(object, 128)
    storage_prefetch(storage, cells.head)
    for place in cells.places { storage_prefetch(storage + place.offset + slot * place.width, 1) }
  }
}

/// Where a cluster that has all columns of its table holds the cells of a row, of as many columns as it pays to ask for.
struct CellPlaces: Equatable, Sendable {
  struct Place: Equatable, Sendable {
    /// Of the cell of slot 0, from the start of the cluster's memory, in bytes.
    var offset: Int
    /// From one cell to the next, in bytes.
    var width: Int
  }

  /// Bytes in which the cluster describes itself and its first columns.
  private(set) var head = 0
  private(set) var places: [Place] = []

  private static let limit = 8

  init(_ columns: [ColumnDefinition]) {
    let shapes = columns.sorted { $0.id.rawValue < $1.id.rawValue }
    let count = (shapes.last?.id.rawValue ?? -1) + 1
    head = Cluster.firstColumn + min(count, Self.limit) * MemoryLayout<ClusterColumn>.stride
    var offset = Cluster.firstCell(count)
    for column in shapes.prefix(Self.limit) {
      places.append(Place(offset: offset + 32, width: column.type.cellWidth))
      offset += 32 + column.type.clusterWidth
    }
  }
}
