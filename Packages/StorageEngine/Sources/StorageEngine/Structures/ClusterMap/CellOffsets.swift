/// The offsets of a row's cells in a cluster that has all columns of its table, for as many columns as prefetching pays
/// for. Serves store.follow-links and store.key-lookups.
struct CellOffsets: Equatable, Sendable {
  struct Place: Equatable, Sendable {
    /// The offset of the cell of slot 0 in the cluster's memory, in bytes.
    var offset: Int
    /// The distance between cells, in bytes.
    var width: Int
  }

  /// Bytes of the cluster's head and its first columns.
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
