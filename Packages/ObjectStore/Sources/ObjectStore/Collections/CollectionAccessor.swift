import ChangesetOT
import DataModel
import StorageEngine
import RecordStore

/// Reads and writes a live collection: a field of a row, or a collection nested in a mixed value.
///
/// Public for protocols of collections only. Used where the view is confined to.
public final class CollectionAccessor {
  let view: RealmView
  let access: ClassAccess
  let row: RowKey
  let number: Int
  /// List, set or dictionary.
  let kind: CollectionKind
  /// The path from the field to a collection nested in a mixed value; empty for the field itself.
  var path: [PathElement]
  /// Whether a nested collection was replaced or removed.
  var isDetached = false
  /// Path and state before the transaction that last changed them, for its cancellation.
  var saved: (transaction: UInt64, path: [PathElement], isDetached: Bool)?
  private let generation: UInt64
  private let birth: UInt64
  /// The view's count of deletions when the object was last seen alive.
  private let livedAt: UInt64
  /// The raw positions of the visible elements; nil when all are visible. Unresolved links are hidden.
  private var shown: (version: UInt64, positions: [Int]?)?

  /// The collection of a field.
  convenience init(_ access: ClassAccess, _ row: RowKey, _ number: Int, livedAt: UInt64? = nil) {
    self.init(access, row, number, access.fields[number].layout.collection, [], livedAt: livedAt)
  }

  /// - Parameters:
  ///   - kind: list, set or dictionary.
  ///   - path: the path from the field.
  ///   - livedAt: the view's count of deletions when the object was last seen alive; nil for the present count.
  init(
    _ access: ClassAccess, _ row: RowKey, _ number: Int, _ kind: CollectionKind, _ path: [PathElement],
    livedAt: UInt64? = nil
  ) {
    view = access.view
    self.access = access
    self.row = row
    self.number = number
    self.kind = kind
    self.path = path
    generation = access.view.detachedGeneration
    birth = access.view.birth
    self.livedAt = livedAt ?? access.view.state.pointee.deletions
    if isNested { view.nestedCollections.add(self) }
  }

  @usableFromInline var _view: RealmView { view }
  var field: FieldLayout { access.fields[number].layout }
  var layout: ClassLayout { access.layout }
  var cell: Cell { Cell(layout, row, field) }

  /// Whether the collection is nested in a mixed value.
  var isNested: Bool { !path.isEmpty || field.collection == .single }

  /// The collection nested in an element or entry.
  func child(_ step: _CollectionStep, _ kind: CollectionKind) -> CollectionAccessor {
    let element: PathElement
    switch step {
    case .index(let index): element = .index(UInt32(truncatingIfNeeded: index))
    case .key(let key): element = .name(key)
    case .itself: return self
    }
    return CollectionAccessor(access, row, number, kind, path + [element])
  }

  /// Whether the object lives, and a nested collection is still where the path leads.
  var isValid: Bool {
    guard
      generation == view.detachedGeneration && !view.wasCancelled(row, layout.table, birth: birth)
        && view.has(row, layout.table)
    else { return false }
    return !isNested || (!isDetached && nestedValue(view.readView)?.collectionKind == kind)
  }

  /// Stops the program for a wrong thread and a deleted object. Damage is noted instead.
  func check() {
    view.checkConfinement()
    if isValid || view.isContradictory { return }
    // A row that is missing although nothing was deleted since it was seen alive is damage.
    let isMissing =
      livedAt == view.state.pointee.deletions && generation == view.detachedGeneration && !isNested
      && !view.wasCancelled(row, layout.table, birth: birth)
    rule(isMissing, "The collection's object has been deleted or invalidated.")
    view.faults.note(Realm.Error.damage("An object that is linked to does not exist."))
  }

  /// The same collection in another view; nil when its object does not live there.
  func moved(to view: RealmView) -> CollectionAccessor? {
    let accessor = CollectionAccessor(access.moved(to: view), row, number, kind, path)
    accessor.isDetached = isDetached
    _ = view.reader
    return accessor.isValid || view.outcome != nil ? accessor : nil
  }

  /// Whether both are the same collection of the same file.
  func isSame(as other: CollectionAccessor) -> Bool {
    view.file === other.view.file && row == other.row && layout.table == other.layout.table && number == other.number
      && path == other.path
  }

  // MARK: Reading

  /// The value at the end of the path; nil when the path does not lead to one.
  func nestedValue(_ readView: ReadView) -> StoredValue? {
    view.reading(or: nil) { try readView.value(at: path, cell) }
  }

  private func nestedElements(_ readView: ReadView) -> [StoredValue] {
    guard case .list(let elements)? = nestedValue(readView) else { return [] }
    return elements
  }

  private func exists(in readView: ReadView) throws -> Bool {
    try readView.catalog[layout.table] != nil && readView.reader.contains(row, in: layout.table)
  }

  /// The visible elements at a version; of a dictionary, its values. O(*n*).
  func visibleElements(_ readView: ReadView) throws -> [StoredValue] {
    guard try exists(in: readView), let layout = readView.catalog[layout.table] else { return [] }
    if kind == .dictionary { return try entries(readView).map(\.value) }
    if isNested { return nestedElements(readView) }
    let elements = try readView.elements(Cell(layout, row, field))
    guard readView.unresolvedCount > 0, field.isFixedLink else { return elements }
    return elements.filter { !$0.isUnresolvedLink }
  }

  /// The entries of a dictionary at a version, with keys in ascending order of their UTF-8. O(*n*).
  func entries(_ readView: ReadView) throws -> [(key: String, value: StoredValue)] {
    guard try exists(in: readView), let layout = readView.catalog[layout.table] else { return [] }
    guard isNested else {
      return try readView.entries(Cell(layout, row, field)).map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
    }
    guard case .dictionary(let entries)? = nestedValue(readView) else { return [] }
    return entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, $0.value) }
  }

  /// The value of an entry; nil when there is none.
  func value(for key: String) -> StoredValue? {
    check()
    guard isNested else {
      return view.reading(or: nil) { try view.readView.map(cell).value(for: Array(key.utf8)) }
    }
    guard case .dictionary(let entries)? = nestedValue(view.readView) else { return nil }
    return entries[key]
  }

  /// The raw positions of a list's visible elements; nil when all are visible.
  private var positions: [Int]? {
    guard kind == .list, field.isFixedLink, view.readView.unresolvedCount > 0 else { return nil }
    if let shown, shown.version == view.dataVersion { return shown.positions }
    let elements = view.reading(or: []) { try view.readView.list(cell).elements() }
    let visible = elements.indices.filter { !elements[$0].isUnresolvedLink }
    let positions = visible.count == elements.count ? nil : visible
    shown = (view.dataVersion, positions)
    return positions
  }

  var count: Int {
    check()
    if let positions { return positions.count }
    let readView = view.readView
    return view.reading(or: 0) {
      if isNested { return kind == .list ? nestedElements(readView).count : try entries(readView).count }
      if kind == .list { return try readView.list(cell).count }
      if kind == .set, field.isFixedLink, readView.unresolvedCount > 0 { return try visibleElements(readView).count }
      return try readView.map(cell).count
    }
  }

  /// The raw position of a visible one; `count` gives the end.
  func raw(_ position: Int) -> Int {
    guard let positions else { return position }
    return position < positions.count ? positions[position] : (positions.last.map { $0 + 1 } ?? 0)
  }

  /// The number of raw elements, at which appended elements are inserted.
  var rawCount: Int {
    isNested
      ? nestedElements(view.readView).count : view.reading(or: 0) { try view.readView.list(cell).count }
  }

  /// A visible element of a list.
  func element(_ position: Int) -> StoredValue {
    if isNested {
      check()
      let elements = nestedElements(view.readView)
      return view.has(position, of: elements.count) ? elements[position] : .null
    }
    guard view.has(position, of: count) else { return .null }
    return view.reading(or: .null) { try view.readView.list(cell).element(at: raw(position)) }
  }
}

/// The step from a collection to an element or entry.
public enum _CollectionStep {
  /// To an element of a list, by its position.
  case index(Int)
  /// To an entry of a dictionary, by its key.
  case key(String)
  /// No step: the mixed value is the collection.
  case itself
}

extension StoredValue {
  var isUnresolvedLink: Bool {
    if case .link(_, let row) = self { return row.isUnresolved }
    return false
  }
}
