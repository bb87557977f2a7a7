public import Permissions

/// The worlds of the monitor in the words of the package.
extension World {
  /// The facts of the world as a table.
  public var table: PermissionTable {
    var table = PermissionTable()
    for user in users { table.apply(.addUser(UserId(user))) }
    for (role, names) in members.sorted(by: { $0.key < $1.key }) {
      table.apply(.addRole(RoleName(role)))
      for name in names { table.apply(.addMember(UserId(name), to: RoleName(role))) }
    }
    table.apply(.setRealmList(AccessList(realmList)))
    for (name, list) in classLists { table.apply(.setClassList(name, AccessList(list))) }
    return table
  }

  /// The compiled permissions of a user of the world.
  public func permissions(of user: String, in table: PermissionTable) -> UserPermissions {
    UserPermissions(
      table, user: UserId(user), isAdministrator: administrators.contains(user),
      tokenBound: tokens[user].map { Privileges($0) } ?? .all)
  }
}

extension Privileges {
  /// The rights as privileges.
  public init(_ rights: Set<Right>) {
    self = rights.reduce(into: []) { $0.insert(Privileges(rawValue: 1 << UInt8($1.rawValue))) }
  }
}

extension AccessList {
  /// The lines as a list.
  public init(_ lines: [Line]?) {
    self = lines.map { .entries($0.map { PermissionEntry($0) }) } ?? .missing
  }
}

extension PermissionEntry {
  /// The line as an entry.
  public init(_ line: Line) { self.init(RoleName(line.role), Privileges(line.rights)) }
}

extension ObjectFacts {
  /// The facts about an object.
  public init(_ thing: Thing) { self.init(thing.className, list: AccessList(thing.list), isNew: thing.isNew) }
}

extension PermissionUse {
  /// The place as a use.
  public init(_ place: Place) {
    switch place {
    case .realm: self = .realm
    case .class(let name): self = .class(name)
    case .thing(let thing): self = .object(ObjectFacts(thing))
    }
  }
}

extension ObjectAction {
  /// The deed as an action.
  public init(_ deed: Deed) {
    switch deed {
    case .read(let thing): self = .read(ObjectFacts(thing))
    case .subscribe(let name): self = .subscribe(toClass: name)
    case .create(let name): self = .create(inClass: name)
    case .update(let thing): self = .update(ObjectFacts(thing))
    case .relist(let thing, let list): self = .changeList(of: ObjectFacts(thing), to: AccessList(list))
    case .delete(let thing): self = .delete(ObjectFacts(thing))
    case .relistRealm(let list): self = .changeRealmList(to: AccessList(list))
    case .relistClass(let name, let list): self = .changeClassList(of: name, to: AccessList(list))
    case .changePermission(let line, let isNew, let places):
      self = .changePermission(to: PermissionEntry(line), isNew: isNew, usedIn: places.map { PermissionUse($0) })
    case .deletePermission(let isNew, let places):
      self = .deletePermission(isNew: isNew, usedIn: places.map { PermissionUse($0) })
    case .changeMembers(let isNew): self = .changeMembers(of: "editors", isNew: isNew)
    case .addClass: self = .addClass("Cat")
    case .addProperty(let name): self = .addProperty(toClass: name)
    }
  }
}

extension ObjectDecision {
  /// The decision as the monitor says it.
  public var verdict: Verdict {
    if isAllowed { return .allowed }
    if rule == .tokenBound { return .token }
    if rule == .grantsMore { return .grant }
    return switch level {
    case .realm: .realm
    case .class: .class
    case .object: .object
    case nil: .allowed
    }
  }
}
