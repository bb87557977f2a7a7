import ChangesetOT
import DataModel
import StorageEngine

/// The live collections inside mixed values that a view knows, so that they stay with what they show while the
/// collections around them change.
///
/// Edits through the view move or detach them. What others do to the lists around them is not followed: a path that
/// no longer leads to a collection of the kind makes a place invalid.
final class NestedCollections {
  private struct Key: Hashable {
    let table: TableID
    let row: RowKey
    let number: Int
  }
  private struct Weak {
    weak var accessor: CollectionAccessor?
  }
  private var collections: [Key: [Weak]] = [:]

  private func key(_ accessor: CollectionAccessor) -> Key {
    Key(table: accessor.layout.table, row: accessor.row, number: accessor.number)
  }

  func add(_ accessor: CollectionAccessor) {
    guard !accessor.view.isFrozen else { return }
    var known = collections[key(accessor)] ?? []
    if known.count > 16 { known.removeAll { $0.accessor == nil } }
    known.append(Weak(accessor: accessor))
    collections[key(accessor)] = known
  }

  /// Follows a change of positions in a list.
  ///
  /// - Parameter change: gives the new position of an old one; nil when the element is gone.
  func shift(in list: CollectionAccessor, _ change: (Int) -> Int?) {
    forEach(in: list) { accessor, depth in
      guard case .index(let index) = accessor.path[depth] else { return }
      guard let position = change(Int(index)) else { return accessor.isDetached = true }
      accessor.path[depth] = .index(UInt32(position))
    }
  }

  /// Detaches what lies under a key of a dictionary.
  func forget(_ key: String, in map: CollectionAccessor) {
    forEach(in: map) { accessor, depth in
      if case .name(key) = accessor.path[depth] { accessor.isDetached = true }
    }
  }

  /// Detaches everything inside a collection.
  func forgetAll(in collection: CollectionAccessor) {
    forEach(in: collection) { accessor, _ in accessor.isDetached = true }
  }

  /// Detaches everything in a field that gets another value.
  func forgetAll(in access: ClassAccess, _ row: RowKey, _ number: Int) {
    guard !collections.isEmpty else { return }
    let transaction = access.view.birth
    for weak in collections[Key(table: access.layout.table, row: row, number: number)] ?? [] {
      guard let accessor = weak.accessor else { continue }
      save(accessor, transaction)
      accessor.isDetached = true
    }
  }

  /// Takes back what a cancelled transaction did.
  func cancel(_ transaction: UInt64) {
    for known in collections.values {
      for case let accessor? in known.map(\.accessor) {
        guard let saved = accessor.saved, saved.transaction == transaction else { continue }
        accessor.path = saved.path
        accessor.isDetached = saved.isDetached
        accessor.saved = nil
      }
    }
  }

  private func save(_ accessor: CollectionAccessor, _ transaction: UInt64) {
    if accessor.saved?.transaction != transaction { accessor.saved = (transaction, accessor.path, accessor.isDetached) }
  }

  /// Calls `body` for every place inside a collection, with the step of its path that leads out of the collection.
  private func forEach(in collection: CollectionAccessor, _ body: (CollectionAccessor, Int) -> Void) {
    guard !collections.isEmpty else { return }
    let depth = collection.path.count
    let transaction = collection.view.birth
    for weak in collections[key(collection)] ?? [] {
      guard let accessor = weak.accessor, accessor !== collection, accessor.path.count > depth, !accessor.isDetached,
        accessor.path.starts(with: collection.path)
      else { continue }
      save(accessor, transaction)
      body(accessor, depth)
    }
  }
}
