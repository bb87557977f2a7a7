import DataModel

/// Reads values of one table row by row, and holds the cluster that it used last.
final class TableReader {
  let table: any QueryTable
  private var position = -1
  private var cluster: (any QueryCluster)?

  init(_ table: any QueryTable) { self.table = table }

  func cluster(at wanted: Int) throws -> any QueryCluster {
    if wanted == position, let cluster { return cluster }
    let loaded = try table.cluster(at: wanted)
    cluster = loaded
    position = wanted
    return loaded
  }

  /// The value in a row; null when there is no such row.
  func value(of property: Int, row: QueryRow) throws -> Value {
    guard let location = try table.location(of: row) else { return .null }
    return try cluster(at: location.cluster).value(of: property, slot: location.slot)
  }

  func appendLinkedRows(of property: Int, row: QueryRow, to rows: inout [QueryRow]) throws {
    guard let location = try table.location(of: row) else { return }
    try cluster(at: location.cluster).appendLinkedRows(of: property, slot: location.slot, to: &rows)
  }

  /// The object in a row as a value; null for the null row.
  func reference(to row: QueryRow) throws -> Value {
    guard row >= 0, let key = try table.objectKey(of: row) else { return .null }
    return .link(ObjectReference(className: table.schema.className, key: key))
  }
}

/// The shared state of one run of a plan: the source, and one reader for each class.
final class Execution {
  let source: any QuerySource
  private var readers: [String: TableReader] = [:]

  init(_ source: any QuerySource) { self.source = source }

  /// The reader of a class; nil when the source has no such table.
  func reader(_ className: String) throws -> TableReader? {
    if let reader = readers[className] { return reader }
    guard let table = try source.table(className) else { return nil }
    let reader = TableReader(table)
    readers[className] = reader
    return reader
  }
}
