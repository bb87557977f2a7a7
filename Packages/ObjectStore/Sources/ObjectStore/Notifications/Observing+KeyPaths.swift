public import Dispatch

extension RealmCollection where Element: KeypathSortable {
  /// ``RealmCollection/observe(keyPaths:on:_:)-([String]?,_,_)`` with key paths of the model.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { KeyPathTracer.name($0) }, on: queue, block)
  }

  /// ``RealmCollection/observe(keyPaths:on:_isolation:_:)`` with key paths of the model.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { KeyPathTracer.name($0) }, on: actor, block)
  }
}

extension ObjectBase {
  /// ``observe(keyPaths:on:_:)-([String]?,_,_)`` with key paths of the model.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { KeyPathTracer.name($0) }, on: queue, block)
  }

  /// ``observe(keyPaths:on:_isolation:_:)-([String]?,_,_,_)`` with key paths of the model.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { KeyPathTracer.name($0) }, on: actor, block)
  }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// ``observe(keyPaths:on:_:)-([String]?,_,_)`` with key paths of the objects' class.
  public func observe(
    keyPaths: [PartialKeyPath<Value.Wrapped>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { KeyPathTracer.name($0) }, on: queue, block)
  }

  /// ``observe(keyPaths:on:_isolation:_:)-([String]?,_,_,_)`` with key paths of the objects' class.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Value.Wrapped>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { KeyPathTracer.name($0) }, on: actor, block)
  }
}
