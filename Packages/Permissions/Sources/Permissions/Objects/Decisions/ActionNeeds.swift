/// The privileges that an action needs at each level, in the order in which they are asked for.
///
/// The realm must grant all that a class must grant; that is how lower levels only narrow.
struct ActionNeeds: Sendable {
  /// The privileges on the realm; above them the same of the token.
  var realm: Privileges
  /// Privileges that only the token must allow in addition.
  var token: Privileges = []
  /// Privileges on classes.
  var classes: [(name: String, privileges: Privileges)] = []
  /// Privileges on objects.
  var objects: [(facts: ObjectFacts, privileges: Privileges)] = []
  /// Privileges that are granted to others, by the list that does it.
  var grants: [(list: PermissionUse, gain: Privileges)] = []
  /// The rule that allows the action when everything is there.
  var rule = PermissionRule.granted

  mutating func add(_ other: ActionNeeds) {
    realm.formUnion(other.realm)
    token.formUnion(other.token)
    classes += other.classes
    objects += other.objects
    grants += other.grants
  }
}

extension ObjectAction {
  /// The needs of the action, which depend on the lists that it replaces.
  func needs(_ table: PermissionTable) -> ActionNeeds {
    switch self {
    case .read(let object): .object(object, .read, realm: .read)
    case .subscribe(let name): ActionNeeds(realm: [.read, .query], classes: [(name, .query)])
    case .create(let name): .creating(name)
    case .update(let object): .writing(object, .update, realm: [.read, .update])
    case .delete(let object): .writing(object, .delete, realm: [.read, .update, .delete])
    case .changeList(let object, let list): .list(of: object, gain: list.gain(over: object.list))
    case .changeRealmList(let list): .realmList(gain: list.gain(over: table.realmList))
    case .changeClassList(let name, let list):
      .classList(of: name, gain: list.gain(over: table.list(ofClass: name)))
    case .changePermission(let entry, let isNew, let uses): .permission(entry, .update, isNew, uses, table)
    case .deletePermission(let isNew, let uses): .permission(nil, .delete, isNew, uses, table)
    case .changeMembers(_, let isNew):
      .writing(ObjectFacts(PermissionClass.role.rawValue, isNew: isNew), .update, realm: [.read, .update])
    case .addClass: ActionNeeds(realm: [.read, .update, .modifySchema])
    case .addProperty(let name):
      ActionNeeds(realm: [.read, .update, .modifySchema], classes: [(name, .modifySchema)])
    }
  }
}

extension ActionNeeds {
  fileprivate static func creating(_ name: String) -> ActionNeeds {
    if name == PermissionClass.permission.rawValue {
      return ActionNeeds(realm: [.read, .update], rule: .permissionObject)
    }
    return ActionNeeds(realm: [.read, .update, .create], classes: [(name, .create)])
  }

  /// An object that was there, or one that its creator goes on writing.
  fileprivate static func writing(_ object: ObjectFacts, _ need: Privileges, realm: Privileges) -> ActionNeeds {
    if !object.isNew { return Self.object(object, need, realm: realm) }
    var needs = creating(object.className)
    needs.rule = .creator
    return needs
  }

  fileprivate static func object(_ object: ObjectFacts, _ need: Privileges, realm: Privileges) -> ActionNeeds {
    ActionNeeds(realm: realm, classes: [(object.className, need.union(.read))], objects: [(object, need)])
  }

  /// The list of an object asks for `setPermissions` in that list alone, and of the token.
  fileprivate static func list(of object: ObjectFacts, gain: Privileges) -> ActionNeeds {
    if object.isNew { return writing(object, .setPermissions, realm: []) }
    return ActionNeeds(
      realm: [.read, .update], token: .setPermissions, classes: [(object.className, .read)],
      objects: [(object, .setPermissions)],
      grants: [(.object(object), gain.intersection(.objectPrivileges))])
  }

  fileprivate static func realmList(gain: Privileges) -> ActionNeeds {
    ActionNeeds(
      realm: [.read, .update, .setPermissions], classes: [(PermissionClass.realm.rawValue, .setPermissions)],
      grants: [(.realm, gain)])
  }

  fileprivate static func classList(of name: String, gain: Privileges) -> ActionNeeds {
    ActionNeeds(
      realm: [.read, .update, .setPermissions],
      classes: [(name, .setPermissions), (PermissionClass.class.rawValue, .setPermissions)],
      grants: [(.class(name), gain)])
  }

  /// A permission object is changed, and deleted, like the lists that it is an entry of, all of them.
  fileprivate static func permission(
    _ entry: PermissionEntry?, _ need: Privileges, _ isNew: Bool, _ uses: [PermissionUse], _ table: PermissionTable
  ) -> ActionNeeds {
    let own = ObjectFacts(PermissionClass.permission.rawValue, isNew: isNew)
    var needs = writing(own, need, realm: need.union([.read, .update]))
    for use in uses {
      let old = table.list(use)
      let gain = AccessList.entries(old.entries + [entry].compactMap { $0 }).gain(over: old)
      switch use {
      case .realm: needs.add(realmList(gain: gain))
      case .class(let name): needs.add(classList(of: name, gain: gain))
      case .object(let object): needs.add(list(of: object, gain: gain))
      }
      if use.isSettled { needs.rule = .granted }
    }
    return needs
  }
}
