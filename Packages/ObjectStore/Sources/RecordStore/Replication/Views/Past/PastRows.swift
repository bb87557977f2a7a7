import DataModel
import StorageEngine

/// A row whose object, or what it links to, was different at a past version.
struct PastRow {
  /// Whether fields that are not among ``fields`` are read from the present row, their links as of the past version.
  var keepsRest: Bool
  /// The fields that held something else, by column.
  var fields: [ColumnID: PastContent] = [:]
  /// The key of an object that does not exist now; nil for a present row.
  var key: ObjectKey?
}

/// The rows of one class that differ between a past version and the present, by cluster.
struct PastRows {
  /// The rows of one cluster.
  struct Slots {
    /// A bit for each present row that did not live at the version.
    var hidden = SIMD4<UInt64>()
    /// The rows that were different, by slot.
    var rows: [Int: PastRow] = [:]
    /// The columns in which some row held something else.
    var columns: Set<ColumnID> = []
    /// Whether some row has nothing in common with the present.
    var replacesAll = false

    func hides(_ slot: Int) -> Bool { hidden[slot >> 6] >> UInt64(slot & 63) & 1 == 1 }
  }

  /// The clusters that the present has.
  let presentClusters: Int
  private(set) var clusters: [Int: Slots] = [:]
  private(set) var hiddenCount = 0
  /// The number of objects that do not exist now; their rows follow behind the present clusters.
  private(set) var extraCount = 0

  init(presentClusters: Int) { self.presentClusters = presentClusters }

  /// The number of clusters, those of ``extraCount`` rows among them.
  var clusterCount: Int { presentClusters + (extraCount + 255) / 256 }

  /// Whether a row is none that the present has.
  func isExtra(_ row: RowKey) -> Bool { row.clusterIndex >= presentClusters }

  /// The row, when it was different; nil when it was not, or did not live.
  subscript(row: RowKey) -> PastRow? { clusters[row.clusterIndex]?.rows[row.slot] }

  /// Whether a present row did not live at the version.
  func hides(_ row: RowKey) -> Bool { row.rawValue >= 0 && clusters[row.clusterIndex]?.hides(row.slot) == true }

  /// Takes a present row away; returns whether it was there.
  mutating func hide(_ row: RowKey) -> Bool {
    guard !hides(row) else { return false }
    clusters[row.clusterIndex, default: Slots()].hidden[row.slot >> 6] |= 1 << UInt64(row.slot & 63)
    hiddenCount += 1
    return true
  }

  /// Puts another row in the place of a present or an added one.
  mutating func put(_ change: PastRow, at row: RowKey) {
    var slots = clusters.removeValue(forKey: row.clusterIndex) ?? Slots()
    slots.rows[row.slot] = change
    slots.columns.formUnion(change.fields.keys)
    if !change.keepsRest { slots.replacesAll = true }
    clusters[row.clusterIndex] = slots
  }

  /// Notes that links of a present row led elsewhere.
  mutating func relink(_ row: RowKey) {
    if self[row] == nil, !hides(row) { put(PastRow(keepsRest: true), at: row) }
  }

  /// The number of the next row that the present does not have.
  mutating func addRow() -> RowKey {
    extraCount += 1
    return RowKey(clusterIndex: presentClusters + (extraCount - 1) >> 8, slot: (extraCount - 1) & 255)
  }
}
