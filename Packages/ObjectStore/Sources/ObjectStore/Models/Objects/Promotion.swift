import DataModel
import StorageEngine
import RecordStore

/// The writing of one unmanaged object into its row, as it becomes live.
public final class Promotion {
  // unowned(unsafe): the caller of `RealmView.promote` holds the view, which owns its accesses. Serves store.insert-1m.
  unowned(unsafe) let view: RealmView
  unowned(unsafe) let access: ClassAccess
  let row: RowKey
  /// Whether the row is new, so that there are no old values to compare or to remove.
  let isNew: Bool
  let policy: Realm.UpdatePolicy
  /// Whether properties that were never assigned leave an existing row unchanged.
  let skipsUnassigned: Bool
  /// The writer for cells without index or links; nil when changes are recorded.
  let plainWriter: TableWriter?
  private let transaction: WriteTransaction?
  // Copies of the view's properties: the view is weakly referenced and therefore slow to retain. Serves store.insert-1m.
  private let faults: ReadFaults
  private let viewState: UnsafeMutablePointer<ViewState>
  /// Whether the value being written is a default.
  // Unchecked: no access overlaps another one, as each only sets or reads a flag. Serves store.insert-1m.
  @exclusivity(unchecked) var isDefault = false

  init(
    _ view: RealmView, _ access: ClassAccess, _ row: RowKey, isNew: Bool, policy: Realm.UpdatePolicy,
    skipsUnassigned: Bool
  ) {
    self.view = view
    self.access = access
    self.row = row
    self.isNew = isNew
    self.policy = policy
    self.skipsUnassigned = skipsUnassigned
    plainWriter = view.plainWriter(access)
    transaction = plainWriter == nil ? nil : view.session?.transaction
    faults = view.faults
    viewState = view.state
  }

  /// Runs a write to storage, as ``RealmView/writing(_:)`` does.
  /// Inlined everywhere, as `newCell` is: once per value. Serves store.insert-1m.
  @inline(__always) func writing(_ body: () throws -> Void) { faults.reading(or: (), body) }

  /// The row of a link's target; an unmanaged target is added first.
  func row(of object: ObjectBase) -> RowKey {
    object.state.knownRow(in: viewState) ?? view.row(of: object)
  }

  var writer: StoreWriter { view.writer }

  /// The writer and column for a property of a new row, if the property is a cell without index or links.
  @inline(__always) func newCell(_ number: Int) -> (writer: Unmanaged<TableWriter>, column: ColumnID)? {
    guard isNew, let plainWriter else { return nil }
    let column = access.fastPath.pointee.columns[number]
    return column.rawValue >= 0 ? (Unmanaged.passUnretained(plainWriter), column) : nil
  }

  /// Writes a single value.
  func write(_ value: StoredValue, _ field: FieldAccess) {
    if field.isKey { return }
    let (writer, cell) = (self.writer, Cell(access.layout, row, field.layout))
    writing {
      if isNew {
        if let recorder = writer.recorder {
          try recorder.update(cell, value, isDefault: isDefault, in: writer.readView)
        }
        try writer.initialize(value, cell)
      } else {
        if policy == .modified, try writer.readView.value(cell) == value { return }
        try writer.set(value, cell)
      }
    }
  }

  /// Writes a link of a new row in a transaction that records nothing.
  func writeLink(_ target: RowKey, _ link: (column: ColumnID, backlinks: IndexID)) {
    writing {
      try plainWriter?.setLink(target, link.column, row: row)
      try transaction?.insert(target.rawValue, row: row, into: link.backlinks)
    }
  }

  /// Writes a single embedded object.
  func writeEmbedded(_ object: EmbeddedObject?, _ field: FieldAccess) {
    if isNew, object == nil { return }
    if !isNew, policy == .modified {
      let old = view.reading(or: .null) { try writer.readView.value(Cell(access.layout, row, field.layout)) }
      if object == nil, old == .null { return }
      if let object, case .link(_, let child) = old, child.rawValue >= 0 { return update(child, object) }
    }
    view.setEmbedded(object, field, row, access)
  }

  /// Writes the differences of an embedded object into its existing row.
  private func update(_ child: RowKey, _ object: EmbeddedObject) {
    if object.view === view, object.state.pointee.row == child { return }
    let source = view.unmanagedEmbedded(object, "Can't set link to existing managed embedded object.")
    view.promote(source, view.access(type(of: source)), child, isNew: false)
  }
}
