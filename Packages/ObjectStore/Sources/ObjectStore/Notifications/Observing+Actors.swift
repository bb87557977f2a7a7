import Foundation

extension RealmCollection {
  /// Calls `block` on an actor with the collection as it is, and then whenever it changed, as long as the token lives.
  ///
  /// The collection is one of a realm of that actor.
  ///
  /// - Parameter keyPaths: the properties whose change makes an element modified; nil for all, objects linked to
  ///   included.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    let source = managedSource("observed")
    checkObservable(source.view)
    let watched = source.elementAccess.flatMap { WatchedProperties(keyPaths, of: $0.layout.name, source.view) }
    let work = ActorObservation(source.view, refused: { handle(.error($0), on: actor, block) }) { view in
      source.moved(to: view).map { Self.observer($0, watched) { handle($0, on: actor, block) } }
    }
    await work.register(on: actor)
    return work.token
  }
}

extension Map {
  /// Calls `block` on an actor with the map as it is, and then whenever it changed, as long as the token lives.
  ///
  /// The map is one of a realm of that actor.
  ///
  /// - Parameter keyPaths: the properties whose change makes a value modified; nil for all, objects linked to included.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    guard let place, let source = _source else { violated("This collection is not managed and cannot be observed.") }
    checkObservable(place.view)
    let watched = source.elementAccess.flatMap { WatchedProperties(keyPaths, of: $0.layout.name, place.view) }
    let work = ActorObservation(place.view, refused: { handle(.error($0), on: actor, block) }) { view in
      place.moved(to: view).map { Self.observer($0, watched) { handle($0, on: actor, block) } }
    }
    await work.register(on: actor)
    return work.token
  }
}

extension ObjectBase {
  /// Calls `block` on an actor whenever properties of the object changed, and when it was deleted, as long as the token
  /// lives.
  ///
  /// The object is one of a realm of that actor.
  ///
  /// - Parameter keyPaths: the properties that matter; nil for all.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    let (view, make) = observation(keyPaths: keyPaths) { handle($0, on: actor, block) }
    let work = ActorObservation(view, refused: { handle(.error($0 as NSError), on: actor, block) }, make)
    await work.register(on: actor)
    return work.token
  }
}

/// Calls a handler on an actor, where this runs already.
private func handle<A: Actor, Change>(
  _ change: Change, on actor: A, _ block: @Sendable (isolated A, Change) -> Void
) {
  // nonisolated(unsafe): made on this actor, by the view that is confined to it.
  nonisolated(unsafe) let change = change
  actor.assumeIsolated { block($0, change) }
}

/// An observer on its way to the view of an actor.
private final class ActorObservation: @unchecked Sendable {
  // @unchecked: handed from where it is made to the actor, which alone uses it.
  private let configuration: Realm.Configuration
  private let make: (RealmView) -> (any ChangeObserver)?
  private let refused: (any Error) -> Void
  private let pin: RealmFile
  let token = NotificationToken()

  init(
    _ view: RealmView, refused: @escaping (any Error) -> Void,
    _ make: @escaping (RealmView) -> (any ChangeObserver)?
  ) {
    self.refused = refused
    configuration = view.configuration
    self.make = make
    pin = view.file
  }

  /// Begins to observe; not in a task that is cancelled, whose token is invalid.
  func register<A: Actor>(on actor: isolated A) {
    if Task.isCancelled {
      token.invalidate()
      return
    }
    do {
      let view = try RealmView.open(configuration, Confinement(actor))
      if let observer = make(view) { view.notifier.register(observer, token) }
    } catch { refused(error) }
  }
}
