import ChangesetOT
import DataModel
import QueryLanguage
import StorageEngine

/// The state of a realm at a kept version as queries see it: the present one, with what the versions since then did taken
/// back.
///
///     let source = try PastQuerySource(ReadViewQuerySource(readView), past, at: cursor)
///     try plan.rows(in: source)                                  // what the query selected at the cursor
///     try LinkClosure(from: seeds, in: source, limit: 100_000)   // what could be reached from there
///
/// Objects that no version touched are answered from the present columns and indexes as they lie. An object has the row
/// that it has now, and one that does not exist now a row behind all of these: the order of rows is not that of the
/// version. Outcomes that depend on it (LIMIT, DISTINCT) are to be asked for in the order of keys, see
/// ``KeyOrderedQuery``.
///
/// Classes that were declared later are empty, fields that were declared later hold what new objects do.
///
/// Used from one thread. The read view must not change meanwhile.
///
/// - Complexity: it is made in O(*n*) of the touched fields with their inverses and of the links to objects that came or
///   went since the version.
package final class PastQuerySource: QuerySource {
  let present: ReadViewQuerySource
  let past: PastStates
  /// The version whose state this is.
  let version: ServerVersion
  let overlay: PastOverlay
  private var tables: [String: PastQueryTable] = [:]

  /// - Parameters:
  ///   - present: the newest state that the inverses reach.
  ///   - past: the inverses of every version after `version`; those of earlier ones play no part.
  /// - Throws: `StorageError` when the file or an inverse is damaged.
  init(_ present: ReadViewQuerySource, _ past: PastStates, at version: ServerVersion) throws {
    self.present = present
    self.past = past
    self.version = version
    overlay = try PastOverlay(past.objects(touchedAfter: version, in: present.readView), in: present.readView)
  }

  package var schema: Schema { present.schema }

  package func table(_ className: String) throws -> (any QueryTable)? { try pastTable(className) }

  func pastTable(_ className: String) throws -> PastQueryTable? {
    if let table = tables[className] { return table }
    guard let table = present.readViewTable(className) else { return nil }
    let made = PastQueryTable(table, present, overlay)
    tables[className] = made
    return made
  }
}

extension PastOverlay {
  /// The key of an object in a row that lived at the version.
  func key(_ row: RowKey, _ layout: ClassLayout) throws -> ObjectKey {
    guard let rows = classes[layout.table], rows.isExtra(row), let key = rows[row]?.key else {
      return try readView.queryKey(row, layout)
    }
    return key
  }

  /// The value as queries see it; links are by the rows of the version.
  func queryValue(_ stored: StoredValue) throws -> Value {
    switch stored {
    case .link(let table, let row):
      guard row.rawValue >= 0, let layout = readView.catalog[table] else { return .null }
      return .link(ObjectReference(className: layout.name, key: try key(row, layout)))
    case .list(let elements): return .list(try elements.map(queryValue))
    case .dictionary(let entries): return .dictionary(try entries.mapValues(queryValue))
    default: return stored.scalar ?? .null
    }
  }

  /// The content of a field of a row that was different.
  func content(_ change: PastRow, _ cell: Cell) throws -> PastContent {
    if let content = change.fields[cell.field.column] { return content }
    guard change.keepsRest else { return PastContent(initialOf: cell.field) }
    return try PastContent(cell, in: readView) { try $0.mappingLinks(pastRow) }
  }
}
