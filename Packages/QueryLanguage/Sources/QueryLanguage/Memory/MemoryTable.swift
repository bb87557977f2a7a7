public import DataModel

/// The rows of one class in a ``MemorySource``.
public final class MemoryTable: QueryTable {
  /// The class, with the properties in the order of each row.
  public let schema: ObjectSchema
  /// One array of values per row, in the order of the properties.
  public private(set) var rows: [[Value]] = []
  /// The key of each row.
  public private(set) var keys: [ObjectKey] = []
  let presentation: MemorySource.Presentation
  var rowOfKey: [ObjectKey: QueryRow] = [:]
  unowned let source: MemorySource
  private var clusters: [Int: MemoryCluster] = [:]
  private var backlinks: [BacklinkColumn: [QueryRow: [QueryRow]]] = [:]
  private var incoming: [QueryRow: Int]?

  private struct BacklinkColumn: Hashable {
    var className: String
    var property: Int
  }

  init(schema: ObjectSchema, in source: MemorySource) {
    self.schema = schema
    self.source = source
    presentation = source.presentation
  }

  func add(_ values: [String: Value], key: ObjectKey?) -> QueryRow {
    for (name, value) in values {
      guard let property = schema.properties.first(where: { $0.name == name }) else {
        preconditionFailure("\(schema.className) has no property '\(name)'")
      }
      precondition(Self.fits(value, property), "\(schema.className).\(name) takes no value such as \(value)")
    }
    let row = schema.properties.map { property in
      values[property.name] ?? Self.initial(property)
    }
    let primary = schema.primaryKey.flatMap { values[$0] }.flatMap { ObjectKey($0) }
    let objectKey = key ?? primary ?? .global(GlobalKey(high: 0, low: UInt64(rows.count)))
    rows.append(row)
    keys.append(objectKey)
    let rowKey = self.rowKey(rows.count - 1)
    rowOfKey[objectKey] = rowKey
    source.invalidate()
    return rowKey
  }

  private static func initial(_ property: Property) -> Value {
    switch property.collection {
    case .list, .set: .list([])
    case .dictionary: .dictionary([:])
    case .single: .null
    }
  }

  private static func fits(_ value: Value, _ property: Property) -> Bool {
    switch (property.collection, value) {
    case (_, .null): true
    case (.list, .list), (.set, .list), (.dictionary, .dictionary): true
    case (.single, .list), (.single, .dictionary): property.type == .any
    case (.single, _): property.type == .any || value.propertyType == property.type
    case (.list, _), (.set, _), (.dictionary, _): false
    }
  }

  func invalidate() {
    clusters = [:]
    backlinks = [:]
    incoming = nil
  }

  /// The number of rows.
  public var rowCount: Int { rows.count }
  /// One more than the last row key; 0 without rows.
  public var rowKeyBound: QueryRow { rows.isEmpty ? 0 : rowKey(rows.count - 1) + 1 }

  /// The distance between the slots of neighbouring rows.
  var slotStride: Int { presentation.hasHoles ? 2 : 1 }

  /// The distance between the first rows of neighbouring clusters.
  var clusterStride: QueryRow { QueryRow(presentation.clusterSize * slotStride) * presentation.rowKeyStride }

  /// The row key of the row at a position.
  public func rowKey(_ position: Int) -> QueryRow {
    QueryRow(position / presentation.clusterSize) * clusterStride
      + QueryRow(position % presentation.clusterSize * slotStride)
  }

  /// The number of clusters.
  public var clusterCount: Int { (rows.count + presentation.clusterSize - 1) / presentation.clusterSize }

  /// The cluster at a position, made on first use.
  public func cluster(at position: Int) -> any QueryCluster {
    if let cluster = clusters[position] { return cluster }
    let start = position * presentation.clusterSize
    let cluster = MemoryCluster(table: self, rows: start..<min(rows.count, start + presentation.clusterSize))
    clusters[position] = cluster
    return cluster
  }

  func position(of row: QueryRow) -> Int? {
    guard row >= 0 else { return nil }
    let slot = Int(row % clusterStride)
    guard slot % slotStride == 0, slot / slotStride < presentation.clusterSize else { return nil }
    let position = Int(row / clusterStride) * presentation.clusterSize + slot / slotStride
    return position < rows.count ? position : nil
  }

  /// The place of a row; nil when there is no such row.
  public func location(of row: QueryRow) -> RowLocation? {
    position(of: row).map {
      RowLocation(cluster: $0 / presentation.clusterSize, slot: $0 % presentation.clusterSize * slotStride)
    }
  }

  /// The row of a key; nil when there is none.
  public func row(forKey key: ObjectKey) -> QueryRow? { rowOfKey[key] }
  /// The key of a row; nil when there is no such row.
  public func objectKey(of row: QueryRow) -> ObjectKey? { position(of: row).map { keys[$0] } }

  /// A list of pairs as index, for indexed properties and the primary key.
  public func index(over property: Int) -> (any QueryIndex)? {
    let declared = schema.properties[property]
    guard presentation.hasIndexes, declared.isIndexed || declared.name == schema.primaryKey else { return nil }
    let pairs = rows.indices.map { (rows[$0][property], rowKey($0)) }
    return MemoryIndex(entries: pairs)
  }

  /// Appends the origins of links to a row; gathered for all rows on first use.
  public func appendBacklinks(
    of row: QueryRow, from originClass: String, property: Int, to found: inout [QueryRow]
  ) {
    let column = BacklinkColumn(className: originClass, property: property)
    if backlinks[column] == nil { backlinks[column] = collectBacklinks(column) }
    found += backlinks[column]?[row] ?? []
  }

  private func collectBacklinks(_ column: BacklinkColumn) -> [QueryRow: [QueryRow]] {
    guard let origin = source.memoryTable(column.className) else { return [:] }
    var result: [QueryRow: [QueryRow]] = [:]
    for (position, row) in origin.rows.enumerated() {
      forEachLink(row[column.property]) { reference in
        guard reference.className == schema.className, let target = rowOfKey[reference.key] else { return }
        result[target, default: []].append(origin.rowKey(position))
      }
    }
    return result
  }

  /// The number of links to a row; counted for all rows on first use.
  public func incomingLinkCount(of row: QueryRow) -> Int {
    if incoming == nil {
      var counts: [QueryRow: Int] = [:]
      for value in source.allTables.flatMap(\.rows).joined() {
        forEachLink(value) { reference in
          guard reference.className == schema.className, let target = rowOfKey[reference.key] else { return }
          counts[target, default: 0] += 1
        }
      }
      incoming = counts
    }
    return incoming?[row] ?? 0
  }

  private func forEachLink(_ value: Value, _ body: (ObjectReference) -> Void) {
    switch value {
    case .link(let reference): body(reference)
    case .list(let values): for value in values { forEachLink(value, body) }
    case .dictionary(let values): for value in values.values { forEachLink(value, body) }
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .objectId, .uuid: break
    }
  }
}
