public import Dispatch
import DataModel
import Foundation
import StorageEngine
import RecordStore

extension Realm {
  /// Calls `block` each time the realm moves to a new version, until the token is released or invalidated. The realm's
  /// own commits are reported within the call that commits.
  ///
  /// - Returns: the registration.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    view.checkConfinement()
    rule(!view.isFrozen, "Frozen Realms do not change and do not have change notifications.")
    return view.notifier.observe(block)
  }
}

extension RealmCollection {
  /// Calls `block` with the present collection, and again after each change, until the token is released or
  /// invalidated.
  ///
  ///     let token = dogs.observe { change in
  ///       if case .update(let dogs, let deletions, let insertions, let modifications) = change { … }
  ///     }
  ///
  /// Calls come where the realm is confined to: from the main queue on the main thread, from the run loop on any other
  /// thread. A thread without a run loop calls ``Realm/refresh()``. Several commits may be reported in one call. An
  /// unmanaged collection, a frozen one, and a write transaction stop the program.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose change modifies an element; nil for all, those of linked objects included.
  ///   - queue: a serial queue to call `block` on, with a collection of a realm of that queue; nil for the realm's own
  ///     thread.
  /// - Returns: the registration.
  /// - Complexity: for each report O(*n* log *n*) in the elements, and O(*m*) in the changed objects and the links to
  ///   them.
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
  /// Calls `block` after each change of the object's properties, and when the object was deleted, until the token is
  /// released or invalidated. An unmanaged object and a write transaction stop the program.
  ///
  ///     let token = dog.observe { (change: ObjectChange<Dog>) in
  ///       if case .change(let dog, let properties) = change { print(dog.name, properties.map(\.name)) }
  ///     }
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that are reported; nil for all.
  ///   - queue: a serial queue to call `block` on, with the object of a realm of that queue; nil for the realm's own
  ///     thread.
  /// - Returns: the registration.
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    let (view, make) = observation(keyPaths: keyPaths, block)
    if let queue { return view.observe(on: queue, refused: { block(.error($0 as NSError)) }, make) }
    return view.notifier.observe(make(view))
  }

  /// The view of the object, and a factory that makes an observer of it in any view of its file. The observer reports
  /// changes since this call.
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

/// Stops the program where a view cannot be observed: when it is frozen, or within a write transaction.
func checkObservable(_ view: RealmView) {
  view.checkConfinement()
  rule(!view.isFrozen, "Frozen Realms do not change and do not have change notifications.")
  rule(view.session == nil, "Cannot register notification blocks from within write transactions.")
}

extension RealmView {
  /// Registers an observer with the view of a queue, asynchronously.
  ///
  /// - Parameters:
  ///   - refused: called on the queue when the realm cannot be opened there.
  ///   - make: makes the observer in that view; nil when the observed value does not exist there.
  func observe(
    on queue: DispatchQueue, refused: @escaping (any Error) -> Void,
    _ make: @escaping (RealmView) -> (any ChangeObserver)?
  ) -> NotificationToken {
    let token = NotificationToken()
    let work = QueueObservation(
      configuration: configuration, make: make, refused: refused, token: token, file: file)
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
  // @unchecked: made by the observing thread and handed to the queue, which alone uses it from then on.
  let configuration: Realm.Configuration
  let make: (RealmView) -> (any ChangeObserver)?
  let refused: (any Error) -> Void
  weak let token: NotificationToken?
  /// Keeps the file open until the observer is registered.
  let file: RealmFile
}
