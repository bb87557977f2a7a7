extension RealmCollection {
  /// The collection as it is, and then each of its changes: ``observe(keyPaths:on:_:)-([String]?,_,_)`` for loops.
  ///
  ///     for await change in realm.objects(Dog.self).changes { … }
  ///
  /// For realms of an actor (the main actor included): what the loop receives belongs to that realm.
  public var changes: AsyncStream<RealmCollectionChange<Self>> {
    stream { observe($0) }
  }

  /// The collection itself, at first and after each change.
  public var collectionPublisher: RealmPublishers.Value<Self> {
    RealmPublishers.Value { self.throwingStream { $0.collection } }
  }

  /// The collection as it is, and then each of its changes.
  public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> {
    RealmPublishers.CollectionChangeset { self.throwingStream { $0 } }
  }

  private func throwingStream<T>(
    _ value: @escaping (RealmCollectionChange<Self>) -> T?
  ) -> AsyncThrowingStream<T, any Error> {
    let (stream, continuation) = AsyncThrowingStream<T, any Error>.makeStream()
    let token = observe { change in
      if case .error(let error) = change { return continuation.finish(throwing: error) }
      guard let told = value(change) else { return }
      // nonisolated(unsafe): the loop runs where the handler does.
      nonisolated(unsafe) let value = told
      continuation.yield(value)
    }
    continuation.onTermination = { _ in token.invalidate() }
    return stream
  }
}

extension ThreadConfined where Self: ObjectBase {
  /// Each change of the object, up to its deletion; see ``RealmCollection/changes``.
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
  /// The collection as it is now; nil when it cannot be read.
  var collection: CollectionType? {
    switch self {
    case .initial(let collection), .update(let collection, _, _, _): collection
    case .error: nil
    }
  }
}

/// What stands in for RealmSwift's publishers where there is no Combine: their `values`, for loops.
public enum RealmPublishers {
  /// A collection, at first and after each change.
  public struct Value<Collection> {
    let make: () -> AsyncThrowingStream<Collection, any Error>
    /// Starts to observe; ends with the loop.
    public var values: AsyncThrowingStream<Collection, any Error> { make() }
  }

  /// A collection and its changes.
  public struct CollectionChangeset<Collection> {
    let make: () -> AsyncThrowingStream<RealmCollectionChange<Collection>, any Error>
    /// Starts to observe; ends with the loop.
    public var values: AsyncThrowingStream<RealmCollectionChange<Collection>, any Error> { make() }
  }
}

/// A model with an identity for lists on screens.
public protocol ObjectKeyIdentifiable: Identifiable {
  /// The same for every live object of a row; of its own for each unmanaged one.
  var id: UInt64 { get }
}

extension ObjectKeyIdentifiable where Self: ObjectBase {
  public var id: UInt64 {
    guard isManaged else { return UInt64(UInt(bitPattern: ObjectIdentifier(self).hashValue)) }
    return UInt64(bitPattern: state.pointee.row.rawValue)
  }
}
