import ChangesetOT
import DataModel
import StorageEngine

/// Turns what a write transaction does into the instructions of its changeset, as it happens.
///
/// Everything is noted before the store changes, so that prior sizes and paths are those of the moment before.
package final class ChangesetRecorder {
  private var writer = ChangesetWriter(capacity: ChangesetRecorder.usualSize)
  private var names = RecordedNames()
  /// The object addressed last, which most of what is recorded addresses again. A row keeps its key.
  private var last: (table: TableID, row: RowKey, key: ObjectKey)?

  /// The names of the top-level classes that got objects.
  @exclusivity(unchecked) private(set) var createdClasses: Set<String> = []
  @exclusivity(unchecked) private var lastCreated: TableID?

  /// The initial capacity in bytes, enough for most changesets of an application.
  private static let usualSize = 256

  package init() {}

  /// Whether nothing was recorded.
  var isEmpty: Bool { writer.isEmpty }

  /// The number of bytes of the changeset so far.
  var count: Int { writer.count }

  /// The bytes of the changeset so far. O(*n*).
  var written: [UInt8] {
    let copy = writer
    return copy.finish()
  }

  /// The bytes of the changeset.
  func finish() -> [UInt8] {
    let finished = writer
    writer = ChangesetWriter()
    names = RecordedNames()
    last = nil
    return finished.finish()
  }

  func append(_ instruction: Instruction) { writer.append(instruction) }

  private func key(_ row: RowKey, _ layout: ClassLayout, in readView: ReadView) throws -> ObjectKey {
    if let last, last.row == row, last.table == layout.table { return last.key }
    let key = try readView.key(row, layout)
    // A text key is defined behind the class and before the field.
    if case .string(let text) = key { _ = writer.intern(text) }
    last = (layout.table, row, key)
    return key
  }

  /// A new object, in the row that it got.
  func createObject(_ layout: ClassLayout, _ key: ObjectKey, _ row: RowKey) {
    writer.createObject(names.name(of: layout, in: &writer), key)
    if lastCreated != layout.table {
      lastCreated = layout.table
      if layout.kind == .topLevel { createdClasses.insert(layout.name) }
    }
    last = (layout.table, row, key)
  }

  /// An asymmetric object only ever appears, as far as others are concerned.
  func eraseObject(_ layout: ClassLayout, _ key: ObjectKey) {
    if layout.kind == .topLevel { writer.eraseObject(names.name(of: layout, in: &writer), key) }
  }

  // MARK: Values

  package func update(_ cell: Cell, _ value: StoredValue, isDefault: Bool, in readView: ReadView) throws {
    if isDefault, value == .null, cell.field.canLink { return }
    try update(cell, path: [], try readView.payload(value), isDefault: isDefault, in: readView)
    guard value.collectionKind != nil else { return }
    let old = try readView.value(cell)
    try contents(of: value, replacing: old, at: [], cell, in: readView)
  }

  func update(
    _ cell: Cell, path: [PathElement], _ payload: Payload, isDefault: Bool = false, priorSize: UInt32? = nil,
    in readView: ReadView
  ) throws {
    if cell.layout.kind != .embedded {
      let table = names.name(of: cell.layout, in: &writer)
      let key = try key(cell.row, cell.layout, in: readView)
      let name = names.name(of: cell.field, in: cell.layout, &writer)
      return writer.update(
        table, key, name, path: path, payload: payload, isDefault: isDefault, priorSize: priorSize ?? 0)
    }
    guard let target = try readView.target(cell, path) else { return }
    writer.append(.update(Update(target: target, payload: payload, isDefault: isDefault, priorSize: priorSize)))
  }

  func addInteger(_ cell: Cell, _ amount: Int64, in readView: ReadView) throws {
    guard let target = try readView.target(cell, []) else { return }
    writer.append(.addInteger(AddInteger(target: target, amount: amount)))
  }

  // MARK: Lists

  func arrayInsert(_ cell: Cell, _ position: Int, _ value: StoredValue, priorSize: Int, in readView: ReadView) throws {
    guard let target = try readView.target(cell, [.index(UInt32(position))]) else { return }
    let payload = try readView.elementPayload(value, of: cell.field)
    writer.append(.arrayInsert(ArrayInsert(target: target, payload: payload, priorSize: UInt32(priorSize))))
    try contents(of: value, replacing: .null, at: [.index(UInt32(position))], cell, in: readView)
  }

  func updateElement(_ cell: Cell, _ position: Int, _ value: StoredValue, priorSize: Int, in readView: ReadView) throws
  {
    let path = [PathElement.index(UInt32(position))]
    try update(
      cell, path: path, try readView.payload(value), priorSize: UInt32(priorSize), in: readView)
    guard value.collectionKind != nil else { return }
    let old = try readView.list(cell).element(at: position)
    try contents(of: value, replacing: old, at: path, cell, in: readView)
  }

  func arrayMove(_ cell: Cell, from source: Int, to destination: Int, priorSize: Int, in readView: ReadView) throws {
    guard let target = try readView.target(cell, [.index(UInt32(source))]) else { return }
    writer.append(
      .arrayMove(ArrayMove(target: target, destination: UInt32(destination), priorSize: UInt32(priorSize))))
  }

  func arrayErase(_ cell: Cell, _ position: Int, priorSize: Int, in readView: ReadView) throws {
    guard let target = try readView.target(cell, [.index(UInt32(position))]) else { return }
    writer.append(.arrayErase(ArrayErase(target: target, priorSize: UInt32(priorSize))))
  }

  func clear(_ cell: Cell, _ collection: CollectionKind, in readView: ReadView) throws {
    guard let target = try readView.target(cell, []) else { return }
    writer.append(.clear(Clear(target: target, collection: collection)))
  }

  // MARK: Dictionaries and sets

  func updateEntry(_ cell: Cell, _ key: String, _ value: StoredValue, in readView: ReadView) throws {
    try update(
      cell, path: [.name(key)], try readView.elementPayload(value, of: cell.field), in: readView)
    guard value.collectionKind != nil else { return }
    let old = try readView.map(cell).value(for: Array(key.utf8)) ?? .null
    try contents(of: value, replacing: old, at: [.name(key)], cell, in: readView)
  }

  func eraseEntry(_ cell: Cell, _ key: String, in readView: ReadView) throws {
    try update(cell, path: [.name(key)], .erased, in: readView)
  }

  func setInsert(_ cell: Cell, _ value: StoredValue, in readView: ReadView) throws {
    guard let target = try readView.target(cell, []) else { return }
    writer.append(.setInsert(SetInsert(target: target, payload: try readView.payload(value))))
  }

  func setErase(_ cell: Cell, _ value: StoredValue, in readView: ReadView) throws {
    guard let target = try readView.target(cell, []) else { return }
    writer.append(.setErase(SetErase(target: target, payload: try readView.payload(value))))
  }
}
