import ChangesetOT
import DataModel
import QueryLanguage
import StorageEngine

/// The difference between the rows of a past version and those of the present: the objects that were touched since then,
/// with everything embedded in them, and the rows that link to an object which came or went.
///
/// An object that existed then and does not now has a row behind those of the present; so has an embedded object of a
/// field that was touched.
///
/// - Complexity: O(*n*) in the touched fields with their inverses, and in the links to objects that came or went.
final class PastOverlay {
  /// A link of a changed field, by the field that holds it.
  private struct Link: Hashable {
    let table: TableID
    let column: ColumnID
    let target: ClassRow
  }

  let readView: ReadView
  private(set) var classes: [TableID: PastRows] = [:]
  /// The rows that hold each link, once for each occurrence.
  private var origins: [Link: [RowKey]] = [:]
  /// The rows of objects that do not exist now.
  private var extras: [ObjectReference: RowKey] = [:]

  init(_ objects: [PastObject], in readView: ReadView) throws {
    self.readView = readView
    for object in objects {
      let table = object.layout.table
      if let row = object.row {
        if object.existed {
          try hideEmbedded(in: row, object.layout) { !object.keepsRest || object.fields.keys.contains($0.name) }
        } else {
          try hide(row, object.layout)
        }
      } else if object.existed {
        extras[object.reference] = addRow(table)
      }
    }
    for object in objects { try relinkOrigins(of: object) }
    for object in objects where object.existed {
      guard let row = object.row ?? extras[object.reference] else { continue }
      var change = PastRow(keepsRest: object.row != nil && object.keepsRest)
      if object.row == nil { change.key = object.reference.key }
      try fill(&change, object.fields, at: row, object.layout)
      self[object.layout.table].put(change, at: row)
    }
  }

  private subscript(table: TableID) -> PastRows {
    get { classes[table] ?? PastRows(presentClusters: readView.reader.clusterCount(of: table)) }
    _modify {
      var rows =
        classes.removeValue(forKey: table) ?? PastRows(presentClusters: readView.reader.clusterCount(of: table))
      defer { classes[table] = rows }
      yield &rows
    }
  }

  private func addRow(_ table: TableID) -> RowKey { self[table].addRow() }

  // MARK: Rows that were not there

  /// Takes away an object that did not exist, with everything embedded in it.
  private func hide(_ row: RowKey, _ layout: ClassLayout) throws {
    guard self[layout.table].hide(row) else { return }
    try hideEmbedded(in: row, layout) { _ in true }
  }

  /// Takes away what is embedded in some fields of a present row.
  private func hideEmbedded(in row: RowKey, _ layout: ClassLayout, where isChanged: (FieldLayout) -> Bool) throws {
    var pending: [(row: RowKey, layout: ClassLayout)] = []
    func gather(_ row: RowKey, _ layout: ClassLayout, where isWanted: (FieldLayout) -> Bool) throws {
      for field in layout.fields where isWanted(field) {
        guard let embedded = embeddedClass(field) else { continue }
        for case .link(_, let child) in try readView.elements(Cell(layout, row, field)) where child.rawValue >= 0 {
          if self[embedded.table].hide(child) { pending.append((child, embedded)) }
        }
      }
    }
    try gather(row, layout, where: isChanged)
    while let next = pending.popLast() { try gather(next.row, next.layout) { _ in true } }
  }

  private func embeddedClass(_ field: FieldLayout) -> ClassLayout? {
    guard field.isFixedLink, let layout = readView.catalog[field.target ?? ""], layout.kind == .embedded else {
      return nil
    }
    return layout
  }

  // MARK: Links to objects that came or went

  /// Notes the present rows whose links to an object lead elsewhere than they did.
  private func relinkOrigins(of object: PastObject) throws {
    guard object.existed != (object.row != nil) else { return }
    let table = object.layout.table
    guard let stored = try object.row ?? readView.nameRow(object.reference.key, table) else { return }
    for incoming in readView.catalog.incoming(table) {
      for origin in try readView.origins(incoming.field, of: table, stored) {
        self[incoming.layout.table].relink(origin)
      }
    }
  }

  /// The row that a link to an object had; nil when the object did not exist.
  func row(of reference: ObjectReference) throws -> RowKey? {
    if let extra = extras[reference] { return extra }
    guard let layout = readView.catalog[reference.className], let row = try readView.row(reference.key, layout) else {
      return nil
    }
    return classes[layout.table]?.hides(row) == true ? nil : row
  }

  /// The row to which a present link led; ``RowKey/none`` when its object did not exist.
  func pastRow(_ link: ClassRow) throws -> RowKey {
    if link.row.isUnresolved {
      guard !extras.isEmpty, let reference = try readView.reference(link.table, link.row) else { return .none }
      return extras[reference] ?? .none
    }
    return classes[link.table]?.hides(link.row) == true ? .none : link.row
  }

  // MARK: Content

  /// Fills the changed fields of a row, and notes their links.
  private func fill(
    _ change: inout PastRow, _ fields: [String: StateDump.Item?], at row: RowKey, _ layout: ClassLayout
  ) throws {
    for (name, item) in fields {
      guard let field = layout.field(name) else { continue }
      let content = try content(item, field)
      change.fields[field.column] = content
      guard field.canLink else { continue }
      for link in content.values.lazy.flatMap(\.links) where link.row.rawValue >= 0 {
        let target = ClassRow(table: link.table, row: link.row)
        origins[Link(table: layout.table, column: field.column, target: target), default: []].append(row)
      }
    }
  }

  private func content(_ item: StateDump.Item?, _ field: FieldLayout) throws -> PastContent {
    switch item {
    case nil: return PastContent(initialOf: field)
    case .value?, .embedded?: return .single(try item.map { try stored($0, field) } ?? .null)
    case .list(let items)?: return .list(try items.map { try stored($0, field) })
    case .set(let values)?: return .set(try values.map(stored))
    case .dictionary(let entries)?:
      let names = entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return .dictionary(try names.map { ($0, try entries[$0].map { try stored($0, field) } ?? .null) })
    }
  }

  private func stored(_ item: StateDump.Item, _ field: FieldLayout) throws -> StoredValue {
    switch item {
    case .value(let value): return try stored(value)
    case .embedded(let fields):
      guard let layout = embeddedClass(field) else { return .null }
      let row = addRow(layout.table)
      var change = PastRow(keepsRest: false)
      try fill(&change, fields, at: row, layout)
      self[layout.table].put(change, at: row)
      return .link(layout.table, row)
    case .list, .dictionary, .set: throw StorageError.damagedInverse
    }
  }

  private func stored(_ value: Value) throws -> StoredValue {
    switch value {
    case .link(let reference):
      guard let layout = readView.catalog[reference.className] else { return .null }
      return .link(layout.table, try row(of: reference) ?? .none)
    case .list(let elements): return .list(try elements.map(stored))
    case .dictionary(let entries): return .dictionary(try entries.mapValues(stored))
    default: return StoredValue(value) ?? .null
    }
  }

  // MARK: Backlinks

  /// Appends the rows that linked to a row through a field, once for each link, ascending.
  ///
  /// - Parameter present: the present table of the target's class.
  func appendOrigins(
    _ origin: FieldReference, of target: ClassRow, _ present: ReadViewQueryTable, to rows: inout [QueryRow]
  ) throws {
    let (table, column) = (origin.layout.table, origin.field.column)
    var found: [QueryRow] = []
    if let stored = try storedRow(target) {
      try present.appendOrigins(origin.field, of: stored, to: &found)
      if let changed = classes[table] {
        found.removeAll { row in
          let row = RowKey(row)
          if changed.hides(row) { return true }
          guard let change = changed[row] else { return false }
          return !change.keepsRest || change.fields[column] != nil
        }
      }
    }
    if let added = origins[Link(table: table, column: column, target: target)] {
      found += added.map(\.rawValue)
      found.sort()
    }
    rows += found
  }

  /// The row under which present links to a row are kept; nil when there are none.
  private func storedRow(_ target: ClassRow) throws -> RowKey? {
    guard let rows = classes[target.table], rows.isExtra(target.row) else { return target.row }
    guard let key = rows[target.row]?.key else { return nil }
    return try readView.nameRow(key, target.table)
  }
}
