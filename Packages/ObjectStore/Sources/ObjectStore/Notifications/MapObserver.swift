public import Dispatch
import DataModel
import StorageEngine
import RecordStore

/// The changes of a map since the last call of its handler: keys that were deleted, keys that were inserted, and keys
/// whose value or object was modified. Each list is ascending.
public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The first call, with the present map.
  case initial(Collection)
  /// A later call, with the present map and its changes.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])
  /// The last call: the realm cannot be opened on the observing queue or actor.
  case error(any Error)
}

extension Map {
  /// Calls `block` with the present map, and again after each change, until the token is released or invalidated.
  ///
  ///     let token = room.seats.observe { change in
  ///       if case .update(let seats, let deletions, let insertions, let modifications) = change { … }
  ///     }
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose change modifies a value; nil for all, those of linked objects included.
  ///   - queue: a serial queue to call `block` on, with a map of a realm of that queue; nil for the realm's own thread.
  /// - Returns: the registration.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    guard let accessor, let source = _source else { violated("This collection is not managed and cannot be observed.") }
    checkObservable(accessor.view)
    let watched = source.elementAccess.flatMap { WatchedProperties(keyPaths, of: $0.layout.name, accessor.view) }
    if let queue {
      return accessor.view.observe(on: queue, refused: { block(.error($0)) }) { view in
        accessor.moved(to: view).map { Self.observer($0, watched, block) }
      }
    }
    return accessor.view.notifier.observe(Self.observer(accessor, watched, block))
  }

  static func observer(
    _ accessor: CollectionAccessor, _ watched: WatchedProperties?, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> any ChangeObserver {
    let map = Map(accessor)
    let layout = map._source?.elementAccess?.layout
    return MapObserver(accessor, layout, watched: watched) { change in
      guard let change else { return block(.initial(map)) }
      func keys(_ texts: [String]) -> [Key] { texts.map { Key(_mapKey: $0) } }
      block(
        .update(
          map, deletions: keys(change.deletions), insertions: keys(change.insertions),
          modifications: keys(change.modifications)))
    }
  }
}

/// Observes a map: keeps the entries of the last report, and reports the difference to the present ones.
final class MapObserver: ChangeObserver {
  typealias Change = (deletions: [String], insertions: [String], modifications: [String])

  weak var token: NotificationToken?
  private(set) var isFinished = false
  private let accessor: CollectionAccessor
  private let element: ClassLayout?
  private let watched: WatchedProperties?
  private let report: (Change?) -> Void
  private var last: (snapshot: Snapshot, entries: [String: StoredValue])?

  /// - Parameter report: called first with nil.
  init(
    _ accessor: CollectionAccessor, _ element: ClassLayout?, watched: WatchedProperties?,
    _ report: @escaping (Change?) -> Void
  ) {
    self.accessor = accessor
    self.element = element
    self.watched = watched
    self.report = report
  }

  private var entries: [String: StoredValue] {
    guard accessor.isValid else { return [:] }
    return accessor.view.reading(or: [:]) {
      Dictionary(
        try accessor.entries(accessor.view.readView).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }
      )
    }
  }

  func skip(to snapshot: Snapshot) {
    if last != nil { last = (snapshot, entries) }
  }

  func deliver(_ snapshot: Snapshot, _ changes: SnapshotChanges) {
    let now = entries
    guard let last else {
      self.last = (snapshot, now)
      return report(nil)
    }
    guard last.snapshot.version != snapshot.version else { return }
    self.last = (snapshot, now)
    isFinished = !accessor.isValid
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
    report((change.deletions.sorted(), change.insertions.sorted(), change.modifications.sorted()))
  }
}
