import DataModel
import StorageEngine

// The links to an object when it is created, erased by a peer, or deleted here.

extension StoreWriter {
  /// Makes every link to one row lead to another, without recording.
  func redirectLinks(from source: RowKey, to target: RowKey, _ layout: ClassLayout) throws {
    var redirection = LinkRedirection()
    try add(
      .link(layout.table, target), for: ClassRow(table: layout.table, row: source), to: &redirection)
    try redirect(redirection)
  }

  /// Notes what links to a row are to become, with the cells that hold any.
  func add(_ replacement: StoredValue, for target: ClassRow, to redirection: inout LinkRedirection) throws {
    redirection.replacements[target] = replacement
    for incoming in catalog.incoming(target.table) {
      let origins = try readView.origins(incoming.field, of: target.table, target.row)
      try work.take(origins.count, isCharged: redirection.isCharged)
      for origin in origins {
        redirection.cells.insert(Cell(incoming.layout, origin, incoming.field).address)
      }
    }
  }

  /// Puts other links into cells, without recording. Each cell is read once, however many of its links change.
  func redirect(_ redirection: LinkRedirection) throws {
    for address in redirection.cells.sorted() {
      guard let layout = catalog[address.table],
        let field = layout.fields.first(where: { $0.column == address.column })
      else { continue }
      let cell = Cell(layout, address.row, field)
      try rewrite(cell, isCharged: redirection.isCharged) { $0.replacing(redirection.replacements) }
    }
  }

  /// Puts every value of a field through a function, without recording.
  private func rewrite(_ cell: Cell, isCharged: Bool, _ change: (StoredValue) -> StoredValue) throws {
    switch cell.field.collection {
    case .single:
      try assign(change(try readView.value(cell)), cell)
    case .list:
      let elements = try readView.list(cell).elements()
      try work.take(elements.count, isCharged: isCharged)
      for (position, old) in elements.enumerated() {
        let new = change(old)
        if new != old { try assignElement(new, at: position, cell) }
      }
    case .dictionary:
      let entries = try readView.entries(cell)
      try work.take(entries.count, isCharged: isCharged)
      for (key, old) in entries {
        let new = change(old)
        if new != old { try assignEntry(new, for: key, cell) }
      }
    case .set:
      let members = try readView.entries(cell)
      try work.take(members.count, isCharged: isCharged)
      for (_, old) in members {
        let new = change(old)
        if new != old { try replaceMember(old, by: new, cell) }
      }
    }
  }

  /// Exchanges an element of a set, without recording. One that becomes null, or that is there already, goes.
  func replaceMember(_ old: StoredValue, by new: StoredValue, _ cell: Cell) throws {
    try writer(cell.layout).removeEntry(for: SetKey.bytes(of: old), cell.field.column, row: cell.row)
    try forgetElement(old, cell.field, cell.row)
    guard new != .null else { return }
    if try readView.map(cell).value(for: SetKey.bytes(of: new)) == nil {
      try assignMember(new, cell)
    }
  }
}

extension ReadView {
  /// The entries of a dictionary or set by their key bytes.
  package func entries(_ cell: Cell) throws -> [(key: [UInt8], value: StoredValue)] {
    var entries: [(key: [UInt8], value: StoredValue)] = []
    try map(cell).forEach { key, value in
      entries.append((key, value))
      return true
    }
    return entries
  }
}
