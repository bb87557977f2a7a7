import ChangesetOT
import DataModel
import StorageEngine

// Collections inside mixed values: a marker makes them, then their contents follow one by one.

extension ChangesetRecorder {
  /// A new element of a nested list, with what is in it.
  func nestedInsert(_ cell: Cell, _ path: [PathElement], _ value: StoredValue, priorSize: Int, in readView: ReadView)
    throws
  {
    guard let target = try readView.target(cell, path) else { return }
    append(
      .arrayInsert(ArrayInsert(target: target, payload: try readView.payload(value), priorSize: UInt32(priorSize))))
    try contents(of: value, replacing: .null, at: path, cell, in: readView)
  }

  /// The element or entry at a path, with what is in it.
  func nestedUpdate(
    _ cell: Cell, _ path: [PathElement], _ value: StoredValue, replacing old: StoredValue, priorSize: UInt32? = nil,
    in readView: ReadView
  ) throws {
    try update(cell, path: path, try readView.payload(value), priorSize: priorSize, in: readView)
    try contents(of: value, replacing: old, at: path, cell, in: readView)
  }

  /// Records the contents of a collection whose marker was just recorded. A marker leaves an existing collection of its kind
  /// as it is, so the collection is cleared first.
  func contents(
    of value: StoredValue, replacing old: StoredValue, at path: [PathElement], _ cell: Cell, in readView: ReadView
  ) throws {
    guard let kind = value.collectionKind else { return }
    if old.collectionKind == kind, let target = try readView.target(cell, path) {
      append(.clear(Clear(target: target, collection: kind)))
    }
    switch value {
    case .list(let elements):
      for (position, element) in elements.enumerated() {
        try nestedInsert(
          cell, path + [.index(UInt32(position))], element, priorSize: position, in: readView)
      }
    case .dictionary(let entries):
      for (key, element) in entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        try nestedUpdate(cell, path + [.name(key)], element, replacing: .null, in: readView)
      }
    default: break
    }
  }
}
