import ChangesetOT
import DataModel
import StorageEngine

// Local deletion: every link to the object goes, and that is recorded.

extension StoreWriter {
  /// Collections whose links are kept in mind at a time.
  private static let knownPlacesLimit = 16
  /// Collections that are shorter are looked through.
  private static let shortest = 32

  /// Takes away every link to an object that is about to be deleted here, recording that.
  ///
  /// - Complexity: O(log n) per link in lists, sets and dictionaries of n, once the first such link was looked for, which
  ///   is O(n). A collection inside a mixed value is read and written whole.
  func nullifyLinks(to row: RowKey, _ layout: ClassLayout) throws {
    let target = ClassRow(table: layout.table, row: row)
    for incoming in catalog.incoming(layout.table) {
      for origin in try readView.origins(incoming.field, of: layout.table, row) {
        try nullify(target, Cell(incoming.layout, origin, incoming.field))
      }
    }
  }

  private func nullify(_ target: ClassRow, _ cell: Cell) throws {
    let link = StoredValue.link(target.table, target.row)
    switch cell.field.collection {
    case .single:
      let old = try readView.value(cell)
      try nullifyNested(link, old, [], cell)
      try unrecorded { try assign(old.replacing([target: .null]), cell) }
    case .list:
      for (position, old) in try elements(with: target, cell) {
        if old == link, cell.field.isFixedLink {
          try removeElement(at: position, cell)
        } else {
          let size = try readView.list(cell).count
          try nullifyNested(
            link, old, [.index(UInt32(position))], cell, priorSize: UInt32(size))
          try unrecorded { try assignElement(old.replacing([target: .null]), at: position, cell) }
        }
      }
    case .dictionary:
      for (key, old) in try entries(with: target, cell) {
        try nullifyNested(link, old, [.name(String(decoding: key, as: UTF8.self))], cell)
        try unrecorded { try assignEntry(old.replacing([target: .null]), for: key, cell) }
      }
    case .set:
      try removeMember(link, cell)
    }
  }

  // MARK: Finding

  /// The elements of a list that hold a link, the last first.
  private func elements(with target: ClassRow, _ cell: Cell) throws -> [(position: Int, value: StoredValue)] {
    let list = try readView.list(cell)
    if let known = try knownElements(with: target, in: list, cell) { return known }
    let elements = try list.elements()
    work.count(elements.count)
    guard elements.count >= Self.shortest else {
      return elements.enumerated().reversed().filter { $1.links(to: target) > 0 }.map { ($0, $1) }
    }
    keep(LinkPositions(elements: elements), of: cell.address)
    return try knownElements(with: target, in: list, cell) ?? []
  }

  /// The same from what is kept in mind; nil when that does not hold any more.
  private func knownElements(
    with target: ClassRow, in list: StoredList, _ cell: Cell
  ) throws -> [(position: Int, value: StoredValue)]? {
    let address = cell.address
    guard linkPositions[address] != nil else { return nil }
    var missing = 1 + Int(try repeatCount(cell.field, target.table, target.row, cell.row))
    var found: [(position: Int, value: StoredValue)] = []
    let places = linkPositions[address]?.take(target) ?? []
    for case .element(let first) in places.reversed() {
      let position = linkPositions[address]?.position(first) ?? -1
      guard position >= 0, position < list.count else { break }
      let value = try list.element(at: position)
      work.count()
      missing -= value.links(to: target)
      found.append((position, value))
      if cell.field.isFixedLink { linkPositions[address]?.remove(at: first) }
    }
    guard missing == 0, found.allSatisfy({ $0.value.links(to: target) > 0 }) else {
      linkPositions[address] = nil
      return nil
    }
    return found
  }

  /// The entries of a dictionary that hold a link.
  private func entries(with target: ClassRow, _ cell: Cell) throws -> [(key: [UInt8], value: StoredValue)] {
    let map = try readView.map(cell)
    if let known = try knownEntries(with: target, in: map, cell) { return known }
    let entries = try readView.entries(cell)
    work.count(entries.count)
    guard entries.count >= Self.shortest else { return entries.filter { $0.value.links(to: target) > 0 } }
    keep(LinkPositions(entries: entries), of: cell.address)
    return try knownEntries(with: target, in: map, cell) ?? []
  }

  private func knownEntries(
    with target: ClassRow, in map: StoredMap, _ cell: Cell
  ) throws -> [(key: [UInt8], value: StoredValue)]? {
    let address = cell.address
    guard linkPositions[address] != nil else { return nil }
    var missing = 1 + Int(try repeatCount(cell.field, target.table, target.row, cell.row))
    var found: [(key: [UInt8], value: StoredValue)] = []
    for case .entry(let key) in linkPositions[address]?.take(target) ?? [] {
      let value = try map.value(for: key) ?? .null
      work.count()
      missing -= value.links(to: target)
      if value.links(to: target) > 0 { found.append((key, value)) }
    }
    guard missing == 0 else {
      linkPositions[address] = nil
      return nil
    }
    return found
  }

  private func keep(_ places: LinkPositions, of address: CellAddress) {
    if linkPositions.count >= Self.knownPlacesLimit { linkPositions = [:] }
    linkPositions[address] = places
  }

  // MARK: Recording

  /// Records the nulling of every occurrence of a link in a value.
  private func nullifyNested(
    _ link: StoredValue, _ value: StoredValue, _ path: [PathElement], _ cell: Cell, priorSize: UInt32? = nil
  ) throws {
    guard let recorder else { return }
    if value == link {
      try recorder.update(cell, path: path, .null, priorSize: priorSize, in: readView)
    } else if case .list(let elements) = value {
      for (position, element) in elements.enumerated() {
        try nullifyNested(
          link, element, path + [.index(UInt32(position))], cell, priorSize: UInt32(elements.count))
      }
    } else if case .dictionary(let entries) = value {
      for (key, element) in entries { try nullifyNested(link, element, path + [.name(key)], cell) }
    }
  }

  /// Runs changes that are recorded by other means.
  func unrecorded(_ body: () throws -> Void) rethrows {
    let saved = recorder
    recorder = nil
    defer { recorder = saved }
    try body()
  }
}

extension StoredValue {
  /// The number of links from the value to a row.
  fileprivate func links(to target: ClassRow) -> Int {
    switch self {
    case .link(let table, let row): table == target.table && row == target.row ? 1 : 0
    case .list(let elements): elements.reduce(0) { $0 + $1.links(to: target) }
    case .dictionary(let entries): entries.values.reduce(0) { $0 + $1.links(to: target) }
    default: 0
    }
  }
}
