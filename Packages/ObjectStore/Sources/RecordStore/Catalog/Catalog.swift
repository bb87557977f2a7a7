import DataModel
import StorageEngine

/// The classes of a realm file at one version, and everything that follows from them.
///
/// Kept in the snapshot as one record; decoded once per change of schema. Constant, except that the writer
/// that holds the only reference changes it in place.
package final class Catalog: @unchecked Sendable {
  // @unchecked: `put` and `remove` are called by a writer, on one thread, while nobody else has a reference.
  /// Counts the changes of schema in this file.
  package private(set) var revision: UInt64
  /// The version that the application gave the schema.
  package let schemaVersion: UInt64
  /// In the order of their creation.
  package private(set) var classes: [ClassLayout]
  /// The table of unresolved objects.
  package let unresolved: UnresolvedLayout?

  private var directory: ClassDirectory

  package convenience init(
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
  package static let empty = Catalog(revision: 0, schemaVersion: 0, classes: [], unresolved: nil)

  package subscript(name: String) -> ClassLayout? { directory[name] }
  package subscript(table: TableID) -> ClassLayout? { directory[table] }

  /// The fields through which objects of this class can be linked to.
  package func incoming(_ table: TableID) -> [FieldReference] { directory.incoming(table) }

  /// Whether a field of another class links to objects of this one.
  func isTarget(_ layout: ClassLayout) -> Bool { directory.isTarget(layout) }

  /// The next catalog.
  package func with(schemaVersion: UInt64? = nil, unresolved: UnresolvedLayout? = nil) -> Catalog {
    Catalog(
      revision + 1, schemaVersion ?? self.schemaVersion, classes, unresolved ?? self.unresolved, directory)
  }

  /// One that can be changed in place. The first change of it costs O(*n*) in classes.
  func copy() -> Catalog { Catalog(revision, schemaVersion, classes, unresolved, directory) }

  /// Adds a class, or replaces the one in its table. Only for who holds the only reference.
  ///
  /// - Parameter field: the last field of the class, when nothing else of it is new.
  /// - Complexity: O(1) for a new class, O(log *n*) for a new field, O(*n*) in the fields of the class for every other
  ///   change.
  func put(_ layout: ClassLayout, adding field: FieldLayout? = nil) {
    revision += 1
    if directory[layout.table] != nil, let position = position(of: layout.table) {
      classes[position] = layout
      if let field { return directory.put(layout, adding: field) }
    } else {
      classes.append(layout)
    }
    directory.put(layout)
  }

  /// Removes a class. Only for who holds the only reference.
  func remove(_ layout: ClassLayout) {
    revision += 1
    directory.remove(layout)
    if let position = position(of: layout.table) { classes.remove(at: position) }
  }

  /// The position of a class in ``classes``. New classes get greater numbers, so binary search mostly finds it.
  private func position(of table: TableID) -> Int? {
    var (low, high) = (0, classes.count)
    while low < high {
      let middle = (low + high) / 2
      if classes[middle].table.rawValue < table.rawValue { low = middle + 1 } else { high = middle }
    }
    if low < classes.count, classes[low].table == table { return low }
    return classes.firstIndex { $0.table == table }
  }
}

/// The table of names to which links lead that have no object.
///
/// A link to row *n* of it is held as row key -2 - *n*, in whatever class the object would be.
package struct UnresolvedLayout: Hashable, Sendable {
  let table: TableID
  let classColumn: ColumnID
  let keyColumn: ColumnID
  let index: IndexID
}

extension RowKey {
  /// The row key that stands in links for row `row` of the table of unresolved names.
  init(unresolved row: RowKey) { self.init(-2 - row.rawValue) }

  /// Whether this stands for an object that does not exist.
  package var isUnresolved: Bool { rawValue < -1 }
  /// The row in the table of unresolved names.
  var unresolvedRow: RowKey { RowKey(-2 - rawValue) }
}
