import DataModel
import StorageEngine

/// The classes of a realm file at one version, and everything that follows from them.
///
/// Kept in the snapshot as one record; decoded once per change of schema.
final class Catalog: Sendable {
  /// Counts the changes of schema in this file.
  let revision: UInt64
  /// The version that the application gave the schema.
  let schemaVersion: UInt64
  /// In the order of their creation.
  let classes: [ClassLayout]
  /// Where links to objects that do not exist lead.
  let unresolved: UnresolvedLayout?

  private let byName: [String: ClassLayout]
  private let byTable: [TableID: ClassLayout]
  private let incomingByTable: [TableID: [FieldReference]]

  init(revision: UInt64, schemaVersion: UInt64, classes: [ClassLayout], unresolved: UnresolvedLayout?) {
    self.revision = revision
    self.schemaVersion = schemaVersion
    self.classes = classes
    self.unresolved = unresolved
    let names = Dictionary(classes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    byName = names
    byTable = Dictionary(classes.map { ($0.table, $0) }, uniquingKeysWith: { first, _ in first })
    var incoming: [TableID: [FieldReference]] = [:]
    var free: [FieldReference] = []
    for layout in classes {
      for field in layout.fields where field.canLink {
        let reference = FieldReference(layout: layout, field: field)
        if field.isFree {
          free.append(reference)
        } else if let target = field.target.flatMap({ names[$0] }) {
          incoming[target.table, default: []].append(reference)
        }
      }
    }
    for layout in classes where layout.kind != .embedded { incoming[layout.table, default: []] += free }
    incomingByTable = incoming
  }

  /// The catalog of a file without classes.
  static let empty = Catalog(revision: 0, schemaVersion: 0, classes: [], unresolved: nil)

  subscript(name: String) -> ClassLayout? { byName[name] }
  subscript(table: TableID) -> ClassLayout? { byTable[table] }

  /// The fields through which objects of this class can be linked to.
  func incoming(_ table: TableID) -> [FieldReference] { incomingByTable[table] ?? [] }

  /// The next catalog.
  func with(
    classes: [ClassLayout]? = nil, schemaVersion: UInt64? = nil, unresolved: UnresolvedLayout? = nil
  ) -> Catalog {
    Catalog(
      revision: revision + 1, schemaVersion: schemaVersion ?? self.schemaVersion, classes: classes ?? self.classes,
      unresolved: unresolved ?? self.unresolved)
  }

  /// The catalog with one class added, or replaced by name.
  func replacing(_ layout: ClassLayout) -> Catalog {
    guard let position = classes.firstIndex(where: { $0.table == layout.table }) else {
      return with(classes: classes + [layout])
    }
    var changed = classes
    changed[position] = layout
    return with(classes: changed)
  }
}

/// A field together with its class.
struct FieldReference: Sendable {
  let layout: ClassLayout
  let field: FieldLayout
}

/// The table of names to which links lead that have no object.
///
/// A link to row *n* of it is held as row key -2 - *n*, in whatever class the object would be.
struct UnresolvedLayout: Hashable, Sendable {
  let table: TableID
  let classColumn: ColumnID
  let keyColumn: ColumnID
  let index: IndexID
}

extension RowKey {
  /// The row key that stands in links for row `row` of the table of unresolved names.
  init(unresolved row: RowKey) { self.init(-2 - row.rawValue) }

  /// Whether this stands for an object that does not exist.
  var isUnresolved: Bool { rawValue < -1 }
  /// The row in the table of unresolved names.
  var unresolvedRow: RowKey { RowKey(-2 - rawValue) }
}
