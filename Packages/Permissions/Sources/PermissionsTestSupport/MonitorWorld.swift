/// The privileges, as the reference monitor writes them.
public enum Right: Int, CaseIterable, Sendable {
  case read, update, delete, setPermissions, query, create, modifySchema
}

/// An entry of a list: a role and its rights.
public struct Line: Hashable {
  /// The name of the role.
  public var role: String
  /// Its rights.
  public var rights: Set<Right>

  /// A line of a list.
  public init(role: String, rights: Set<Right>) {
    self.role = role
    self.rights = rights
  }
}

/// A realm with its users, roles and lists; nil stands for a list that is missing.
public struct World {
  /// The users that have connected.
  public var users: [String] = []
  /// Those of them who administer the server.
  public var administrators: Set<String> = []
  /// The rights of their tokens; all where none are named.
  public var tokens: [String: Set<Right>] = [:]
  /// The members of the roles.
  public var members: [String: Set<String>] = [:]
  /// The list of the realm.
  public var realmList: [Line]?
  /// The lists of the classes.
  public var classLists: [String: [Line]] = [:]

  /// A realm of users, without roles and lists.
  public init(users: [String] = []) {
    self.users = users
  }
}

/// An object: its class and its list.
public struct Thing {
  /// The class.
  public var className: String
  /// The list; nil for none.
  public var list: [Line]?
  /// Whether the transaction at hand made it.
  public var isNew = false

  /// An object.
  public init(className: String, list: [Line]? = nil, isNew: Bool = false) {
    self.className = className
    self.list = list
    self.isNew = isNew
  }
}

/// A list that a permission object stands in.
public enum Place {
  case realm
  case `class`(String)
  case thing(Thing)
}

/// Everything that a user can do.
public enum Deed {
  case read(Thing)
  case subscribe(String)
  case create(String)
  case update(Thing)
  case relist(Thing, [Line]?)
  case delete(Thing)
  case relistRealm([Line]?)
  case relistClass(String, [Line]?)
  case changePermission(Line, isNew: Bool, [Place])
  case deletePermission(isNew: Bool, [Place])
  case changeMembers(isNew: Bool)
  case addClass
  case addProperty(String)
}

/// The monitor's answer: allowed, or the level that refuses.
public enum Verdict: Equatable, Sendable {
  case allowed, token, realm, `class`, object, grant
}
