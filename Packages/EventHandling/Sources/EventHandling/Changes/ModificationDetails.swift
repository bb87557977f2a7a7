public import DataModel
public import ObjectStore

/// One object that a transaction inserted, modified or deleted.
public struct ModificationDetails: @unchecked Sendable {
  // Frozen realms, which any thread may read.
  let previous: Realm?
  let current: Realm?
  /// Class and key.
  public let reference: ObjectReference
  /// The own values of the object before, by property; nil when it did not exist, or when they can no longer be told.
  public let previousValues: [String: Value]?
  /// The own values of the object after; nil when it does not exist any more, or when they can no longer be told. Links and
  /// collections are not among them.
  public let currentValues: [String: Value]?

  /// The key of the object: its primary key, if its class has one.
  public var key: ObjectKey { reference.key }

  /// The object before the transaction, frozen; nil when it was inserted, and for a handler without realms.
  public var previousObject: DynamicObject? { previous.flatMap { $0.dynamicObject(reference) } }
  /// The object after the transaction, frozen; nil when it was deleted, and for a handler without realms.
  public var currentObject: DynamicObject? { current.flatMap { $0.dynamicObject(reference) } }

  /// The index in the objects of the class in ``ChangeDetails/previousRealm``, which is not that in the realms of other
  /// transactions; -1 when it was inserted.
  ///
  /// - Complexity: O(*n*) in the objects of the class.
  public var previousIndex: Int { Self.index(of: reference, in: previous) }
  /// The index in the objects of the class in ``ChangeDetails/currentRealm``; -1 when it was deleted.
  ///
  /// - Complexity: O(*n*) in the objects of the class.
  public var currentIndex: Int { Self.index(of: reference, in: current) }

  private static func index(of reference: ObjectReference, in realm: Realm?) -> Int {
    guard let realm, let object = realm.dynamicObject(reference) else { return -1 }
    return realm.dynamicObjects(reference.className).index(of: object) ?? -1
  }
}

/// The objects of one class that a transaction changed.
public struct ChangeSetDetails: Sendable {
  /// The objects that it made.
  public internal(set) var insertions: [ModificationDetails] = []
  /// The objects that it deleted.
  public internal(set) var deletions: [ModificationDetails] = []
  /// The objects of which it changed fields.
  public internal(set) var modifications: [ModificationDetails] = []
}
