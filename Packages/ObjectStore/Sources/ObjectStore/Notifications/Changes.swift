public import Foundation

/// The changes of a collection since the last call of its handler.
///
/// Deletions and modifications are positions in the previous collection, insertions are positions in the present one;
/// each list is ascending. An element that moved is a deletion and an insertion.
public enum RealmCollectionChange<CollectionType> {
  /// The first call, with the present collection.
  case initial(CollectionType)
  /// A later call, with the present collection and its changes.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// The last call: the collection cannot be read, or its realm cannot be opened on the observing queue or actor.
  case error(any Error)
}

/// The changes of an object since the last call of its handler.
public enum ObjectChange<T> {
  /// The last call: the realm cannot be opened on the observing queue or actor.
  case error(_: NSError)
  /// The object, and its properties that changed.
  case change(_: T, _: [PropertyChange])
  /// The last call: the object was deleted.
  case deleted
}

/// The change of one property.
public struct PropertyChange {
  /// The name of the property in code.
  public let name: String
  /// The value before: an integer as `NSNumber`, which casts to `Int` and to every smaller type. Nil for collections, and
  /// for changes that the observing realm itself made.
  public let oldValue: Any?
  /// The value now, in the form of ``oldValue``; nil for collections.
  public let newValue: Any?
}

extension Realm {
  /// The events that ``Realm/observe(_:)`` reports.
  public enum Notification: String, Sendable {
    /// The realm moved to a new version.
    case didChange = "RLMRealmDidChangeNotification"
    /// A newer version exists, and ``Realm/autorefresh`` is off.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }
}

/// Handles the events of a realm.
public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void
