import Glibc
import StorageEngine
import RecordStore

/// The layout of a class as the most frequent reads and writes need it.
///
/// Used by address, without exclusivity checks, by functions that are inlined everywhere. Serves store.property-write,
/// store.key-lookups and store.insert-1m. The reference to the writer is unmanaged, since the ``ClassAccess`` keeps it.
struct FastPath {
  /// The number of the transaction that ``writer`` belongs to; 0 for none.
  var transaction: UInt64 = 0
  /// The writer of that transaction; the ``ClassAccess`` keeps it.
  var writer: Unmanaged<TableWriter>?
  /// By property number: the column of a property that is a cell without index or links; -1 for all others.
  let columns: UnsafeMutablePointer<ColumnID>
  private let count: Int
  var table: TableID
  /// The index of the primary key, if that is an integer and never null.
  var integerKey: IndexID?
  /// The property number of the primary key; -1 when there is none.
  var keyNumber = -1

  init(_ table: TableID, propertyCount: Int) {
    self.table = table
    count = max(propertyCount, 1)
    columns = .allocate(capacity: count)
    columns.initialize(repeating: ColumnID(-1), count: count)
  }

  mutating func update(_ layout: ClassLayout, _ fields: [FieldAccess]) {
    table = layout.table
    integerKey = layout.key.flatMap { $0.hasIntegerIndex && $0.field != nil ? $0.index : nil }
    keyNumber = -1
    // The fields of a dynamic class exceed the properties of its binding; they are not written by this path.
    for (number, field) in fields.enumerated() where number < count {
      columns[number] = field.isPlain && !field.isKey ? field.column : ColumnID(-1)
      if field.isKey { keyNumber = number }
    }
  }
}

extension UnsafeMutablePointer where Pointee == ObjectState {
  /// The writer and column for a property that is a plain cell of a row known to live, in the open transaction of this
  /// thread; nil when a full check is needed.
  @inline(__always) func plainCell(_ number: Int) -> (writer: Unmanaged<TableWriter>, column: ColumnID)? {
    guard let view = pointee.view, let access = pointee.access, view.pointee.birth != 0,
      view.pointee.thread == pthread_self(), pointee.livedAt == view.pointee.deletions, !pointee.isDetached
    else { return nil }
    let fastPath = access._withUnsafeGuaranteedRef { $0.fastPath }
    let column = fastPath.pointee.columns[number]
    guard fastPath.pointee.transaction == view.pointee.birth, column.rawValue >= 0, let writer = fastPath.pointee.writer
    else { return nil }
    return (writer, column)
  }

  /// Makes results stale after a write of a plain cell.
  @inline(__always) func notePlainWrite(_ writer: TableWriter) {
    guard let view = pointee.view else { return }
    view.pointee.dataVersion &+= 1
    let epoch = writer.clusterEpoch
    if epoch != view.pointee.clusterEpoch {
      view.pointee.clusterEpoch = epoch
      view.pointee.epoch &+= 1
    }
    // A stale cluster would keep the version before the write until the object's next read.
    releaseStaleCluster(view)
  }
}
