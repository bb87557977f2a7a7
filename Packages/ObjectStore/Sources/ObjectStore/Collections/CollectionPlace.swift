import DataModel
import StorageEngine

/// The field of a row that holds a live list or set.
final class CollectionPlace {
  let view: RealmView
  let access: ClassAccess
  let row: RowKey
  let number: Int
  private let generation: UInt64
  private let birth: UInt64
  /// Positions of the elements that are shown, when some are not: links whose object does not exist are hidden.
  private var shown: (version: UInt64, positions: [Int]?)?

  init(_ access: ClassAccess, _ row: RowKey, _ number: Int) {
    view = access.view
    self.access = access
    self.row = row
    self.number = number
    generation = access.view.detachedGeneration
    birth = access.view.birth
  }

  var field: FieldLayout { access.fields[number].layout }
  var layout: ClassLayout { access.layout }

  /// Whether the object lives.
  var isValid: Bool {
    generation == view.detachedGeneration && !view.wasCancelled(row, layout.table, birth: birth)
      && storageMustWork { try view.readerIfAny?.contains(row, in: layout.table) ?? false }
  }

  func check() {
    view.checkConfinement()
    rule(isValid, "The collection's object has been deleted or invalidated.")
  }

  func moved(to view: RealmView) -> CollectionPlace? {
    let place = CollectionPlace(view.access(access.binding.type), row, number)
    _ = view.reader
    return place.isValid ? place : nil
  }

  // MARK: Reading

  /// The elements that are shown in a frame.
  func visibleElements(_ frame: Frame) throws -> [StoredValue] {
    guard let layout = frame.catalog[layout.table], try frame.reader.contains(row, in: layout.table) else { return [] }
    let elements = try frame.elements(field, row, layout)
    guard frame.unresolvedCount > 0, field.isFixedLink else { return elements }
    return elements.filter { !$0.isUnresolvedLink }
  }

  /// Positions in the raw list of what is shown; nil when everything is.
  private var positions: [Int]? {
    guard field.isFixedLink, view.frame.unresolvedCount > 0 else { return nil }
    if let shown, shown.version == view.dataVersion { return shown.positions }
    let elements = storageMustWork { try view.frame.list(field, row, layout).elements() }
    let visible = elements.indices.filter { !elements[$0].isUnresolvedLink }
    let positions = visible.count == elements.count ? nil : visible
    shown = (view.dataVersion, positions)
    return positions
  }

  var count: Int {
    check()
    return positions?.count
      ?? storageMustWork {
        field.collection == .list
          ? try view.frame.list(field, row, layout).count : try view.frame.map(field, row, layout).count
      }
  }

  /// The place in the raw list of a shown position; `count` gives the end.
  func raw(_ position: Int) -> Int {
    guard let positions else { return position }
    return position < positions.count ? positions[position] : (positions.last.map { $0 + 1 } ?? 0)
  }

  /// The raw end, where appended elements go.
  var rawCount: Int { storageMustWork { try view.frame.list(field, row, layout).count } }

  func element(_ position: Int) -> StoredValue {
    let count = self.count
    rule(position >= 0 && position < count, "Index \(position) is out of bounds (must be less than \(count)).")
    return storageMustWork { try view.frame.list(field, row, layout).element(at: raw(position)) }
  }

  // MARK: Writing

  func prepareForWriting() {
    check()
    rule(view.session != nil, "Cannot modify managed collections outside of a write transaction.")
  }

  func modify(_ body: (StoreWriter) throws -> Void) { view.modify(body) }

  /// Whether elements are embedded objects.
  var holdsEmbedded: Bool {
    field.isFixedLink && view.catalog[field.target ?? ""]?.kind == .embedded
  }
}

extension StoredValue {
  var isUnresolvedLink: Bool {
    if case .link(_, let row) = self { return row.isUnresolved }
    return false
  }
}
