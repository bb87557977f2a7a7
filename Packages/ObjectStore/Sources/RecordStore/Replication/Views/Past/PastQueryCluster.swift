import DataModel
import QueryLanguage
import StorageEngine

/// A cluster in which some rows were different at a past version. Columns in which none of them was are those of the
/// present.
final class PastQueryCluster: QueryCluster {
  private let position: Int
  /// The cluster as it is now; nil behind the present ones.
  private let present: (any QueryCluster)?
  private let slots: PastRows.Slots
  private let table: PastQueryTable
  private let live: UnsafeMutablePointer<UInt64>

  init(_ position: Int, _ present: (any QueryCluster)?, _ slots: PastRows.Slots, _ table: PastQueryTable) {
    self.position = position
    self.present = present
    self.slots = slots
    self.table = table
    live = .allocate(capacity: 4)
    live.initialize(repeating: present == nil ? 0 : .max, count: 4)
    if let words = present?.liveSlots {
      for word in 0..<4 { live[word] = words.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self) }
    }
    for word in 0..<4 { live[word] &= ~slots.hidden[word] }
    for slot in slots.rows.keys { live[slot >> 6] |= 1 << UInt64(slot & 63) }
  }

  deinit { live.deallocate() }

  var slotCount: Int { 256 }
  var firstRow: QueryRow { QueryRow(position) << 8 }
  var liveSlots: UnsafeRawPointer? { UnsafeRawPointer(live) }

  func column(_ property: Int) throws -> ColumnView {
    guard let present, let field = table.present.fields[property], !slots.replacesAll,
      !slots.columns.contains(field.column), !field.canLink || slots.rows.isEmpty
    else { return .generic }
    return try present.column(property)
  }

  func value(of property: Int, slot: Int) throws -> Value {
    guard let change = slots.rows[slot] else { return try present?.value(of: property, slot: slot) ?? .null }
    guard let field = table.present.fields[property] else { return .null }
    return try content(change, field, slot).queryValue(table.overlay.queryValue)
  }

  func appendLinkedRows(of property: Int, slot: Int, to rows: inout [QueryRow]) throws {
    guard let change = slots.rows[slot] else {
      try present?.appendLinkedRows(of: property, slot: slot, to: &rows)
      return
    }
    guard let field = table.present.fields[property] else { return }
    for value in try content(change, field, slot).values {
      if case .link(_, let row) = value { rows.append(row.rawValue) } else { rows.append(.nullRow) }
    }
  }

  private func content(_ change: PastRow, _ field: FieldLayout, _ slot: Int) throws -> PastContent {
    try table.overlay.content(change, Cell(table.layout, RowKey(clusterIndex: position, slot: slot), field))
  }
}
