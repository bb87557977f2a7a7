import DataModel
import StorageEngine

// Backlinks. Every field that can hold links has an index from target to origin row. Fields that can hold several
// links have a second one that counts the links beyond the first from one row to one target:
//
//   backlinks   (target) → origin               target: its row key, or class and row key where any class may be linked to
//   repeats     (target, origin, n) → origin    n = 1, 2, …

extension StoreWriter {
  func addLink(_ field: FieldLayout, to table: TableID, _ target: RowKey, from origin: RowKey) throws {
    guard let backlinks = field.backlinks, target != .none else { return }
    let key = linkKey(field, table, target)
    if let repeats = field.repeats, try readView.contains(key, origin, backlinks) {
      let count = try repeatCount(field, table, target, origin)
      try transaction.insert(repeatKey(table, target, origin, count + 1), row: origin, into: repeats)
    } else {
      try insert(key, origin, backlinks)
    }
  }

  func removeLink(_ field: FieldLayout, to table: TableID, _ target: RowKey, from origin: RowKey) throws {
    guard let backlinks = field.backlinks, target != .none else { return }
    if let repeats = field.repeats {
      let count = try repeatCount(field, table, target, origin)
      if count > 0 {
        try transaction.remove(repeatKey(table, target, origin, count), row: origin, from: repeats)
        return
      }
    }
    try remove(linkKey(field, table, target), origin, backlinks)
    if target.isUnresolved { loosened(target, of: table) }
  }

  /// Adjusts the backlinks of a cell or element that changes from one value to another.
  func relink(_ field: FieldLayout, from old: StoredValue, to new: StoredValue, origin: RowKey) throws {
    // A value that replaces itself must stay known: a field of one link counts no repeats, so that its only entry would
    // be added, which changes nothing, and then removed.
    guard field.canLink, old.mayLink || new.mayLink, old != new else { return }
    let (came, went) = (new.links, old.links)
    guard came.count + went.count > 2 else {
      for link in came { try addLink(field, to: link.table, link.row, from: origin) }
      for link in went { try removeLink(field, to: link.table, link.row, from: origin) }
      return
    }
    // Of a collection that changed in one place, all other links stay.
    var balance: [ClassRow: Int] = [:]
    for link in came { balance[ClassRow(table: link.table, row: link.row), default: 0] += 1 }
    for link in went { balance[ClassRow(table: link.table, row: link.row), default: 0] -= 1 }
    for link in came where balance[ClassRow(table: link.table, row: link.row), default: 0] > 0 {
      balance[ClassRow(table: link.table, row: link.row), default: 0] -= 1
      work.count()
      try addLink(field, to: link.table, link.row, from: origin)
    }
    for link in went where balance[ClassRow(table: link.table, row: link.row), default: 0] < 0 {
      balance[ClassRow(table: link.table, row: link.row), default: 0] += 1
      work.count()
      try removeLink(field, to: link.table, link.row, from: origin)
    }
  }

  /// The number of links beyond the first from one row to one target.
  package func repeatCount(
    _ field: FieldLayout, _ table: TableID, _ target: RowKey, _ origin: RowKey
  ) throws -> UInt32 {
    guard let repeats = field.repeats else { return 0 }
    // Repeats are numbered from 1 without a gap: O(log² n) for n of them.
    let index = try transaction.index(repeats)
    func isThere(_ number: UInt32) throws -> Bool {
      try index.contains(repeatKey(table, target, origin, number), row: origin)
    }
    guard try isThere(1) else { return 0 }
    var (low, high): (UInt32, UInt32) = (1, 2)
    while try isThere(high) { (low, high) = (high, high << 1) }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if try isThere(middle) { low = middle } else { high = middle }
    }
    return low
  }

  private func repeatPrefix(_ table: TableID, _ target: RowKey, _ origin: RowKey) -> [UInt8] {
    var bytes = freeLinkKey(table, target)
    OrderedBytes.append(origin.rawValue, to: &bytes)
    return bytes
  }

  private func repeatKey(_ table: TableID, _ target: RowKey, _ origin: RowKey, _ number: UInt32) -> [UInt8] {
    var bytes = repeatPrefix(table, target, origin)
    OrderedBytes.append(number, to: &bytes)
    return bytes
  }

  // MARK: Links by name

  /// The row that a link to this object holds: the object's own, or that of its name when it does not exist.
  func linkRow(_ key: ObjectKey, _ layout: ClassLayout) throws -> RowKey {
    if let row = try readView.row(key, layout) ?? deferred.row(of: key, layout.table) { return row }
    let unresolved = try unresolvedLayout()
    let entry = unresolvedEntry(key, layout.table)
    if let row = try transaction.index(unresolved.index).firstRow(entry) { return RowKey(unresolved: row) }
    let writer = try writer(unresolved.table)
    let row = try writer.insertRow()
    try writer.setInt(Int64(layout.table.rawValue), unresolved.classColumn, row: row)
    try writer.setData(key.bytes, unresolved.keyColumn, row: row)
    try transaction.insert(entry, row: row, into: unresolved.index)
    return RowKey(unresolved: row)
  }

  /// The row key under which links to this name are kept while the object does not exist; nil when there are none.
  func unresolvedRow(_ key: ObjectKey, _ layout: ClassLayout) throws -> RowKey? {
    try deferred.row(of: key, layout.table) ?? nameRow(key, layout.table)
  }

  /// The row key of a name that is kept, whether or not the object exists by now.
  func nameRow(_ key: ObjectKey, _ table: TableID) throws -> RowKey? { try readView.nameRow(key, table) }

  /// Drops the name of an object that does not exist when nothing links to it.
  func forgetIfIdle(_ target: RowKey, of table: TableID) throws {
    guard let unresolved = catalog.unresolved, let layout = catalog[table] else { return }
    for incoming in catalog.incoming(table) {
      guard let backlinks = incoming.field.backlinks else { continue }
      if try readView.firstRow(linkKey(incoming.field, table, target), backlinks) != nil { return }
    }
    guard let name = try readView.reference(table, target),
      try readView.reader.contains(target.unresolvedRow, in: unresolved.table)
    else { return }
    try transaction.remove(unresolvedEntry(name.key, layout.table), row: target.unresolvedRow, from: unresolved.index)
    try writer(unresolved.table).deleteRow(target.unresolvedRow)
  }

  private func unresolvedLayout() throws -> UnresolvedLayout {
    if let unresolved = catalog.unresolved { return unresolved }
    let table = try transaction.createTable("unresolved")
    let unresolved = UnresolvedLayout(
      table: table, classColumn: try transaction.addColumn("class", .int, to: table),
      keyColumn: try transaction.addColumn("key", .data, to: table),
      index: try transaction.createIndex("name", .bytes, on: table))
    setCatalog(catalog.with(unresolved: unresolved))
    return unresolved
  }
}

/// The entry of a target in a field's index of backlinks.
func linkKey(_ field: FieldLayout, _ table: TableID, _ target: RowKey) -> IndexKey {
  field.isFree ? .bytes(freeLinkKey(table, target)) : .int(target.rawValue)
}

/// The entry of a name in the index of unresolved objects.
func unresolvedEntry(_ key: ObjectKey, _ table: TableID) -> [UInt8] {
  var bytes: [UInt8] = []
  OrderedBytes.append(Int64(table.rawValue), to: &bytes)
  bytes.append(contentsOf: key.bytes)
  return bytes
}

extension ReadView {
  /// The row key under which links to a name are kept, whether or not the object exists by now; nil when there are none.
  func nameRow(_ key: ObjectKey, _ table: TableID) throws -> RowKey? {
    guard let unresolved = catalog.unresolved else { return nil }
    return try reader.index(unresolved.index).firstRow(unresolvedEntry(key, table)).map { RowKey(unresolved: $0) }
  }

  func contains(_ key: IndexKey, _ row: RowKey, _ index: IndexID) throws -> Bool {
    switch key {
    case .int(let value): try reader.index(index).contains(value, row: row)
    case .bytes(let bytes): try reader.index(index).contains(bytes, row: row)
    }
  }

  /// The rows whose field links to the target, ascending.
  package func origins(_ field: FieldLayout, of table: TableID, _ target: RowKey) throws -> [RowKey] {
    guard let backlinks = field.backlinks else { return [] }
    return switch linkKey(field, table, target) {
    case .int(let value): try reader.index(backlinks).rows(value)
    case .bytes(let bytes): try reader.index(backlinks).rows(bytes)
    }
  }
}
