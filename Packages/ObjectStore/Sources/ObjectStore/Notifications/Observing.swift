public import Dispatch
import DataModel
import Foundation
import StorageEngine

extension Realm {
  /// Calls `block` whenever the realm moved to a new version, as long as the token lives.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    view.checkConfinement()
    rule(!view.isFrozen, "Frozen Realms do not change and do not have change notifications.")
    return view.notifier.observe(block)
  }
}

extension RealmCollection {
  /// Calls `block` with the collection as it is, and then whenever it changed, as long as the token lives.
  ///
  ///     let token = dogs.observe { change in
  ///       if case .update(let dogs, let deletions, let insertions, let modifications) = change { … }
  ///     }
  ///
  /// Calls come on the thread of the realm: from the main queue on the main thread, from its run loop on any other; a
  /// program without either calls ``Realm/refresh()``.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose change makes an element modified; nil for all, objects linked to included.
  ///   - queue: a serial queue to be called on instead, with the collection of a realm of that queue.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    let source = managedSource("observed")
    checkObservable(source.view)
    let watched = source.elementAccess.flatMap { WatchedProperties(keyPaths, of: $0.layout.name, source.view) }
    if let queue {
      return source.view.observe(on: queue, refused: { block(.error($0)) }) { view in
        source.moved(to: view).map { Self.observer($0, watched, block) }
      }
    }
    return source.view.notifier.observe(Self.observer(source, watched, block))
  }

  static func observer(
    _ source: ResultsSource, _ watched: WatchedProperties?, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> any ChangeObserver {
    let collection = _moved(source)
    return CollectionObserver(source, watched: watched, fail: { block(.error($0)) }) {
      isInitial, deletions, insertions, modifications in
      block(
        isInitial
          ? .initial(collection)
          : .update(collection, deletions: deletions, insertions: insertions, modifications: modifications))
    }
  }
}

extension ObjectBase {
  /// Calls `block` whenever properties of the object changed, and when it was deleted, as long as the token lives.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that matter; nil for all.
  ///   - queue: a serial queue to be called on instead, with the object of a realm of that queue.
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    let (view, make) = observation(keyPaths: keyPaths, block)
    if let queue { return view.observe(on: queue, refused: { block(.error($0 as NSError)) }, make) }
    return view.notifier.observe(make(view))
  }

  /// What makes an observer of the object in a view, telling what happened since now.
  func observation<T: ObjectBase>(
    keyPaths: [String]?, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> (RealmView, (RealmView) -> any ChangeObserver) {
    guard let access = state.pointee.access?.takeUnretainedValue() else {
      violated("Only objects which are managed by a Realm support change notifications.")
    }
    let view = access.view
    checkObservable(view)
    rule(!isInvalidated, "Object has been deleted or invalidated.")
    let watched = WatchedProperties(keyPaths, of: access.layout.name, view)
    let row = state.pointee.row
    _ = view.reader
    let snapshot = view.snapshot
    return (
      view,
      { view in
        let own = access.moved(to: view)
        let object = own.live(row)
        return ObjectObserver(own, row, watched: watched, since: snapshot) { changes in
          guard let changes else { return block(.deleted) }
          if let object = object as? T { block(.change(object, changes)) }
        }
      }
    )
  }
}

func checkObservable(_ view: RealmView) {
  view.checkConfinement()
  rule(!view.isFrozen, "Frozen Realms do not change and do not have change notifications.")
  rule(view.session == nil, "Cannot register notification blocks from within write transactions.")
}

extension RealmView {
  /// Registers an observer with the view of a queue.
  ///
  /// - Parameter refused: called on the queue when the realm cannot be opened there.
  func observe(
    on queue: DispatchQueue, refused: @escaping (any Error) -> Void,
    _ make: @escaping (RealmView) -> (any ChangeObserver)?
  ) -> NotificationToken {
    let token = NotificationToken()
    let work = QueueObservation(
      configuration: configuration, make: make, refused: refused, token: token, pin: file)
    queue.async {
      guard let token = work.token, token.isValid else { return }
      do {
        let view = try RealmView.open(work.configuration, queue === DispatchQueue.main ? .main : .queue(queue))
        if let observer = work.make(view) { view.notifier.register(observer, token) }
      } catch { work.refused(error) }
    }
    return token
  }
}

private struct QueueObservation: @unchecked Sendable {
  // @unchecked: handed from the observing thread to the queue, which alone uses it.
  let configuration: Realm.Configuration
  let make: (RealmView) -> (any ChangeObserver)?
  let refused: (any Error) -> Void
  weak let token: NotificationToken?
  let pin: RealmFile
}
