import Foundation
import RecordStore

extension RealmCollection {
  /// Calls `block` on an actor with the present collection, and again after each change, until the token is released or
  /// invalidated.
  ///
  /// The collection belongs to a realm of that actor. A task that is cancelled gets an invalid token.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose change modifies an element; nil for all, those of linked objects included.
  ///   - actor: the actor to call `block` on.
  /// - Returns: the registration.
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
  /// Calls `block` on an actor with the present map, and again after each change, until the token is released or
  /// invalidated.
  ///
  /// The map belongs to a realm of that actor. A task that is cancelled gets an invalid token.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose change modifies a value; nil for all, those of linked objects included.
  ///   - actor: the actor to call `block` on.
  /// - Returns: the registration.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    guard let accessor, let source = _source else { violated("This collection is not managed and cannot be observed.") }
    checkObservable(accessor.view)
    let watched = source.elementAccess.flatMap { WatchedProperties(keyPaths, of: $0.layout.name, accessor.view) }
    let work = ActorObservation(accessor.view, refused: { handle(.error($0), on: actor, block) }) { view in
      accessor.moved(to: view).map { Self.observer($0, watched) { handle($0, on: actor, block) } }
    }
    await work.register(on: actor)
    return work.token
  }
}

extension ObjectBase {
  /// Calls `block` on an actor after each change of the object's properties, and when the object was deleted, until the
  /// token is released or invalidated.
  ///
  /// The object belongs to a realm of that actor. A task that is cancelled gets an invalid token.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that are reported; nil for all.
  ///   - actor: the actor to call `block` on.
  /// - Returns: the registration.
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

/// Calls a handler that is isolated to an actor.
///
/// - Precondition: the caller runs on that actor.
private func handle<A: Actor, Change>(
  _ change: Change, on actor: A, _ block: @Sendable (isolated A, Change) -> Void
) {
  // nonisolated(unsafe): made on this actor, by the view that is confined to it.
  nonisolated(unsafe) let change = change
  actor.assumeIsolated { block($0, change) }
}

/// The registration of an observer with the view of an actor.
private final class ActorObservation: @unchecked Sendable {
  // @unchecked: made by the observing code and handed to the actor, which alone uses it from then on.
  private let configuration: Realm.Configuration
  private let make: (RealmView) -> (any ChangeObserver)?
  private let refused: (any Error) -> Void
  /// Keeps the file open until the observer is registered.
  private let file: RealmFile
  let token = NotificationToken()

  init(
    _ view: RealmView, refused: @escaping (any Error) -> Void,
    _ make: @escaping (RealmView) -> (any ChangeObserver)?
  ) {
    self.refused = refused
    configuration = view.configuration
    self.make = make
    file = view.file
  }

  /// Begins to observe. In a cancelled task the token becomes invalid instead.
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
