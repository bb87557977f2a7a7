extension RealmCollection {
  /// The present collection, followed by each of its changes: ``observe(keyPaths:on:_:)-([String]?,_,_)`` as a stream.
  ///
  ///     for await change in realm.objects(Dog.self).changes { … }
  ///
  /// The loop must run where the realm is confined to, such as its actor or the main actor.
  public var changes: AsyncStream<RealmCollectionChange<Self>> {
    stream { observe($0) }
  }

  /// The present collection, at first and after each change.
  public var collectionPublisher: RealmPublishers.Value<Self> {
    RealmPublishers.Value { self.throwingStream { $0.collection } }
  }

  /// The present collection, followed by each of its changes.
  public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> {
    RealmPublishers.CollectionChangeset { self.throwingStream { $0 } }
  }

  private func throwingStream<T>(
    _ value: @escaping (RealmCollectionChange<Self>) -> T?
  ) -> AsyncThrowingStream<T, any Error> {
    let (stream, continuation) = AsyncThrowingStream<T, any Error>.makeStream()
    let token = observe { change in
      if case .error(let error) = change { return continuation.finish(throwing: error) }
      guard let output = value(change) else { return }
      // nonisolated(unsafe): the loop runs where the handler does.
      nonisolated(unsafe) let value = output
      continuation.yield(value)
    }
    continuation.onTermination = { _ in token.invalidate() }
    return stream
  }
}

extension ThreadConfined where Self: ObjectBase {
  /// Each change of the object, up to its deletion. The loop must run where the realm is confined to; see
  /// ``RealmCollection/changes``.
  public var changes: AsyncStream<ObjectChange<Self>> {
    stream { (yield: @escaping (ObjectChange<Self>) -> Void) in observe(yield) }
  }
}

private func stream<T>(_ observe: (@escaping (T) -> Void) -> NotificationToken) -> AsyncStream<T> {
  let (stream, continuation) = AsyncStream<T>.makeStream()
  let token = observe { value in
    // nonisolated(unsafe): the loop runs where the handler does.
    nonisolated(unsafe) let value = value
    continuation.yield(value)
  }
  continuation.onTermination = { _ in token.invalidate() }
  return stream
}

extension RealmCollectionChange {
  /// The present collection; nil when it cannot be read.
  var collection: CollectionType? {
    switch self {
    case .initial(let collection), .update(let collection, _, _, _): collection
    case .error: nil
    }
  }
}

/// Async sequences under the names of RealmSwift's Combine publishers, which do not exist on Linux.
public enum RealmPublishers {
  /// Publishes a collection, at first and after each change.
  public struct Value<Collection> {
    let make: () -> AsyncThrowingStream<Collection, any Error>
    /// A new observation, which ends with its loop. It throws when the collection cannot be read.
    public var values: AsyncThrowingStream<Collection, any Error> { make() }
  }

  /// Publishes a collection, followed by its changes.
  public struct CollectionChangeset<Collection> {
    let make: () -> AsyncThrowingStream<RealmCollectionChange<Collection>, any Error>
    /// A new observation, which ends with its loop. It throws when the collection cannot be read.
    public var values: AsyncThrowingStream<RealmCollectionChange<Collection>, any Error> { make() }
  }
}

/// A model with a stable identity, for lists in user interfaces.
public protocol ObjectKeyIdentifiable: Identifiable {
  /// The identity: equal for all live objects of one row, unique for each unmanaged object.
  var id: UInt64 { get }
}

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// The row of a live object; the address of an unmanaged one.
  public var id: UInt64 {
    guard isManaged else { return UInt64(UInt(bitPattern: ObjectIdentifier(self).hashValue)) }
    return UInt64(bitPattern: state.pointee.row.rawValue)
  }
}
