import DataModel
import StorageEngine
import RecordStore

/// Observes one object: reports the properties that changed, with their values before and after.
final class ObjectObserver: ChangeObserver {
  weak var token: NotificationToken?
  private(set) var isFinished = false
  private let access: ClassAccess
  private let row: RowKey
  private let watched: WatchedProperties?
  private var last: Snapshot?
  private let report: ([PropertyChange]?) -> Void

  /// - Parameter report: called with the changes, or with nil when the object was deleted.
  init(
    _ access: ClassAccess, _ row: RowKey, watched: WatchedProperties?, since snapshot: Snapshot?,
    _ report: @escaping ([PropertyChange]?) -> Void
  ) {
    self.access = access
    self.row = row
    self.watched = watched
    last = snapshot
    self.report = report
  }

  func skip(to snapshot: Snapshot) { last = snapshot }

  func deliver(_ snapshot: Snapshot, _ changes: SnapshotChanges) {
    guard let older = last, older.version != snapshot.version else { return last = snapshot }
    last = snapshot
    let found = changes.changes(in: access.layout.table, since: older)
    if found.deletions.contains(row) {
      isFinished = true
      return report(nil)
    }
    let written = found.modifications.first { $0.row == row }?.columns
    guard written != nil || watched != nil else { return }
    var properties: [PropertyChange] = []
    // As in RealmSwift, changes of the observing view itself carry no old values.
    let isOwn = access.view.ownVersion == snapshot.version
    access.view.writing {
      let before = ReadView(older, try access.view.file.catalog(of: older))
      let after = access.view.readView
      for field in access.fields {
        if let watched {
          guard let path = watched.only(field.property.name),
            changes.modifiedRows(of: access.layout, since: older, watched: path).contains(row)
          else { continue }
        } else {
          guard field.isStored, let written, written.contains(field.layout.column) else { continue }
        }
        properties.append(
          PropertyChange(
            name: field.property.name, oldValue: isOwn ? nil : try value(field, before),
            newValue: try value(field, after)))
      }
    }
    if !properties.isEmpty { report(properties) }
  }

  private func value(_ field: FieldAccess, _ readView: ReadView) throws -> Any? {
    guard field.isStored, field.layout.collection == .single, readView.catalog[access.layout.table] != nil else {
      return nil
    }
    let stored = try readView.value(Cell(access.layout, row, field.layout))
    guard case .link(let table, let target) = stored else { return stored.namedValue }
    guard target.rawValue >= 0 else { return nil }
    if access.isDynamic { return access.view.dynamicAccess(table).live(target) }
    guard let type = access.binding.properties[field.number].access.propertyType.objectType else {
      return nil
    }
    return access.view.live(type, target)
  }
}
