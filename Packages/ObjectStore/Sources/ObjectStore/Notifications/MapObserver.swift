public import Dispatch
import DataModel
import StorageEngine

/// What happened to a map since its observer heard of it last: keys that went, keys that came, keys that have another
/// value or whose object changed.
public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The first call: the map as it is.
  case initial(Collection)
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])
  /// The realm could not be opened where the map was to be observed; the last call.
  case error(any Error)
}

extension Map {
  /// Calls `block` with the map as it is, and then whenever it changed, as long as the token lives.
  ///
  ///     let token = room.seats.observe { change in
  ///       if case .update(let seats, let deletions, let insertions, let modifications) = change { … }
  ///     }
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose change makes a value modified; nil for all, objects linked to included.
  ///   - queue: a serial queue to be called on instead, with the map of a realm of that queue.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    guard let place, let source = _source else { violated("This collection is not managed and cannot be observed.") }
    checkObservable(place.view)
    let watched = source.elementAccess.flatMap { WatchedProperties(keyPaths, of: $0.layout.name, place.view) }
    if let queue {
      return place.view.observe(on: queue, refused: { block(.error($0)) }) { view in
        place.moved(to: view).map { Self.observer($0, watched, block) }
      }
    }
    return place.view.notifier.observe(Self.observer(place, watched, block))
  }

  static func observer(
    _ place: CollectionPlace, _ watched: WatchedProperties?, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> any ChangeObserver {
    let map = Map(place)
    let layout = map._source?.elementAccess?.layout
    return MapObserver(place, layout, watched: watched) { change in
      guard let change else { return block(.initial(map)) }
      func keys(_ texts: [String]) -> [Key] { texts.map { Key(_mapKey: $0) } }
      block(
        .update(
          map, deletions: keys(change.deletions), insertions: keys(change.insertions),
          modifications: keys(change.modifications)))
    }
  }
}

/// Watches a map: keeps the entries that its handler heard of last.
final class MapObserver: ChangeObserver {
  typealias Change = (deletions: [String], insertions: [String], modifications: [String])

  weak var token: NotificationToken?
  private(set) var isOver = false
  private let place: CollectionPlace
  private let element: ClassLayout?
  private let watched: WatchedProperties?
  private let tell: (Change?) -> Void
  private var last: (snapshot: Snapshot, entries: [String: StoredValue])?

  /// - Parameter tell: called with nil first.
  init(
    _ place: CollectionPlace, _ element: ClassLayout?, watched: WatchedProperties?, _ tell: @escaping (Change?) -> Void
  ) {
    self.place = place
    self.element = element
    self.watched = watched
    self.tell = tell
  }

  private var entries: [String: StoredValue] {
    guard place.isValid else { return [:] }
    return place.view.reading(or: [:]) {
      Dictionary(
        try place.entries(place.view.frame).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
  }

  func skip(to snapshot: Snapshot) {
    if last != nil { last = (snapshot, entries) }
  }

  func deliver(_ snapshot: Snapshot, _ changes: SnapshotChanges) {
    let now = entries
    guard let last else {
      self.last = (snapshot, now)
      return tell(nil)
    }
    guard last.snapshot.version != snapshot.version else { return }
    self.last = (snapshot, now)
    isOver = !place.isValid
    let modified = element.map { changes.modifiedRows(of: $0, since: last.snapshot, watched: watched) } ?? []
    var change: Change = ([], [], [])
    for (key, old) in last.entries {
      guard let new = now[key] else {
        change.deletions.append(key)
        continue
      }
      if case .link(_, let row) = new, modified.contains(row) {
        change.modifications.append(key)
      } else if new != old {
        change.modifications.append(key)
      }
    }
    change.insertions = now.keys.filter { last.entries[$0] == nil }
    guard !change.deletions.isEmpty || !change.insertions.isEmpty || !change.modifications.isEmpty else { return }
    tell((change.deletions.sorted(), change.insertions.sorted(), change.modifications.sorted()))
  }
}
