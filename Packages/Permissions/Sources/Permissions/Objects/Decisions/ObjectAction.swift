/// Something that a user does to a realm whose objects have permissions.
public enum ObjectAction: Hashable, Sendable {
  /// Reading an object that the user's subscriptions match. One that is reached by a link is not asked about.
  case read(ObjectFacts)
  /// Subscribing to a class. Without `read` on the class the result is empty.
  case subscribe(toClass: String)
  /// Creating an object, with whatever list in the same transaction.
  case create(inClass: String)
  /// Changing a property of an object other than its access list.
  case update(ObjectFacts)
  /// Changing the access list of an object.
  case changeList(of: ObjectFacts, to: AccessList)
  /// Deleting an object.
  case delete(ObjectFacts)
  /// Changing the realm's list.
  case changeRealmList(to: AccessList)
  /// Changing the list of a class.
  case changeClassList(of: String, to: AccessList)
  /// Changing the role or the privileges of a permission object that is an entry of some lists, or of none.
  case changePermission(to: PermissionEntry, isNew: Bool = false, usedIn: [PermissionUse])
  /// Deleting a permission object, which takes it out of every list that it is an entry of.
  case deletePermission(isNew: Bool = false, usedIn: [PermissionUse])
  /// Adding members to a role or taking them out of it.
  case changeMembers(of: RoleName, isNew: Bool = false)
  /// Adding a class to the schema.
  case addClass(String)
  /// Adding a property to a class.
  case addProperty(toClass: String)

  /// The action in a sentence, as in `deleting an object of class 'Dog'`.
  public var summary: String {
    switch self {
    case .read(let object): "reading an object of class '\(object.className.shortened)'"
    case .subscribe(let name): "subscribing to class '\(name.shortened)'"
    case .create(let name): "creating an object of class '\(name.shortened)'"
    case .update(let object): "changing an object of class '\(object.className.shortened)'"
    case .changeList(let object, _): "changing the access list of an object of class '\(object.className.shortened)'"
    case .delete(let object): "deleting an object of class '\(object.className.shortened)'"
    case .changeRealmList: "changing the permissions of the realm"
    case .changeClassList(let name, _): "changing the permissions of class '\(name.shortened)'"
    case .changePermission(let entry, _, _): "changing a permission of \(Self.spoken(entry.role))"
    case .deletePermission: "deleting a permission"
    case .changeMembers(let role, _): "changing the members of \(Self.spoken(role))"
    case .addClass(let name): "adding class '\(name.shortened)'"
    case .addProperty(let name): "adding a property to class '\(name.shortened)'"
    }
  }

  private static func spoken(_ role: RoleName) -> String {
    role.isPrivate ? "a user's private role" : "role '\(role.rawValue.shortened)'"
  }
}
