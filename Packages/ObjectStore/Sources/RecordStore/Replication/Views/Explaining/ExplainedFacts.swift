import ChangesetOT
import DataModel
import Permissions

/// The facts about one object and one user from which an explanation is made.
struct ExplainedFacts: Sendable {
  /// The object in the present state.
  enum Presence: Sendable {
    case noClass
    /// Objects of the class are not synced by themselves.
    case notTopLevel(ObjectKind)
    case absent
    case present
  }

  /// The decisions of the permissions inside the realm.
  struct Decisions: Sendable {
    /// Of an object with the list that the object has.
    var read: ObjectDecision
    var subscribe: ObjectDecision
    /// Whether objects of the class have access lists.
    var hasLists: Bool
  }

  var object: ObjectReference
  var user: String
  var isOwn: Bool
  var presence: Presence
  /// Nil in a realm without permissions.
  var decisions: Decisions?
  /// The newest version of the realm.
  var current: ServerVersion
  /// The last version that is known to have changed the object.
  var lastChange: ServerVersion?
  /// The one device that is asked about; nil for all of the user.
  var device: FileIdent?
  var devices: [ExplainedDevice] = []
  /// Devices of the user that were not looked at.
  var furtherDevices = 0
}

/// One device of the user: a client file that holds a view.
struct ExplainedDevice: Sendable {
  /// The outcome of one query of the device's subscriptions for the object.
  enum Outcome: Sendable {
    case selects
    case cutOff
    /// The condition holds, and the object's list does not let the user read it.
    case unreadable
    case differs
  }

  /// One query for the class of the object.
  struct Query: Sendable {
    var text: String
    var outcome: Outcome
  }

  /// The reason for which the device is to hold the object.
  enum Way: Sendable {
    case selected(query: String)
    /// Users, roles and the lists of the realm and its classes are in every view.
    case implied
    /// An INCLUDE of a query that selects another object.
    case included(query: String, of: ObjectReference)
    /// A chain of links; the last one leads to the object. The first object is there by `start`.
    indirect case linked([Link], start: Way)
    /// Too many objects lead to the object; it counts as held.
    case tooManyHolders
  }

  /// A link of a chain.
  struct Link: Sendable {
    var holder: ObjectReference
    /// The field, with those of embedded objects between: `address.city`.
    var field: String
  }

  /// A change by others that decides whether the device holds the object, or in which state.
  enum Change: Sendable {
    case object(ServerVersion)
    /// Of an object because of which it is held.
    case holder(ObjectReference, ServerVersion)
    /// Of users, roles or lists.
    case permissions(ServerVersion)
  }

  var ident: FileIdent
  /// The version up to which the device has said that it has everything.
  var acknowledged: ServerVersion
  /// The version from which on the device is to hold its newest subscriptions.
  var since: ServerVersion
  var isExpired = false
  /// The refusal of the queries, which hold nothing then.
  var refusal: String?
  /// Whether the device is to hold what its objects link to.
  var followsLinks = false
  /// How many classes it subscribes to.
  var subscribedClasses = 0
  var queries: [Query] = []
  /// The reason for which its queries for the class of the object are not evaluated and select nothing.
  var forbidden: String?
  var way: Way?
  /// The first change by others that the device has not acknowledged.
  var unseen: Change?
  /// Whether every change of the object since the acknowledged version is known.
  var knowsChanges = true

  /// Whether something of the object is still to be downloaded.
  var isBehind: Bool { unseen != nil || since > acknowledged || isExpired }
}
