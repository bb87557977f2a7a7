import ChangesetOT
import DataModel
import StorageEngine

/// The live collections nested in mixed values of a view, whose paths follow changes of the collections around them.
///
/// Changes through the view shift or detach them. Changes by other writers are not followed: an accessor whose path no
/// longer leads to a collection of its kind is invalid.
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

  /// Applies a change of positions in a list to the paths through it.
  ///
  /// - Parameter change: gives the new position of an element; nil when it was removed.
  func shift(in list: CollectionAccessor, _ change: (Int) -> Int?) {
    forEach(in: list) { accessor, depth in
      guard case .index(let index) = accessor.path[depth] else { return }
      guard let position = change(Int(index)) else { return accessor.isDetached = true }
      accessor.path[depth] = .index(UInt32(position))
    }
  }

  /// Detaches the collections nested under a key of a dictionary.
  func forget(_ key: String, in map: CollectionAccessor) {
    forEach(in: map) { accessor, depth in
      if case .name(key) = accessor.path[depth] { accessor.isDetached = true }
    }
  }

  /// Detaches the collections nested in a collection.
  func forgetAll(in collection: CollectionAccessor) {
    forEach(in: collection) { accessor, _ in accessor.isDetached = true }
  }

  /// Detaches the collections nested in a field that gets another value.
  func forgetAll(in access: ClassAccess, _ row: RowKey, _ number: Int) {
    guard !collections.isEmpty else { return }
    let transaction = access.view.birth
    for weak in collections[Key(table: access.layout.table, row: row, number: number)] ?? [] {
      guard let accessor = weak.accessor else { continue }
      save(accessor, transaction)
      accessor.isDetached = true
    }
  }

  /// Restores the paths from before a cancelled transaction.
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

  /// Calls `body` for every accessor nested in a collection, with the index of the step of its path that leaves the
  /// collection.
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
