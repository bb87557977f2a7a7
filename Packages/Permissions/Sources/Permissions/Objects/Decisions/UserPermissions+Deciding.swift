extension UserPermissions {
  /// Whether the user may do something, with the reason.
  ///
  /// Each instruction of a transaction is decided by the facts before it. An action that creates an object and
  /// replaces the list of a class or of the realm, because it makes the object of `__Class` or `__Realm`, is asked about
  /// as the change of that list.
  ///
  /// For many objects ``privileges(onObjectWith:in:)`` answers faster; this function then names the reason of a refusal.
  ///
  /// - Complexity: O(*n*) for *n* entries of the lists that the action names.
  public func decide(_ action: ObjectAction, in table: PermissionTable) -> ObjectDecision {
    let needs = action.needs(table)
    let beyondToken = needs.realm.union(needs.token).subtracting(tokenBound)
    if !beyondToken.isEmpty { return ObjectDecision(rule: .tokenBound, missing: beyondToken) }
    if isAdministrator { return ObjectDecision(rule: .administrator) }
    guard let realmGrant else { return ObjectDecision(rule: .openRealm) }
    if let refusal = refusal(
      at: .realm, needs: needs.realm, granted: realmGrant, by: table.realmList)
    {
      return refusal
    }
    for (name, privileges) in needs.classes {
      if let refusal = refusal(
        at: .class(name), needs: privileges, granted: classGrants[name] ?? .all, by: table.list(ofClass: name))
      {
        return refusal
      }
    }
    for (object, privileges) in needs.objects {
      if let refusal = refusal(
        at: .object(ofClass: object.className), needs: privileges,
        granted: granted(by: object, in: table), by: object.list)
      {
        return refusal
      }
    }
    return grantRefusal(needs, in: table) ?? ObjectDecision(rule: needs.rule)
  }

  /// The sum of the roles' privileges in an object's own list. The class has the say where there is none.
  private func granted(by object: ObjectFacts, in table: PermissionTable) -> Privileges {
    object.list == .missing
      ? privileges(onClass: object.className) : table.compiled(object.list).privileges(of: roles)
  }

  private func refusal(
    at scope: PermissionScope, needs: Privileges, granted: Privileges, by list: AccessList
  ) -> ObjectDecision? {
    var missing = needs.subtracting(granted)
    if missing.isEmpty { return nil }
    let rule: PermissionRule
    switch scope {
    case _ where list == .empty: rule = .emptyList
    case .realm, .class:
      if missing.contains(.read) {
        rule = .unreadable
        missing = .read
      } else if scope == .realm, missing.contains(.update) {
        rule = .readOnlyRealm
        missing = .update
      } else {
        rule = isPermissionClass(scope) ? .permissionClass : .notGranted
      }
    case .object: rule = .notGranted
    }
    return ObjectDecision(
      rule: rule, scope: scope, missing: missing, roles: list.roles(with: missing),
      mayNameRoles: readsPermissionClasses)
  }

  private func isPermissionClass(_ scope: PermissionScope) -> Bool {
    if case .class(let name) = scope { PermissionClass(rawValue: name) != nil } else { false }
  }

  private func grantRefusal(_ needs: ActionNeeds, in table: PermissionTable) -> ObjectDecision? {
    for (use, gain) in needs.grants {
      let own: Privileges
      switch use {
      case .realm: own = privilegesOnRealm
      case .class(let name): own = privileges(onClass: name)
      case .object(let object):
        own = privileges(onObjectWith: object.list, inClass: object.className, of: table)
      }
      let missing = gain.subtracting(own)
      if missing.isEmpty { continue }
      return ObjectDecision(
        rule: .grantsMore, scope: use.scope, missing: missing, roles: table.list(use).roles(with: missing),
        mayNameRoles: readsPermissionClasses)
    }
    return nil
  }
}
