import ChangesetOT
import DataModel
import StorageEngine

extension StateTransfer {
  /// A common beginning and end of both lists stay; the elements between are replaced one by one.
  func transferList(_ cell: Cell, to twin: Cell) throws {
    let new = try source.list(cell).elements().compactMap(translated)
    let old = try target.readView.list(twin).elements()
    guard new != old else { return }
    var start = 0
    while start < min(new.count, old.count), new[start] == old[start] { start += 1 }
    var tail = 0
    while tail < min(new.count, old.count) - start, new[new.count - 1 - tail] == old[old.count - 1 - tail] { tail += 1 }
    let gone = old.count - tail - start
    let come = new.count - tail - start
    for offset in 0..<min(gone, come) {
      try target.setElement(new[start + offset], at: start + offset, twin)
    }
    if gone > come {
      for _ in come..<gone { try target.removeElement(at: start + come, twin) }
    } else {
      for offset in gone..<come {
        try target.insert(new[start + offset], at: start + offset, twin)
      }
    }
  }

  func transferEmbedded(_ cell: Cell, to twin: Cell, _ child: ClassLayout) throws {
    let old = try target.readView.value(twin)
    guard case .link(let table, let inner) = try source.value(cell),
      let innerLayout = source.catalog[table]
    else {
      if old != .null { try target.set(.null, twin) }
      return
    }
    let innerTwin: RowKey
    if case .link(_, let present) = old {
      innerTwin = present
    } else {
      innerTwin = try target.createEmbedded(twin)
    }
    try transferFields(from: inner, innerLayout, to: innerTwin, child)
  }

  func transferEmbeddedList(_ cell: Cell, to twin: Cell, _ child: ClassLayout) throws {
    let new = try source.list(cell).elements()
    let count = try target.readView.list(twin).count
    if count > new.count {
      for position in (new.count..<count).reversed() { try target.removeElement(at: position, twin) }
    }
    for (position, element) in new.enumerated() {
      guard case .link(let table, let inner) = element, let innerLayout = source.catalog[table] else { continue }
      let innerTwin: RowKey
      if position < count,
        case .link(_, let present) = try target.readView.list(twin).element(at: position)
      {
        innerTwin = present
      } else {
        let size = try target.readView.list(twin).count
        innerTwin = try target.insertEmbedded(at: min(position, size), twin)
      }
      try transferFields(from: inner, innerLayout, to: innerTwin, child)
    }
  }

  func transferEntries(_ cell: Cell, to twin: Cell, _ child: ClassLayout?) throws {
    let new = try source.entries(cell)
    let names = Set(new.map(\.key))
    for (key, _) in try target.readView.entries(twin) where !names.contains(key) {
      try target.removeEntry(for: String(decoding: key, as: UTF8.self), twin)
    }
    for (key, value) in new {
      let name = String(decoding: key, as: UTF8.self)
      let old = try target.readView.map(twin).value(for: key)
      if let child, case .link(let table, let inner) = value, let innerLayout = source.catalog[table] {
        let innerTwin: RowKey
        if case .link(_, let present)? = old {
          innerTwin = present
        } else {
          innerTwin = try target.createEmbedded(for: name, twin)
        }
        try transferFields(from: inner, innerLayout, to: innerTwin, child)
        continue
      }
      let translated = try translated(value) ?? .null
      if translated != old { try target.setEntry(translated, for: name, twin) }
    }
  }

  func transferMembers(_ cell: Cell, to twin: Cell) throws {
    let new = Set(try source.elements(cell).compactMap(translated).map(SetKey.bytes))
    for value in try target.readView.elements(twin) where !new.contains(SetKey.bytes(of: value)) {
      try target.removeMember(value, twin)
    }
    for value in try source.elements(cell) {
      if let value = try translated(value) { try target.insertMember(value, twin) }
    }
  }
}
