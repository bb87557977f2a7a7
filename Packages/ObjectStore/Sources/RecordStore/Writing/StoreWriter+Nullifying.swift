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
        try nullify(target, incoming.field, origin, incoming.layout)
      }
    }
  }

  private func nullify(_ target: ClassRow, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    let link = StoredValue.link(target.table, target.row)
    switch field.collection {
    case .single:
      let old = try readView.value(field, row, layout)
      try nullifyNested(link, old, [], field, row, layout)
      try unrecorded { try assign(old.replacing([target: .null]), field, row, layout) }
    case .list:
      for (position, old) in try elements(with: target, field, row, layout) {
        if old == link, field.isFixedLink {
          try removeElement(at: position, field, row, layout)
        } else {
          let size = try readView.list(field, row, layout).count
          try nullifyNested(
            link, old, [.index(UInt32(position))], field, row, layout, priorSize: UInt32(size))
          try unrecorded { try assignElement(old.replacing([target: .null]), at: position, field, row, layout) }
        }
      }
    case .dictionary:
      for (key, old) in try entries(with: target, field, row, layout) {
        try nullifyNested(link, old, [.name(String(decoding: key, as: UTF8.self))], field, row, layout)
        try unrecorded { try assignEntry(old.replacing([target: .null]), for: key, field, row, layout) }
      }
    case .set:
      try removeMember(link, field, row, layout)
    }
  }

  // MARK: Finding

  /// The elements of a list that hold a link, the last first.
  private func elements(
    with target: ClassRow, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout
  ) throws -> [(position: Int, value: StoredValue)] {
    let list = try readView.list(field, row, layout)
    let cell = LinkRedirection.Cell(table: layout.table, row: row, field: field.column)
    if let known = try knownElements(with: target, in: list, cell, field) { return known }
    let elements = try list.elements()
    work.count(elements.count)
    guard elements.count >= Self.shortest else {
      return elements.enumerated().reversed().filter { $1.links(to: target) > 0 }.map { ($0, $1) }
    }
    keep(LinkPositions(elements: elements), of: cell)
    return try knownElements(with: target, in: list, cell, field) ?? []
  }

  /// The same from what is kept in mind; nil when that does not hold any more.
  private func knownElements(
    with target: ClassRow, in list: StoredList, _ cell: LinkRedirection.Cell, _ field: FieldLayout
  ) throws -> [(position: Int, value: StoredValue)]? {
    guard linkPositions[cell] != nil else { return nil }
    var missing = 1 + Int(try repeatCount(field, target.table, target.row, cell.row))
    var found: [(position: Int, value: StoredValue)] = []
    let places = linkPositions[cell]?.take(target) ?? []
    for case .element(let first) in places.reversed() {
      let position = linkPositions[cell]?.position(first) ?? -1
      guard position >= 0, position < list.count else { break }
      let value = try list.element(at: position)
      work.count()
      missing -= value.links(to: target)
      found.append((position, value))
      if field.isFixedLink { linkPositions[cell]?.remove(at: first) }
    }
    guard missing == 0, found.allSatisfy({ $0.value.links(to: target) > 0 }) else {
      linkPositions[cell] = nil
      return nil
    }
    return found
  }

  /// The entries of a dictionary that hold a link.
  private func entries(
    with target: ClassRow, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout
  ) throws -> [(key: [UInt8], value: StoredValue)] {
    let map = try readView.map(field, row, layout)
    let cell = LinkRedirection.Cell(table: layout.table, row: row, field: field.column)
    if let known = try knownEntries(with: target, in: map, cell, field) { return known }
    let entries = try readView.entries(field, row, layout)
    work.count(entries.count)
    guard entries.count >= Self.shortest else { return entries.filter { $0.value.links(to: target) > 0 } }
    keep(LinkPositions(entries: entries), of: cell)
    return try knownEntries(with: target, in: map, cell, field) ?? []
  }

  private func knownEntries(
    with target: ClassRow, in map: StoredMap, _ cell: LinkRedirection.Cell, _ field: FieldLayout
  ) throws -> [(key: [UInt8], value: StoredValue)]? {
    guard linkPositions[cell] != nil else { return nil }
    var missing = 1 + Int(try repeatCount(field, target.table, target.row, cell.row))
    var found: [(key: [UInt8], value: StoredValue)] = []
    for case .entry(let key) in linkPositions[cell]?.take(target) ?? [] {
      let value = try map.value(for: key) ?? .null
      work.count()
      missing -= value.links(to: target)
      if value.links(to: target) > 0 { found.append((key, value)) }
    }
    guard missing == 0 else {
      linkPositions[cell] = nil
      return nil
    }
    return found
  }

  private func keep(_ places: LinkPositions, of cell: LinkRedirection.Cell) {
    if linkPositions.count >= Self.knownPlacesLimit { linkPositions = [:] }
    linkPositions[cell] = places
  }

  // MARK: Recording

  /// Records the nulling of every occurrence of a link in a value.
  private func nullifyNested(
    _ link: StoredValue, _ value: StoredValue, _ path: [PathElement], _ field: FieldLayout, _ row: RowKey,
    _ layout: ClassLayout, priorSize: UInt32? = nil
  ) throws {
    guard let recorder else { return }
    if value == link {
      try recorder.update(field, row, layout, path: path, .null, priorSize: priorSize, in: readView)
    } else if case .list(let elements) = value {
      for (position, element) in elements.enumerated() {
        try nullifyNested(
          link, element, path + [.index(UInt32(position))], field, row, layout, priorSize: UInt32(elements.count))
      }
    } else if case .dictionary(let entries) = value {
      for (key, element) in entries { try nullifyNested(link, element, path + [.name(key)], field, row, layout) }
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
