import DataModel
import QueryLanguage
import StorageEngine

/// A cluster of a read view as queries see it: its arrays are handed over as they lie.
final class ReadViewQueryCluster: QueryCluster {
  private let cluster: Cluster
  private let table: ReadViewQueryTable

  init(_ cluster: Cluster, _ table: ReadViewQueryTable) {
    self.cluster = cluster
    self.table = table
  }

  var slotCount: Int { 256 }
  var firstRow: QueryRow { QueryRow(cluster.index) << 8 }
  var liveSlots: UnsafeRawPointer? { UnsafeRawPointer(cluster.alive) }

  func column(_ property: Int) -> ColumnView {
    let field = table.columns[property]
    guard field.isColumn else { return .generic }
    if property < 64 { table.askedFor |= 1 << UInt64(property) }
    guard let column = cluster.column(field.column) else {
      return field.isNullWhenAbsent ? ColumnView(.allNull) : .generic
    }
    let values = UnsafeRawPointer(column.values)
    let nulls = field.isNullable ? UnsafeRawPointer(column.nulls) : nil
    switch field.type {
    case .int:
      var view = ColumnView(.int64(values), nulls: nulls)
      let low = Int64(bitPattern: column.minimumBits)
      let high = Int64(bitPattern: column.maximumBits)
      if column.hasStatistics, low <= high { view.bounds = low...high }
      return view
    case .bool: return ColumnView(.bits(values), nulls: nulls)
    case .float, .double:
      var view = ColumnView(field.isFloat ? .float(values) : .double(values), nulls: nulls)
      let low = Double(bitPattern: column.minimumBits)
      let high = Double(bitPattern: column.maximumBits)
      if column.hasStatistics, low <= high { view.floatingBounds = low...high }
      return view
    case .string, .data:
      if column.hasExternalCells { return .generic }
      // Without a heap every cell is empty, and nothing is ever read from it.
      let heap = column.heap.map { UnsafeRawPointer($0) } ?? values
      var view = ColumnView(.ranges(values, bytes: heap), nulls: nulls)
      if field.type == .string { view.heads = values + 2048 }
      return view
    case .timestamp: return ColumnView(.timestamps(seconds: values, nanoseconds: values + 2048), nulls: nulls)
    case .objectId: return ColumnView(.fixed(values, width: 12), nulls: nulls)
    case .uuid: return ColumnView(.fixed(values, width: 16), nulls: nulls)
    case .link: return ColumnView(.links(values))
    default: return .generic
    }
  }

  func value(of property: Int, slot: Int) throws -> Value {
    guard let field = table.fields[property] else { return .null }
    let cell = Cell(table.layout, RowKey(clusterIndex: cluster.index, slot: slot), field)
    let readView = table.readView
    switch field.collection {
    case .single: return try readView.queryValue(try readView.value(cell))
    case .list: return .list(try readView.list(cell).elements().map(readView.queryValue))
    case .set: return .list(try readView.entries(cell).map { try readView.queryValue($0.value) })
    case .dictionary:
      var entries: [String: Value] = [:]
      try readView.map(cell).forEach { key, value in
        entries[String(decoding: key, as: UTF8.self)] = try readView.queryValue(value)
        return true
      }
      return .dictionary(entries)
    }
  }

  func appendLinkedRows(of property: Int, slot: Int, to rows: inout [QueryRow]) throws {
    guard let field = table.fields[property] else { return }
    if field.collection == .single, field.isFixedLink {
      rows.append(cluster.link(field.column, slot: slot).rawValue)
      return
    }
    func link(_ value: StoredValue) -> QueryRow {
      if case .link(_, let row) = value { row.rawValue } else { .nullRow }
    }
    let cell = Cell(table.layout, RowKey(clusterIndex: cluster.index, slot: slot), field)
    let readView = table.readView
    switch field.collection {
    case .single: rows.append(link(try readView.value(cell)))
    case .list: rows += try readView.list(cell).elements().map(link)
    case .set, .dictionary: rows += try readView.entries(cell).map { link($0.value) }
    }
  }
}

/// A range of row keys in which no row lives.
final class EmptyQueryCluster: QueryCluster {
  let firstRow: QueryRow
  private let position: Int
  private let none: UnsafeMutablePointer<UInt64>

  init(_ position: Int) {
    self.position = position
    firstRow = QueryRow(position) << 8
    none = .allocate(capacity: 4)
    none.initialize(repeating: 0, count: 4)
  }

  deinit { none.deallocate() }

  var slotCount: Int { 256 }
  var liveSlots: UnsafeRawPointer? { UnsafeRawPointer(none) }
  func column(_ property: Int) -> ColumnView { .generic }
  func value(of property: Int, slot: Int) -> Value { .null }
  func appendLinkedRows(of property: Int, slot: Int, to rows: inout [QueryRow]) {}
}
