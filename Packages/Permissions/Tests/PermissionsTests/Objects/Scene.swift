import Permissions

/// A realm with users who try things: what is allowed is applied to its table.
struct Scene {
  var table = PermissionTable()

  /// A realm as the server opens it for the first time, with users who connect in order.
  init(classes: [String], users: [UserId]) {
    table.apply(PermissionDefaults.opening(table, classes: classes))
    for user in users { table.apply(PermissionDefaults.connecting(user, to: table)) }
  }

  func permissions(of user: UserId) -> UserPermissions {
    UserPermissions(table, user: user, isAdministrator: user == "root")
  }

  func decide(_ user: UserId, _ action: ObjectAction) -> ObjectDecision {
    permissions(of: user).decide(action, in: table)
  }

  func allows(_ user: UserId, _ action: ObjectAction) -> Bool { decide(user, action).isAllowed }

  /// Clears or sets privileges in the entry of `everyone` of a class, as its user and object by object.
  mutating func change(
    _ name: String, by user: UserId, _ change: (inout Privileges) -> Void
  ) -> ObjectDecision {
    let old = table.list(ofClass: name)
    let (entry, list) = Self.changing(old, change)
    let decision = decide(user, .changePermission(to: entry, usedIn: [.class(name)]))
    if decision.isAllowed { table.apply(.setClassList(name, list)) }
    return decision
  }

  /// The same in the realm's list.
  mutating func changeRealm(by user: UserId, _ change: (inout Privileges) -> Void) -> ObjectDecision {
    let (entry, list) = Self.changing(table.realmList, change)
    let decision = decide(user, .changePermission(to: entry, usedIn: [.realm]))
    if decision.isAllowed { table.apply(.setRealmList(list)) }
    return decision
  }

  private static func changing(
    _ list: AccessList, _ change: (inout Privileges) -> Void
  ) -> (PermissionEntry, AccessList) {
    var entries = list.entries
    let place = entries.firstIndex { $0.role == .everyone } ?? entries.count
    if place == entries.count { entries.append(PermissionEntry(.everyone, [])) }
    change(&entries[place].privileges)
    return (entries[place], .entries(entries))
  }
}

extension ObjectFacts {
  /// The object with another list, as it stands after its creation.
  func with(_ list: AccessList) -> ObjectFacts { ObjectFacts(className, list: list) }
}
