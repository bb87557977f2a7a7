import DataModel
import StorageEngine

/// A consistent view to read from: a snapshot or a running write transaction, with the catalog that belongs to it.
package struct ReadView {
  package let reader: any StorageReader
  package let catalog: Catalog

  package init(_ reader: any StorageReader, _ catalog: Catalog) {
    self.reader = reader
    self.catalog = catalog
  }

  /// The value of a single field.
  package func value(_ cell: Cell) throws -> StoredValue {
    guard let cluster = try reader.cluster(of: cell.row, in: cell.layout.table) else { return .null }
    return try value(cell.field, cluster, slot: cell.row.slot)
  }

  /// The value of a single field of the row in a slot.
  func value(_ field: FieldLayout, _ cluster: Cluster, slot: Int) throws -> StoredValue {
    let column = field.column
    if field.isFixedLink {
      let target = cluster.link(column, slot: slot)
      guard target != .none, let table = catalog[field.target ?? ""]?.table else { return .null }
      return .link(table, target)
    }
    if field.isNullable, cluster.isNull(column, slot: slot) { return .null }
    switch field.type {
    case .int: return .int(cluster.int(column, slot: slot))
    case .bool: return .bool(cluster.bool(column, slot: slot))
    case .string: return .string(try cluster.string(column, slot: slot))
    case .data: return .data(try cluster.data(column, slot: slot))
    case .date: return .timestamp(cluster.timestamp(column, slot: slot))
    case .float: return .float(cluster.float(column, slot: slot))
    case .double: return .double(cluster.double(column, slot: slot))
    case .objectId: return .objectId(cluster.objectId(column, slot: slot))
    case .decimal128: return .decimal128(cluster.decimal128(column, slot: slot))
    case .UUID: return .uuid(cluster.uuid(column, slot: slot))
    case .any, .object, .linkingObjects: return try cluster.mixed(column, slot: slot)
    }
  }

  package func list(_ cell: Cell) throws -> StoredList {
    try reader.list(cell.field.column, row: cell.row, of: cell.layout.table)
  }

  package func map(_ cell: Cell) throws -> StoredMap {
    try reader.map(cell.field.column, row: cell.row, of: cell.layout.table)
  }

  /// The row of the object with this key; nil when there is none.
  package func row(_ key: ObjectKey, _ layout: ClassLayout) throws -> RowKey? {
    guard let keys = layout.key, let entry = keys.entry(key) else { return nil }
    return try firstRow(entry, keys.index)
  }

  package func firstRow(_ key: IndexKey, _ index: IndexID) throws -> RowKey? {
    switch key {
    case .int(let value): try reader.firstRow(value, in: index)
    case .bytes(let bytes): try reader.index(index).firstRow(bytes)
    }
  }

  /// The key of the object in this row.
  package func key(_ row: RowKey, _ layout: ClassLayout) throws -> ObjectKey {
    guard let keys = layout.key else { return .null }
    if let field = layout.keyField {
      return ObjectKey(try value(Cell(layout, row, field)).scalar ?? .null) ?? .null
    }
    guard let column = keys.globalColumn, let cluster = try reader.cluster(of: row, in: layout.table) else {
      return .null
    }
    return ObjectKey(bytes: try cluster.data(column, slot: row.slot)) ?? .null
  }

  /// Class and key of what a link leads to, whether or not the object exists.
  func reference(_ table: TableID, _ row: RowKey) throws -> ObjectReference? {
    guard let layout = catalog[table] else { return nil }
    if !row.isUnresolved { return ObjectReference(className: layout.name, key: try key(row, layout)) }
    guard let unresolved = catalog.unresolved,
      let cluster = try reader.cluster(of: row.unresolvedRow, in: unresolved.table),
      let key = ObjectKey(bytes: try cluster.data(unresolved.keyColumn, slot: row.unresolvedRow.slot))
    else { return nil }
    return ObjectReference(className: layout.name, key: key)
  }

  /// The number of unresolved objects that links lead to.
  package var unresolvedCount: Int { catalog.unresolved.map { reader.rowCount(of: $0.table) } ?? 0 }
}
