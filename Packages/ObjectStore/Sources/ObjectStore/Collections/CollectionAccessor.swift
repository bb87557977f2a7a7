import ChangesetOT
import DataModel
import StorageEngine
import RecordStore

/// Where a live collection lies: in a field of a row, or inside the mixed value of one.
///
/// An implementation detail of collections.
public final class CollectionAccessor {
  let view: RealmView
  let access: ClassAccess
  let row: RowKey
  let number: Int
  /// What the collection is.
  let kind: CollectionKind
  /// The way from the field to a collection inside a mixed value.
  var path: [PathElement]
  /// Whether the collection was replaced or removed where it lay.
  var isDetached = false
  /// Path and state before the transaction that changed them last.
  var saved: (transaction: UInt64, path: [PathElement], isDetached: Bool)?
  private let generation: UInt64
  private let birth: UInt64
  /// The view's count of deletions when the object was last known to live.
  private let livedAt: UInt64
  /// Positions of the elements that are shown, when some are not: links whose object does not exist are hidden.
  private var shown: (version: UInt64, positions: [Int]?)?

  /// The collection that a field is.
  convenience init(_ access: ClassAccess, _ row: RowKey, _ number: Int, livedAt: UInt64? = nil) {
    self.init(access, row, number, access.fields[number].layout.collection, [], livedAt: livedAt)
  }

  /// - Parameters:
  ///   - kind: what lies there; ``CollectionKind/single`` is nothing of the kind.
  ///   - path: the way from the field.
  ///   - livedAt: the view's count of deletions when the object was last known to live; nil when it is known to live at present.
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

  /// Whether the collection lies inside a mixed value.
  var isNested: Bool { !path.isEmpty || field.collection == .single }

  /// The collection inside an element or entry.
  func child(_ step: _CollectionStep, _ kind: CollectionKind) -> CollectionAccessor {
    let element: PathElement
    switch step {
    case .index(let index): element = .index(UInt32(truncatingIfNeeded: index))
    case .key(let key): element = .name(key)
    case .itself: return self
    }
    return CollectionAccessor(access, row, number, kind, path + [element])
  }

  /// Whether the object lives, and still has the collection.
  var isValid: Bool {
    guard
      generation == view.detachedGeneration && !view.wasCancelled(row, layout.table, birth: birth)
        && view.has(row, layout.table)
    else { return false }
    return !isNested || (!isDetached && nestedValue(view.readView)?.collectionKind == kind)
  }

  func check() {
    view.checkConfinement()
    if isValid || view.isContradictory { return }
    // An object that is gone although nothing was deleted since it was met never was there.
    let isMissing =
      livedAt == view.state.pointee.deletions && generation == view.detachedGeneration && !isNested
      && !view.wasCancelled(row, layout.table, birth: birth)
    rule(isMissing, "The collection's object has been deleted or invalidated.")
    view.faults.note(Realm.Error.damage("An object that is linked to does not exist."))
  }

  func moved(to view: RealmView) -> CollectionAccessor? {
    let accessor = CollectionAccessor(access.moved(to: view), row, number, kind, path)
    accessor.isDetached = isDetached
    _ = view.reader
    return accessor.isValid || view.outcome != nil ? accessor : nil
  }

  /// Whether both are the same place of the same file.
  func isSame(as other: CollectionAccessor) -> Bool {
    view.file === other.view.file && row == other.row && layout.table == other.layout.table && number == other.number
      && path == other.path
  }

  // MARK: Reading

  /// What lies at the end of the path.
  func nestedValue(_ readView: ReadView) -> StoredValue? {
    view.reading(or: nil) { try readView.value(at: path, field, row, layout) }
  }

  private func nestedElements(_ readView: ReadView) -> [StoredValue] {
    guard case .list(let elements)? = nestedValue(readView) else { return [] }
    return elements
  }

  private func exists(in readView: ReadView) throws -> Bool {
    try readView.catalog[layout.table] != nil && readView.reader.contains(row, in: layout.table)
  }

  /// The elements that are shown in a read view; of a dictionary, its values.
  func visibleElements(_ readView: ReadView) throws -> [StoredValue] {
    guard try exists(in: readView), let layout = readView.catalog[layout.table] else { return [] }
    if kind == .dictionary { return try entries(readView).map(\.value) }
    if isNested { return nestedElements(readView) }
    let elements = try readView.elements(field, row, layout)
    guard readView.unresolvedCount > 0, field.isFixedLink else { return elements }
    return elements.filter { !$0.isUnresolvedLink }
  }

  /// The entries of a dictionary, keys ascending by their UTF-8.
  func entries(_ readView: ReadView) throws -> [(key: String, value: StoredValue)] {
    guard try exists(in: readView), let layout = readView.catalog[layout.table] else { return [] }
    guard isNested else {
      return try readView.entries(field, row, layout).map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
    }
    guard case .dictionary(let entries)? = nestedValue(readView) else { return [] }
    return entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, $0.value) }
  }

  /// The value of an entry; nil when there is none.
  func value(for key: String) -> StoredValue? {
    check()
    guard isNested else {
      return view.reading(or: nil) { try view.readView.map(field, row, layout).value(for: Array(key.utf8)) }
    }
    guard case .dictionary(let entries)? = nestedValue(view.readView) else { return nil }
    return entries[key]
  }

  /// Positions in the raw list of what is shown; nil when everything is.
  private var positions: [Int]? {
    guard kind == .list, field.isFixedLink, view.readView.unresolvedCount > 0 else { return nil }
    if let shown, shown.version == view.dataVersion { return shown.positions }
    let elements = view.reading(or: []) { try view.readView.list(field, row, layout).elements() }
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
      if kind == .list { return try readView.list(field, row, layout).count }
      if kind == .set, field.isFixedLink, readView.unresolvedCount > 0 { return try visibleElements(readView).count }
      return try readView.map(field, row, layout).count
    }
  }

  /// The place in the raw list of a shown position; `count` gives the end.
  func raw(_ position: Int) -> Int {
    guard let positions else { return position }
    return position < positions.count ? positions[position] : (positions.last.map { $0 + 1 } ?? 0)
  }

  /// The raw end, where appended elements go.
  var rawCount: Int {
    isNested
      ? nestedElements(view.readView).count : view.reading(or: 0) { try view.readView.list(field, row, layout).count }
  }

  /// An element of a list.
  func element(_ position: Int) -> StoredValue {
    if isNested {
      check()
      let elements = nestedElements(view.readView)
      return view.has(position, of: elements.count) ? elements[position] : .null
    }
    guard view.has(position, of: count) else { return .null }
    return view.reading(or: .null) { try view.readView.list(field, row, layout).element(at: raw(position)) }
  }
}

/// The way from a collection to one of its elements or entries.
public enum _CollectionStep {
  case index(Int)
  case key(String)
  /// None: the collection that a mixed value is.
  case itself
}

extension StoredValue {
  var isUnresolvedLink: Bool {
    if case .link(_, let row) = self { return row.isUnresolved }
    return false
  }
}
