import DataModel
import StorageEngine
import RecordStore

/// The properties whose changes are reported to an observer, as a tree of names.
///
///     keyPaths ["name", "dogs.age"]      name · dogs ─ age
///
/// Every property on a path is watched: `dogs.age` also reports a dog that is inserted or deleted. Properties behind
/// the end of a path are not: `dogs` reports insertions and deletions, and no change of a dog.
struct WatchedProperties {
  private(set) var branches: [String: WatchedProperties] = [:]

  /// The tree of some key paths; nil, which watches all properties, when there are none. A name that is no property
  /// stops the program.
  init?(_ keyPaths: [String]?, of className: String, _ view: RealmView) {
    guard let keyPaths, !keyPaths.isEmpty else { return nil }
    let schema = view.querySchema
    for path in keyPaths {
      let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      var current = className
      for (position, name) in names.enumerated() {
        guard let property = schema[current]?[name] else {
          violated("Invalid key path '\(path)': class '\(current)' has no property '\(name)'.")
        }
        guard position + 1 < names.count else { continue }
        guard let target = property.objectClassName else {
          violated("Invalid key path '\(path)': '\(current).\(name)' does not lead to an object.")
        }
        current = target
      }
      add(names[...])
    }
  }

  private init() {}

  private mutating func add(_ names: ArraySlice<String>) {
    guard let first = names.first else { return }
    branches[first, default: WatchedProperties()].add(names.dropFirst())
  }

  /// The part of the tree below one property, with that property as its root; nil when the property is not watched.
  func only(_ name: String) -> WatchedProperties? {
    guard let branch = branches[name] else { return nil }
    var tree = WatchedProperties()
    tree.branches = [name: branch]
    return tree
  }
}

extension SnapshotChanges {
  /// The rows of a class for which a property on one of the watched paths changed.
  func modifiedRows(of layout: ClassLayout, since older: Snapshot, watched: WatchedProperties?) -> Set<RowKey> {
    guard let watched else { return modifiedRows(of: layout, since: older) }
    var rows: Set<RowKey> = []
    for (name, branch) in watched.branches {
      guard let property = view.querySchema[layout.name]?[name] else { continue }
      if property.type == .linkingObjects {
        addTargets(property, branch, layout, older, &rows)
        continue
      }
      guard let field = layout.field(property.columnName) else { continue }
      for modification in changes(in: layout.table, since: older).modifications
      where modification.columns.contains(field.column) {
        rows.insert(modification.row)
      }
      guard !branch.branches.isEmpty, let target = field.target.flatMap({ view.catalog[$0] }) else { continue }
      for row in modifiedRows(of: target, since: older, watched: branch) {
        rows.formUnion(view.reading(or: []) { try view.readView.origins(field, of: target.table, row) })
      }
    }
    return rows
  }

  /// Adds the rows that the changed objects at the other end of an inverse relationship link to, or linked to before.
  private func addTargets(
    _ property: Property, _ branch: WatchedProperties, _ layout: ClassLayout, _ older: Snapshot,
    _ rows: inout Set<RowKey>
  ) {
    guard let origin = property.objectClassName.flatMap({ view.catalog[$0] }),
      let link = property.originPropertyName.flatMap({ view.querySchema[origin.name]?[$0] }),
      let field = origin.field(link.columnName)
    else { return }
    let found = changes(in: origin.table, since: older)
    var changed = Set(found.insertions + found.deletions)
    for modification in found.modifications where modification.columns.contains(field.column) {
      changed.insert(modification.row)
    }
    let touched = branch.branches.isEmpty ? [] : modifiedRows(of: origin, since: older, watched: branch)
    guard !changed.isEmpty || !touched.isEmpty else { return }
    view.writing {
      let before = ReadView(older, try view.file.catalog(of: older))
      for row in changed.union(touched) {
        let old = try before.targets(Cell(origin, row, field))
        let new = try view.readView.targets(Cell(origin, row, field))
        for (link, count) in old.merging(new, uniquingKeysWith: +) {
          guard case .link(layout.table, let target) = link else { continue }
          // A target that is linked to as often as before is modified only by a watched change of the origin itself.
          if touched.contains(row) || old[link] != new[link], count > 0 { rows.insert(target) }
        }
      }
    }
  }
}

extension ReadView {
  /// The links of a row through a field, with their number; empty when the row does not live.
  fileprivate func targets(_ cell: Cell) throws -> [StoredValue: Int] {
    guard let layout = catalog[cell.layout.table], try reader.contains(cell.row, in: layout.table) else { return [:] }
    let cell = Cell(layout, cell.row, cell.field)
    let links =
      switch cell.field.collection {
      case .single: [try value(cell)]
      case .list, .set: try elements(cell)
      case .dictionary: try entries(cell).map(\.value)
      }
    return Dictionary(links.map { ($0, 1) }, uniquingKeysWith: +)
  }
}
