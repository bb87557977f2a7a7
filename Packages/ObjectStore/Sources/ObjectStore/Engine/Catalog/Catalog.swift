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

  private let directory: ClassDirectory

  convenience init(
    revision: UInt64, schemaVersion: UInt64, classes: [ClassLayout], unresolved: UnresolvedLayout?
  ) {
    self.init(revision, schemaVersion, classes, unresolved, ClassDirectory(classes))
  }

  private init(
    _ revision: UInt64, _ schemaVersion: UInt64, _ classes: [ClassLayout], _ unresolved: UnresolvedLayout?,
    _ directory: ClassDirectory
  ) {
    self.revision = revision
    self.schemaVersion = schemaVersion
    self.classes = classes
    self.unresolved = unresolved
    self.directory = directory
  }

  /// The catalog of a file without classes.
  static let empty = Catalog(revision: 0, schemaVersion: 0, classes: [], unresolved: nil)

  subscript(name: String) -> ClassLayout? { directory[name] }
  subscript(table: TableID) -> ClassLayout? { directory[table] }

  /// The fields through which objects of this class can be linked to.
  func incoming(_ table: TableID) -> [FieldReference] { directory.incoming(table) }

  /// The next catalog.
  func with(schemaVersion: UInt64? = nil, unresolved: UnresolvedLayout? = nil) -> Catalog {
    Catalog(
      revision + 1, schemaVersion ?? self.schemaVersion, classes, unresolved ?? self.unresolved, directory)
  }

  /// The next catalog, with one class added, or replaced by table.
  func replacing(_ layout: ClassLayout) -> Catalog {
    var (classes, directory) = (classes, directory)
    if directory[layout.table] != nil, let position = classes.firstIndex(where: { $0.table == layout.table }) {
      classes[position] = layout
    } else {
      classes.append(layout)
    }
    directory.put(layout)
    return Catalog(revision + 1, schemaVersion, classes, unresolved, directory)
  }

  /// The next catalog, without a class.
  func removing(_ layout: ClassLayout) -> Catalog {
    var directory = directory
    directory.remove(layout)
    return Catalog(
      revision + 1, schemaVersion, classes.filter { $0.table != layout.table }, unresolved, directory)
  }
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
