import DataModel
import QueryLanguage
import StorageEngine

/// The objects of one class at a past version as queries see them.
final class PastQueryTable: QueryTable {
  let present: ReadViewQueryTable
  let overlay: PastOverlay
  /// The rows that were different; nil when none was.
  let rows: PastRows?
  private let source: ReadViewQuerySource
  private var indexes: [Int: PastQueryIndex] = [:]

  init(_ present: ReadViewQueryTable, _ source: ReadViewQuerySource, _ overlay: PastOverlay) {
    self.present = present
    self.source = source
    self.overlay = overlay
    rows = overlay.classes[present.layout.table]
  }

  var layout: ClassLayout { present.layout }
  var schema: ObjectSchema { present.schema }
  var rowCount: Int { present.rowCount - (rows?.hiddenCount ?? 0) + (rows?.extraCount ?? 0) }
  var clusterCount: Int { rows?.clusterCount ?? present.clusterCount }
  var rowKeyBound: QueryRow { QueryRow(clusterCount) * 256 }

  func cluster(at position: Int) throws -> any QueryCluster {
    guard let slots = rows?.clusters[position] else { return try present.cluster(at: position) }
    let cluster = position < present.clusterCount ? try present.cluster(at: position) : nil
    return PastQueryCluster(position, cluster, slots, self)
  }

  /// Whether an object lived in a row.
  func contains(_ row: QueryRow) throws -> Bool {
    guard row >= 0 else { return false }
    guard let rows else { return try present.readView.reader.contains(RowKey(row), in: layout.table) }
    if rows.isExtra(RowKey(row)) { return rows[RowKey(row)] != nil }
    return try !rows.hides(RowKey(row)) && present.readView.reader.contains(RowKey(row), in: layout.table)
  }

  func location(of row: QueryRow) throws -> RowLocation? {
    guard try contains(row) else { return nil }
    return RowLocation(cluster: RowKey(row).clusterIndex, slot: RowKey(row).slot)
  }

  func row(forKey key: ObjectKey) throws -> QueryRow? {
    guard layout.key == nil else {
      return try overlay.row(of: ObjectReference(className: layout.name, key: key))?.rawValue
    }
    guard case .global(let global) = key, global.high == .max else { return nil }
    let row = QueryRow(bitPattern: global.low)
    return try contains(row) ? row : nil
  }

  func objectKey(of row: QueryRow) throws -> ObjectKey? {
    try contains(row) ? try overlay.key(RowKey(row), layout) : nil
  }

  func index(over property: Int) throws -> (any QueryIndex)? {
    if let index = indexes[property] { return index }
    guard let field = present.fields[property], let index = try present.index(over: property) else { return nil }
    guard let rows else { return index }
    var moved: [QueryRow: Value?] = [:]
    for (cluster, slots) in rows.clusters {
      for slot in 0..<256 where slots.hidden != .zero && slots.hides(slot) {
        moved.updateValue(nil, forKey: RowKey(clusterIndex: cluster, slot: slot).rawValue)
      }
      for (slot, change) in slots.rows where !change.keepsRest || change.fields[field.column] != nil {
        let row = RowKey(clusterIndex: cluster, slot: slot)
        let content = try overlay.content(change, Cell(layout, row, field))
        moved[row.rawValue] = try content.queryValue(overlay.queryValue)
      }
    }
    guard !moved.isEmpty else { return index }
    let corrected = PastQueryIndex(present: index, moved: moved)
    indexes[property] = corrected
    return corrected
  }

  func appendBacklinks(
    of row: QueryRow, from originClass: String, property: Int, to rows: inout [QueryRow]
  ) throws {
    guard let origin = source.readViewTable(originClass), origin.fields.indices.contains(property),
      let field = origin.fields[property]
    else { return }
    let target = ClassRow(table: layout.table, row: RowKey(row))
    try overlay.appendOrigins(FieldReference(layout: origin.layout, field: field), of: target, present, to: &rows)
  }

  func incomingLinkCount(of row: QueryRow) throws -> Int {
    let target = ClassRow(table: layout.table, row: RowKey(row))
    var rows: [QueryRow] = []
    for incoming in overlay.readView.catalog.incoming(layout.table) {
      try overlay.appendOrigins(incoming, of: target, present, to: &rows)
    }
    return rows.count
  }
}
