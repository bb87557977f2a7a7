import Glibc
import StorageEngine
import RecordStore

/// What the most frequent reads and writes need to know of a class in the file of one view.
struct FastPath {
  /// The transaction that ``writer`` belongs to; 0 when to none.
  var transaction: UInt64 = 0
  /// The writer of that transaction; the ``ClassAccess`` keeps it.
  var writer: Unmanaged<TableWriter>?
  /// By property number: the column of a property whose writing is nothing but writing the cell; -1 for all others.
  let columns: UnsafeMutablePointer<ColumnID>
  private let count: Int
  var table: TableID
  /// The index of the primary key, when that is an integer and never null.
  var integerKey: IndexID?
  /// The number of the primary key; -1 when there is none.
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
    // Dynamic objects have properties that no class declares, and write them in other ways.
    for (number, field) in fields.enumerated() where number < count {
      columns[number] = field.isPlain && !field.isKey ? field.column : ColumnID(-1)
      if field.isKey { keyNumber = number }
    }
  }
}

extension UnsafeMutablePointer where Pointee == ObjectState {
  /// Where a property is to be written when that is nothing but writing a cell of a row that is known to live, here and
  /// now; nil when anything else has to be looked at first.
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

  /// Notes that a cell was written by that writer.
  @inline(__always) func notePlainWrite(_ writer: TableWriter) {
    guard let view = pointee.view else { return }
    view.pointee.dataVersion &+= 1
    let epoch = writer.clusterEpoch
    if epoch != view.pointee.clusterEpoch {
      view.pointee.clusterEpoch = epoch
      view.pointee.epoch &+= 1
    }
    // What was replaced is not kept: the object would keep the version before the write until somebody reads it.
    releaseStaleCluster(view)
  }
}
