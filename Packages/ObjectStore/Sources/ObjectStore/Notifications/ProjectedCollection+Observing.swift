public import Dispatch
import RecordStore

extension ProjectedCollection {
  /// Calls `block` with the present collection, and again after each change of the projected property or of the
  /// elements, until the token is released or invalidated.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties of the elements whose change is reported; nil for the projected one.
  ///   - queue: a serial queue to call `block` on, with a collection of a realm of that queue; nil for the realm's own
  ///     thread.
  /// - Returns: the registration.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
  ) -> NotificationToken {
    guard let source else { violated("This collection is not managed and cannot be observed.") }
    checkObservable(source.view)
    let name = KeyPathTracer.name(elementPath)
    let watched = source.elementAccess.flatMap {
      WatchedProperties(keyPaths ?? (name.isEmpty ? nil : [name]), of: $0.layout.name, source.view)
    }
    func observer(_ collection: ProjectedCollection) -> (any ChangeObserver)? {
      collection.source.map { source in
        CollectionObserver(source, watched: watched, fail: { block(.error($0)) }) {
          isInitial, deletions, insertions, modifications in
          block(
            isInitial
              ? .initial(collection)
              : .update(collection, deletions: deletions, insertions: insertions, modifications: modifications))
        }
      }
    }
    if let queue {
      return source.view.observe(on: queue, refused: { block(.error($0)) }) { moved(to: $0).flatMap { observer($0) } }
    }
    guard let observer = observer(self) else { violated("This collection is not managed and cannot be observed.") }
    return source.view.notifier.observe(observer)
  }
}
