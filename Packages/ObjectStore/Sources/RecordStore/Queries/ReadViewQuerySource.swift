import DataModel
import QueryLanguage
import StorageEngine

/// A read view as queries see it.
///
///     try plan.rows(in: ReadViewQuerySource(readView))
///
/// The read view's reader must not change meanwhile: within a write transaction make a new source after each write.
package final class ReadViewQuerySource: QuerySource {
  let readView: ReadView
  package let schema: Schema
  private var tables: [String: ReadViewQueryTable] = [:]

  /// - Parameter schema: the classes as the application declares them, whose order of properties plans refer to; nil
  ///   for the classes of the file.
  package init(_ readView: ReadView, schema: Schema? = nil) {
    self.readView = readView
    self.schema = schema ?? readView.schema
  }

  package func table(_ className: String) throws -> (any QueryTable)? { readViewTable(className) }

  func readViewTable(_ className: String) -> ReadViewQueryTable? {
    if let table = tables[className] { return table }
    guard let layout = readView.catalog[className], let declared = schema[className] else { return nil }
    let table = ReadViewQueryTable(readView, layout, declared)
    table.source = self
    tables[className] = table
    return table
  }
}

extension ReadView {
  /// The value as queries see it: links to unresolved objects are null.
  func queryValue(_ stored: StoredValue) throws -> Value {
    switch stored {
    case .link(let table, let row):
      guard row.rawValue >= 0, let layout = catalog[table] else { return .null }
      return .link(ObjectReference(className: layout.name, key: try queryKey(row, layout)))
    case .list(let elements): return .list(try elements.map(queryValue))
    case .dictionary(let entries): return .dictionary(try entries.mapValues(queryValue))
    default: return stored.scalar ?? .null
    }
  }

  /// The key of an object; embedded objects, which have none, are named by their row.
  package func queryKey(_ row: RowKey, _ layout: ClassLayout) throws -> ObjectKey {
    layout.key == nil
      ? .global(GlobalKey(high: .max, low: UInt64(bitPattern: row.rawValue))) : try key(row, layout)
  }
}
