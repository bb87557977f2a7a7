import DataModel
import QueryLanguage
import StorageEngine

/// The objects of one class of a read view as queries see them.
final class ReadViewQueryTable: QueryTable {
  let readView: ReadView
  let layout: ClassLayout
  let schema: ObjectSchema
  /// The stored field of each property; nil for inverse relationships.
  let fields: [FieldLayout?]
  /// The column of each property, free of references: read once per cluster and condition.
  let columns: [ReadViewQueryColumn]
  let clusterCount: Int
  /// Which properties the cluster before was asked for, a bit each: a scan asks every cluster for the same.
  var askedFor: UInt64 = 0
  /// The cluster that a scan comes to next, found ahead so that its memory is under way. Serves
  /// query.sum-int.
  private var ahead: (position: Int, cluster: Cluster)?
  /// Whether clusters found ahead stay true: those of a snapshot do, those of a write transaction may not.
  private let isImmutable: Bool

  init(_ readView: ReadView, _ layout: ClassLayout, _ schema: ObjectSchema) {
    self.readView = readView
    self.layout = layout
    self.schema = schema
    fields = schema.properties.map { layout.field($0.columnName) }
    columns = fields.map(ReadViewQueryColumn.init)
    clusterCount = readView.reader.clusterCount(of: layout.table)
    isImmutable = readView.reader is Snapshot
  }

  var rowCount: Int { readView.reader.rowCount(of: layout.table) }
  var rowKeyBound: QueryRow { QueryRow(clusterCount) * 256 }

  func cluster(at position: Int) throws -> any QueryCluster {
    let known = ahead.flatMap { $0.position == position ? $0.cluster : nil }
    guard let cluster = try known ?? readView.reader.cluster(position, of: layout.table) else {
      return EmptyQueryCluster(position)
    }
    if isImmutable, known != nil || position == 0 { try lookAhead(to: position + 1) }
    return ReadViewQueryCluster(cluster, self)
  }

  /// Finds the next cluster of a scan and asks for the memory of what this one was asked for.
  private func lookAhead(to position: Int) throws {
    ahead = nil
    guard position < clusterCount, let cluster = try readView.reader.cluster(position, of: layout.table) else { return }
    ahead = (position, cluster)
    var rest = askedFor
    while rest != 0 {
      let property = rest.trailingZeroBitCount
      rest &= rest - 1
      if let column = cluster.column(columns[property].column) { column.prefetch() }
    }
  }

  func location(of row: QueryRow) throws -> RowLocation? {
    let row = RowKey(row)
    guard try readView.reader.contains(row, in: layout.table) else { return nil }
    return RowLocation(cluster: row.clusterIndex, slot: row.slot)
  }

  func row(forKey key: ObjectKey) throws -> QueryRow? {
    if layout.key == nil {
      guard case .global(let global) = key, global.high == .max else { return nil }
      let row = RowKey(Int64(bitPattern: global.low))
      return try readView.reader.contains(row, in: layout.table) ? row.rawValue : nil
    }
    return try readView.row(key, layout)?.rawValue
  }

  func objectKey(of row: QueryRow) throws -> ObjectKey? {
    let row = RowKey(row)
    guard try readView.reader.contains(row, in: layout.table) else { return nil }
    return try readView.queryKey(row, layout)
  }

  func index(over property: Int) throws -> (any QueryIndex)? {
    guard let field = fields[property] else { return nil }
    if let keys = layout.key, layout.keyField?.column == field.column {
      let reader = try readView.reader.index(keys.index)
      return ReadViewQueryIndex(
        reader: reader, isInteger: keys.hasIntegerIndex, isNullable: keys.isNullable,
        entry: { value in ObjectKey(value).flatMap { keys.entry($0) } })
    }
    guard let index = field.index else { return nil }
    return ReadViewQueryIndex(
      reader: try readView.reader.index(index), isInteger: field.hasIntegerIndex, isNullable: field.isNullable,
      entry: { value in StoredValue(value).flatMap { IndexKey($0, of: field) } })
  }

  func appendBacklinks(
    of row: QueryRow, from originClass: String, property: Int, to rows: inout [QueryRow]
  ) throws {
    guard let origin = readView.catalog[originClass], let declared = originProperty(originClass, property),
      let field = origin.field(declared)
    else { return }
    try appendOrigins(field, of: RowKey(row), to: &rows)
  }

  /// The stored name of a property of another class.
  private func originProperty(_ className: String, _ property: Int) -> String? {
    let properties = (source?.schema ?? readView.schema)[className]?.properties ?? []
    return properties.indices.contains(property) ? properties[property].columnName : nil
  }

  /// The source that made this table; knows the other classes as the application declares them.
  weak var source: ReadViewQuerySource?

  /// The rows that link to one row through a field, each as often as it does.
  func appendOrigins(_ field: FieldLayout, of row: RowKey, to rows: inout [QueryRow]) throws {
    let origins = try readView.origins(field, of: layout.table, row)
    guard let repeats = field.repeats else {
      rows += origins.map(\.rawValue)
      return
    }
    for origin in origins {
      rows.append(origin.rawValue)
      var prefix = freeLinkKey(layout.table, row)
      OrderedBytes.append(origin.rawValue, to: &prefix)
      try readView.reader.index(repeats).forEach(prefix: prefix) { _, _ in
        rows.append(origin.rawValue)
        return true
      }
    }
  }

  func incomingLinkCount(of row: QueryRow) throws -> Int {
    var rows: [QueryRow] = []
    for incoming in readView.catalog.incoming(layout.table) {
      try appendOrigins(incoming.field, of: RowKey(row), to: &rows)
    }
    return rows.count
  }
}
