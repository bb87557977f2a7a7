/// The privileges, as the reference monitor writes them.
enum Right: Int, CaseIterable {
  case read, update, delete, setPermissions, query, create, modifySchema
}

/// An entry of a list: a role and its rights.
struct Line: Hashable {
  var role: String
  var rights: Set<Right>
}

/// A realm with its users, roles and lists; nil stands for a list that is missing.
struct World {
  var users: [String] = []
  var administrators: Set<String> = []
  var tokens: [String: Set<Right>] = [:]
  var members: [String: Set<String>] = [:]
  var realmList: [Line]?
  var classLists: [String: [Line]] = [:]
}

/// An object: its class and its list.
struct Thing {
  var className: String
  var list: [Line]?
  var isNew = false
}

/// A list that a permission object stands in.
enum Place {
  case realm
  case `class`(String)
  case thing(Thing)
}

/// Everything that a user can do.
enum Deed {
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
enum Verdict: Equatable {
  case allowed, token, realm, `class`, object, grant
}
