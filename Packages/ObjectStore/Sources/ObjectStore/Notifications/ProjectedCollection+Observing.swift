public import Dispatch

extension ProjectedCollection {
  /// Calls `block` with the collection as it is, and then whenever the property of some element changed, or elements
  /// came or went, as long as the token lives.
  ///
  /// - Parameter keyPaths: the properties of the elements whose change is told instead.
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
