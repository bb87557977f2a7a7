/// The facts about one object that a decision depends on.
public struct ObjectFacts: Hashable, Sendable {
  /// The object's class.
  public var className: String
  /// The object's access list; ``AccessList/missing`` when its class has no property of permissions.
  public var list: AccessList
  /// Whether the transaction at hand created the object. A transaction that names the key of an object that was there
  /// before did not create it.
  public var isNew: Bool

  /// Facts about one object.
  public init(_ className: String, list: AccessList = .missing, isNew: Bool = false) {
    self.className = className
    self.list = list
    self.isNew = isNew
  }
}

/// One list that a permission object is an entry of.
public enum PermissionUse: Hashable, Sendable {
  /// The realm's list.
  case realm
  /// The list of a class.
  case `class`(String)
  /// The list of an object.
  case object(ObjectFacts)

  /// The place that the list is for.
  public var scope: PermissionScope {
    switch self {
    case .realm: .realm
    case .class(let name): .class(name)
    case .object(let object): .object(ofClass: object.className)
    }
  }

  /// Whether the list was there before the transaction at hand.
  var isSettled: Bool {
    if case .object(let object) = self { !object.isNew } else { true }
  }
}
