import ChangesetOT
import DataModel
import StorageEngine

/// The live collections inside mixed values that a view knows, so that they stay with what they show while the
/// collections around them change.
///
/// Edits through the view move or detach them. What others do to the lists around them is not followed: a path that
/// no longer leads to a collection of the kind makes a place invalid.
final class NestedPlaces {
  private struct Key: Hashable {
    let table: TableID
    let row: RowKey
    let number: Int
  }
  private struct Weak {
    weak var place: CollectionPlace?
  }
  private var places: [Key: [Weak]] = [:]

  private func key(_ place: CollectionPlace) -> Key {
    Key(table: place.layout.table, row: place.row, number: place.number)
  }

  func add(_ place: CollectionPlace) {
    guard !place.view.isFrozen else { return }
    var known = places[key(place)] ?? []
    if known.count > 16 { known.removeAll { $0.place == nil } }
    known.append(Weak(place: place))
    places[key(place)] = known
  }

  /// Follows a change of positions in a list.
  ///
  /// - Parameter change: gives the new position of an old one; nil when the element is gone.
  func shift(in list: CollectionPlace, _ change: (Int) -> Int?) {
    forEach(in: list) { place, depth in
      guard case .index(let index) = place.path[depth] else { return }
      guard let position = change(Int(index)) else { return place.isDetached = true }
      place.path[depth] = .index(UInt32(position))
    }
  }

  /// Detaches what lies under a key of a dictionary.
  func forget(_ key: String, in map: CollectionPlace) {
    forEach(in: map) { place, depth in
      if case .name(key) = place.path[depth] { place.isDetached = true }
    }
  }

  /// Detaches everything inside a collection.
  func forgetAll(in collection: CollectionPlace) { forEach(in: collection) { place, _ in place.isDetached = true } }

  /// Detaches everything in a field that gets another value.
  func forgetAll(in access: ClassAccess, _ row: RowKey, _ number: Int) {
    guard !places.isEmpty else { return }
    let transaction = access.view.birth
    for weak in places[Key(table: access.layout.table, row: row, number: number)] ?? [] {
      guard let place = weak.place else { continue }
      save(place, transaction)
      place.isDetached = true
    }
  }

  /// Takes back what a cancelled transaction did.
  func cancel(_ transaction: UInt64) {
    for known in places.values {
      for case let place? in known.map(\.place) {
        guard let saved = place.saved, saved.transaction == transaction else { continue }
        place.path = saved.path
        place.isDetached = saved.isDetached
        place.saved = nil
      }
    }
  }

  private func save(_ place: CollectionPlace, _ transaction: UInt64) {
    if place.saved?.transaction != transaction { place.saved = (transaction, place.path, place.isDetached) }
  }

  /// Calls `body` for every place inside a collection, with the step of its path that leads out of the collection.
  private func forEach(in collection: CollectionPlace, _ body: (CollectionPlace, Int) -> Void) {
    guard !places.isEmpty else { return }
    let depth = collection.path.count
    let transaction = collection.view.birth
    for weak in places[key(collection)] ?? [] {
      guard let place = weak.place, place !== collection, place.path.count > depth, !place.isDetached,
        place.path.starts(with: collection.path)
      else { continue }
      save(place, transaction)
      body(place, depth)
    }
  }
}
