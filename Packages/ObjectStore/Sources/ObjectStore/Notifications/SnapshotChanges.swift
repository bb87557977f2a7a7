import StorageEngine
import RecordStore

/// The changes between older versions of a file and one version, computed once for all observers of a pass.
final class SnapshotChanges {
  let view: RealmView
  private let snapshot: Snapshot
  private var tables: [Key: TableChanges] = [:]
  private var deep: [DeepKey: Set<RowKey>] = [:]

  private struct Key: Hashable {
    let since: SnapshotVersion
    let table: TableID
  }
  private struct DeepKey: Hashable {
    let key: Key
    let depth: Int
  }

  /// The number of links through which the change of an object still modifies the objects that link to it.
  static let depthLimit = 4

  init(_ view: RealmView, _ snapshot: Snapshot) {
    self.view = view
    self.snapshot = snapshot
  }

  /// The changes of a table's rows since an older snapshot. A change of nothing but the global key of an object without
  /// primary key is left out.
  func changes(in table: TableID, since older: Snapshot) -> TableChanges {
    let key = Key(since: older.version, table: table)
    if let known = tables[key] { return known }
    var found = view.reading(or: TableChanges()) { try snapshot.changes(since: older, in: table) }
    if let column = view.catalog[table]?.key?.globalColumn {
      let onlyKey = ColumnSet([column])
      found.modifications.removeAll { $0.columns == onlyKey }
    }
    tables[key] = found
    return found
  }

  /// The rows of a class that changed, or from which links lead to rows that changed.
  ///
  /// - Parameter depth: the number of links that were followed already.
  /// - Complexity: O(*m* · *l*) in the changed rows and the links to them.
  func modifiedRows(of layout: ClassLayout, since older: Snapshot, depth: Int = 0) -> Set<RowKey> {
    if let known = deep[DeepKey(key: Key(since: older.version, table: layout.table), depth: depth)] {
      return known
    }
    var rows: Set<RowKey> = []
    for modification in changes(in: layout.table, since: older).modifications {
      rows.insert(modification.row)
    }
    if depth < Self.depthLimit {
      let readView = view.readView
      for field in layout.fields where field.isFixedLink {
        guard let target = readView.catalog[field.target ?? ""],
          hasChangesBehind(target, since: older, depth: depth + 1)
        else {
          continue
        }
        for row in modifiedRows(of: target, since: older, depth: depth + 1) {
          rows.formUnion(view.reading(or: []) { try readView.origins(field, of: target.table, row) })
        }
      }
      deep[DeepKey(key: Key(since: older.version, table: layout.table), depth: depth)] = rows
    }
    return rows
  }

  /// Whether any row changed in a class, or in the classes that its links lead to.
  private func hasChangesBehind(_ layout: ClassLayout, since older: Snapshot, depth: Int) -> Bool {
    if !changes(in: layout.table, since: older).modifications.isEmpty { return true }
    guard depth < Self.depthLimit else { return false }
    return layout.fields.contains { field in
      guard field.isFixedLink, let target = view.catalog[field.target ?? ""], target.table != layout.table else {
        return false
      }
      return hasChangesBehind(target, since: older, depth: depth + 1)
    }
  }
}
