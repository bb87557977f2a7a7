/// The place at which a privilege is granted: the realm, one class, or one object of a class.
public enum PermissionScope: Hashable, Sendable, CustomStringConvertible {
  /// The whole realm.
  case realm
  /// One class, by name.
  case `class`(String)
  /// One object of a class. Which one it is, the caller knows.
  case object(ofClass: String)

  /// The level of the place.
  public var level: PermissionLevel {
    switch self {
    case .realm: .realm
    case .class: .class
    case .object: .object
    }
  }

  /// The place in a sentence, as in `class 'Dog'`.
  public var description: String {
    switch self {
    case .realm: "the realm"
    case .class(let name): "class '\(name.shortened)'"
    case .object(let name): "this object of class '\(name.shortened)'"
    }
  }
}

/// The three levels of permissions. What a level denies, no lower level gives back.
public enum PermissionLevel: String, CaseIterable, Sendable {
  /// The whole file.
  case realm
  /// All objects of a class.
  case `class`
  /// One object.
  case object

  /// The privileges that have a meaning of their own at this level.
  public var privileges: Privileges {
    switch self {
    case .realm: .realmPrivileges
    case .class: .classPrivileges
    case .object: .objectPrivileges
    }
  }
}
