public import Foundation

/// What happened to a collection since its observer heard of it last.
///
/// Deletions and modifications are positions in the collection as it was, insertions positions in it as it is; each
/// ascending. An element that moved is a deletion and an insertion.
public enum RealmCollectionChange<CollectionType> {
  /// The first call: the collection as it is.
  case initial(CollectionType)
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// The collection cannot be read, or its realm could not be opened where it was to be observed; the last call.
  case error(any Error)
}

/// What happened to an object.
public enum ObjectChange<T> {
  case error(_: NSError)
  case change(_: T, _: [PropertyChange])
  case deleted
}

/// One property that changed.
public struct PropertyChange {
  public let name: String
  /// The value before; nil for collections.
  public let oldValue: Any?
  /// The value now; nil for collections.
  public let newValue: Any?
}

extension Realm {
  /// What a realm's observers are told.
  public enum Notification: String, Sendable {
    /// The realm moved to a new version.
    case didChange = "RLMRealmDidChangeNotification"
    /// There is a newer version and the realm does not move by itself.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }
}

/// A handler of changes of a realm.
public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void
