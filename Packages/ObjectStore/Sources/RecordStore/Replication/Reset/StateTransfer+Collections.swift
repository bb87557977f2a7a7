import ChangesetOT
import DataModel
import StorageEngine

extension StateTransfer {
  /// A common beginning and end of both lists stay; the elements between are replaced one by one.
  func transferList(
    _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout, to same: FieldLayout, _ twin: RowKey,
    _ other: ClassLayout
  ) throws {
    let new = try source.list(field, row, layout).elements().compactMap(translated)
    let old = try target.readView.list(same, twin, other).elements()
    guard new != old else { return }
    var start = 0
    while start < min(new.count, old.count), new[start] == old[start] { start += 1 }
    var tail = 0
    while tail < min(new.count, old.count) - start, new[new.count - 1 - tail] == old[old.count - 1 - tail] { tail += 1 }
    let gone = old.count - tail - start
    let come = new.count - tail - start
    for offset in 0..<min(gone, come) {
      try target.setElement(new[start + offset], at: start + offset, same, twin, other)
    }
    if gone > come {
      for _ in come..<gone { try target.removeElement(at: start + come, same, twin, other) }
    } else {
      for offset in gone..<come {
        try target.insert(new[start + offset], at: start + offset, same, twin, other)
      }
    }
  }

  func transferEmbedded(
    _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout, to same: FieldLayout, _ twin: RowKey,
    _ other: ClassLayout, _ child: ClassLayout
  ) throws {
    let old = try target.readView.value(same, twin, other)
    guard case .link(let table, let inner) = try source.value(field, row, layout),
      let innerLayout = source.catalog[table]
    else {
      if old != .null { try target.set(.null, same, twin, other) }
      return
    }
    let innerTwin: RowKey
    if case .link(_, let present) = old {
      innerTwin = present
    } else {
      innerTwin = try target.createEmbedded(same, twin, other)
    }
    try transferFields(from: inner, innerLayout, to: innerTwin, child)
  }

  func transferEmbeddedList(
    _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout, to same: FieldLayout, _ twin: RowKey,
    _ other: ClassLayout, _ child: ClassLayout
  ) throws {
    let new = try source.list(field, row, layout).elements()
    let count = try target.readView.list(same, twin, other).count
    if count > new.count {
      for position in (new.count..<count).reversed() { try target.removeElement(at: position, same, twin, other) }
    }
    for (position, element) in new.enumerated() {
      guard case .link(let table, let inner) = element, let innerLayout = source.catalog[table] else { continue }
      let innerTwin: RowKey
      if position < count,
        case .link(_, let present) = try target.readView.list(same, twin, other).element(at: position)
      {
        innerTwin = present
      } else {
        let size = try target.readView.list(same, twin, other).count
        innerTwin = try target.insertEmbedded(at: min(position, size), same, twin, other)
      }
      try transferFields(from: inner, innerLayout, to: innerTwin, child)
    }
  }

  func transferEntries(
    _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout, to same: FieldLayout, _ twin: RowKey,
    _ other: ClassLayout, _ child: ClassLayout?
  ) throws {
    let new = try source.entries(field, row, layout)
    let names = Set(new.map(\.key))
    for (key, _) in try target.readView.entries(same, twin, other) where !names.contains(key) {
      try target.removeEntry(for: String(decoding: key, as: UTF8.self), same, twin, other)
    }
    for (key, value) in new {
      let name = String(decoding: key, as: UTF8.self)
      let old = try target.readView.map(same, twin, other).value(for: key)
      if let child, case .link(let table, let inner) = value, let innerLayout = source.catalog[table] {
        let innerTwin: RowKey
        if case .link(_, let present)? = old {
          innerTwin = present
        } else {
          innerTwin = try target.createEmbedded(for: name, same, twin, other)
        }
        try transferFields(from: inner, innerLayout, to: innerTwin, child)
        continue
      }
      let translated = try translated(value) ?? .null
      if translated != old { try target.setEntry(translated, for: name, same, twin, other) }
    }
  }

  func transferMembers(
    _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout, to same: FieldLayout, _ twin: RowKey,
    _ other: ClassLayout
  ) throws {
    let new = Set(try source.elements(field, row, layout).compactMap(translated).map(SetKey.bytes))
    for value in try target.readView.elements(same, twin, other) where !new.contains(SetKey.bytes(of: value)) {
      try target.removeMember(value, same, twin, other)
    }
    for value in try source.elements(field, row, layout) {
      if let value = try translated(value) { try target.insertMember(value, same, twin, other) }
    }
  }
}
