import ChangesetOT
import DataModel
import StorageEngine

// What happens to the links to an object when it comes, goes for a while, or is deleted.

extension StoreWriter {
  /// Makes every link to one row lead to another, without recording.
  func redirectLinks(from source: RowKey, to target: RowKey, _ layout: ClassLayout) throws {
    let old = StoredValue.link(layout.table, source)
    let new = StoredValue.link(layout.table, target)
    for incoming in catalog.incoming(layout.table) {
      for origin in try frame.origins(incoming.field, of: layout.table, source) {
        try rewrite(incoming.field, origin, incoming.layout) { $0.replacing(old, by: new) }
      }
    }
  }

  /// Puts every value of a field through a function, without recording.
  private func rewrite(
    _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout, _ change: (StoredValue) -> StoredValue
  ) throws {
    switch field.collection {
    case .single:
      try assign(change(try frame.value(field, row, layout)), field, row, layout)
    case .list:
      for (position, old) in try frame.list(field, row, layout).elements().enumerated() {
        let new = change(old)
        if new != old { try assignElement(new, at: position, field, row, layout) }
      }
    case .dictionary:
      for (key, old) in try frame.entries(field, row, layout) {
        let new = change(old)
        if new != old { try assignEntry(new, for: key, field, row, layout) }
      }
    case .set:
      for (key, old) in try frame.entries(field, row, layout) {
        let new = change(old)
        guard new != old else { continue }
        try writer(layout).removeEntry(for: key, field.column, row: row)
        try forgetElement(old, field, row)
        if try frame.map(field, row, layout).value(for: SetKey.bytes(of: new)) == nil {
          try assignMember(new, field, row, layout)
        }
      }
    }
  }

  /// Takes away every link to an object that is about to be deleted here, recording that.
  func nullifyLinks(to row: RowKey, _ layout: ClassLayout) throws {
    let link = StoredValue.link(layout.table, row)
    for incoming in catalog.incoming(layout.table) {
      for origin in try frame.origins(incoming.field, of: layout.table, row) {
        try nullify(link, incoming.field, origin, incoming.layout)
      }
    }
  }

  private func nullify(_ link: StoredValue, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    switch field.collection {
    case .single:
      try nullifyNested(link, try frame.value(field, row, layout), [], field, row, layout)
      try unrecorded { try assign(try frame.value(field, row, layout).replacing(link, by: .null), field, row, layout) }
    case .list:
      let elements = try frame.list(field, row, layout).elements()
      for (position, old) in elements.enumerated().reversed() {
        if old == link, field.isFixedLink {
          try removeElement(at: position, field, row, layout)
        } else if old.links.contains(where: { .link($0.table, $0.row) == link }) {
          try nullifyNested(
            link, old, [.index(UInt32(position))], field, row, layout, priorSize: UInt32(elements.count))
          try unrecorded { try assignElement(old.replacing(link, by: .null), at: position, field, row, layout) }
        }
      }
    case .dictionary:
      for (key, old) in try frame.entries(field, row, layout) {
        let new = old.replacing(link, by: .null)
        guard new != old else { continue }
        try nullifyNested(link, old, [.name(String(decoding: key, as: UTF8.self))], field, row, layout)
        try unrecorded { try assignEntry(new, for: key, field, row, layout) }
      }
    case .set:
      try removeMember(link, field, row, layout)
    }
  }

  /// Records the nulling of every occurrence of a link in a value.
  private func nullifyNested(
    _ link: StoredValue, _ value: StoredValue, _ path: [PathElement], _ field: FieldLayout, _ row: RowKey,
    _ layout: ClassLayout, priorSize: UInt32? = nil
  ) throws {
    guard let recorder else { return }
    if value == link {
      try recorder.update(field, row, layout, path: path, .null, priorSize: priorSize, in: frame)
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
  /// The value with one link replaced wherever it occurs.
  func replacing(_ link: StoredValue, by replacement: StoredValue) -> StoredValue {
    switch self {
    case .list(let elements): .list(elements.map { $0.replacing(link, by: replacement) })
    case .dictionary(let entries): .dictionary(entries.mapValues { $0.replacing(link, by: replacement) })
    default: self == link ? replacement : self
    }
  }
}

extension Frame {
  /// The entries of a dictionary or set by their key bytes.
  func entries(_ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws -> [(
    key: [UInt8], value: StoredValue
  )] {
    var entries: [(key: [UInt8], value: StoredValue)] = []
    try map(field, row, layout).forEach { key, value in
      entries.append((key, value))
      return true
    }
    return entries
  }
}
