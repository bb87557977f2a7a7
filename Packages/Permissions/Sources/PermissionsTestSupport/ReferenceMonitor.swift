/// A rule of the documents. Tests break one at a time and expect the difference to be seen.
public enum MonitorRule: CaseIterable, Sendable {
  case tokensBoundEverybody, administratorsMayDoEverything, realmsWithoutListAreOpen
  case rightsAreTheSumOfRoles, onlyMembersHaveARole
  case realmReadComesFirst, realmsWithoutUpdateAreReadOnly, realmBoundsClasses, realmBoundsDeleting
  case missingClassListsAllow, emptyClassListsDeny, classReadComesFirst, classBoundsObjects, subscribingNeedsNoRead
  case missingObjectListsAllow, emptyObjectListsDeny
  case objectListsAskTheirOwnSetPermissions, objectListsAskNoUpdate
  case creatorsWriteTheirObjects, everyoneCreatesPermissions
  case realmListsNeedTheClassRealm, classListsNeedTheClassClass, classListsNeedTheRealm, classListsNeedTheirClass
  case realmGrantsAreBounded, classGrantsAreBounded, objectGrantsAreBounded
  case grantsWithoutMeaningAreFree, removedListsGrantAll, listsReplaceMissingOnes
  case permissionsFollowAllTheirLists, permissionsAreObjects, deletedPermissionsLeaveLists, rolesAreObjects
  case schemaNeedsTheRealm, propertiesNeedTheClass
}

/// The documented permissions, said plainly and slowly: level by level, one right at a time.
public struct ReferenceMonitor {
  /// The realm that is judged.
  public var world: World
  /// The rule that is not kept; nil for none.
  public var broken: MonitorRule?

  /// A monitor of a realm.
  public init(world: World, broken: MonitorRule? = nil) {
    self.world = world
    self.broken = broken
  }

  /// The answer for one user and one deed.
  public func judge(_ user: String, _ deed: Deed) -> Verdict {
    let parts = self.parts(of: deed)
    // Rights of the token bound everything from above and are checked first.
    if keeps(.tokensBoundEverybody) {
      for part in parts where !tokenAllows(user, part) { return .token }
    }
    // Administrators see and edit everything.
    if keeps(.administratorsMayDoEverything), world.administrators.contains(user) { return .allowed }
    // Without a list of the realm, permissions are not in force.
    if keeps(.realmsWithoutListAreOpen), world.realmList == nil { return .allowed }
    for part in parts where !realmAllows(user, part) { return .realm }
    for part in parts where !classAllows(user, part) { return .class }
    for part in parts where !objectAllows(user, part) { return .object }
    for part in parts where !grantsAllow(user, part) { return .grant }
    return .allowed
  }

  /// Whether questions about privileges are answered: all classes of permissions must be readable.
  public func hearsPrivileges(_ user: String) -> Bool {
    if world.administrators.contains(user) || world.realmList == nil { return true }
    return ["__Realm", "__Class", "__Role", "__User", "__Permission"].allSatisfy { name in
      tokenHas(user, .read) && onRealm(user, .read) && inClass(user, .read, name)
    }
  }

  // MARK: Deeds that are several

  /// Changing a permission object is a write to that object and to every list that it stands in.
  private func parts(of deed: Deed) -> [Deed] {
    switch deed {
    case .changePermission(let line, let isNew, let places):
      let lists = keeps(.permissionsFollowAllTheirLists) ? places : Array(places.prefix(1))
      let own: [Deed] =
        keeps(.permissionsAreObjects) ? [.update(Thing(className: "__Permission", list: nil, isNew: isNew))] : []
      return (own + lists.map { relisting($0, adding: line) }).map(creating)
    case .deletePermission(let isNew, let places):
      let own = Deed.delete(Thing(className: "__Permission", list: nil, isNew: isNew))
      let lists = keeps(.deletedPermissionsLeaveLists) ? places : []
      return ([own] + lists.map { relisting($0, adding: nil) }).map(creating)
    case .changeMembers(let isNew):
      return keeps(.rolesAreObjects) ? [creating(.update(Thing(className: "__Role", list: nil, isNew: isNew)))] : []
    default: return [creating(deed)]
    }
  }

  private func relisting(_ place: Place, adding line: Line?) -> Deed {
    let added = line.map { [$0] } ?? []
    switch place {
    case .realm: return .relistRealm((world.realmList ?? []) + added)
    case .class(let name): return .relistClass(name, (world.classLists[name] ?? []) + added)
    case .thing(let thing): return .relist(thing, (thing.list ?? []) + added)
    }
  }

  /// In the transaction that creates an object, its author may write all of it, the list included.
  private func creating(_ deed: Deed) -> Deed {
    guard keeps(.creatorsWriteTheirObjects) else { return deed }
    switch deed {
    case .update(let thing) where thing.isNew: return .create(thing.className)
    case .relist(let thing, _) where thing.isNew: return .create(thing.className)
    case .delete(let thing) where thing.isNew: return .create(thing.className)
    default: return deed
    }
  }

  // MARK: The token

  private func tokenAllows(_ user: String, _ deed: Deed) -> Bool {
    func has(_ rights: Right...) -> Bool { rights.allSatisfy { tokenHas(user, $0) } }
    switch deed {
    case .read: return has(.read)
    case .subscribe: return has(.read, .query)
    case .create("__Permission"): return has(.read, .update)
    case .create: return has(.read, .update, .create)
    case .update: return has(.read, .update)
    case .delete: return has(.read, .update, .delete)
    case .relist, .relistRealm, .relistClass: return has(.read, .update, .setPermissions)
    case .addClass, .addProperty: return has(.read, .update, .modifySchema)
    case .changePermission, .deletePermission, .changeMembers: return true
    }
  }

  private func tokenHas(_ user: String, _ right: Right) -> Bool { world.tokens[user]?.contains(right) ?? true }

  // MARK: The realm

  private func realmAllows(_ user: String, _ deed: Deed) -> Bool {
    if keeps(.realmReadComesFirst), !onRealm(user, .read) { return false }
    switch deed {
    case .read: return true
    case .subscribe: return !keeps(.realmBoundsClasses) || onRealm(user, .query)
    default: break
    }
    if keeps(.realmsWithoutUpdateAreReadOnly), !onRealm(user, .update) { return false }
    switch deed {
    case .create("__Permission") where keeps(.everyoneCreatesPermissions): return true
    case .create: return !keeps(.realmBoundsClasses) || onRealm(user, .create)
    case .delete: return !keeps(.realmBoundsDeleting) || onRealm(user, .delete)
    case .relistRealm: return onRealm(user, .setPermissions)
    case .relistClass: return !keeps(.classListsNeedTheRealm) || onRealm(user, .setPermissions)
    case .addClass, .addProperty: return !keeps(.schemaNeedsTheRealm) || onRealm(user, .modifySchema)
    default: return true
    }
  }

  private func onRealm(_ user: String, _ right: Right) -> Bool {
    granted(user, right, by: world.realmList ?? [])
  }

  // MARK: Classes

  private func classAllows(_ user: String, _ deed: Deed) -> Bool {
    switch deed {
    case .subscribe(let name):
      return inClass(user, .query, name) && (keeps(.subscribingNeedsNoRead) || inClass(user, .read, name))
    case .create("__Permission") where keeps(.everyoneCreatesPermissions): return true
    case .create(let name): return inClass(user, .create, name)
    case .read(let thing): return seesClass(user, thing)
    case .update(let thing): return seesClass(user, thing) && classLeaves(user, .update, thing)
    case .delete(let thing): return seesClass(user, thing) && classLeaves(user, .delete, thing)
    case .relist(let thing, _):
      // `setPermissions` on a class is for the list of the class, not for the lists of its objects.
      return seesClass(user, thing)
        && (keeps(.objectListsAskTheirOwnSetPermissions) || inClass(user, .setPermissions, thing.className))
    case .relistRealm: return !keeps(.realmListsNeedTheClassRealm) || inClass(user, .setPermissions, "__Realm")
    case .relistClass(let name, _):
      return (!keeps(.classListsNeedTheirClass) || inClass(user, .setPermissions, name))
        && (!keeps(.classListsNeedTheClassClass) || inClass(user, .setPermissions, "__Class"))
    case .addProperty(let name): return !keeps(.propertiesNeedTheClass) || inClass(user, .modifySchema, name)
    default: return true
    }
  }

  private func seesClass(_ user: String, _ thing: Thing) -> Bool {
    !keeps(.classReadComesFirst) || inClass(user, .read, thing.className)
  }

  private func classLeaves(_ user: String, _ right: Right, _ thing: Thing) -> Bool {
    !keeps(.classBoundsObjects) || inClass(user, right, thing.className)
  }

  private func inClass(_ user: String, _ right: Right, _ name: String) -> Bool {
    // A class without a list has no say: what the realm allows.
    guard let list = world.classLists[name] else { return keeps(.missingClassListsAllow) }
    if list.isEmpty { return !keeps(.emptyClassListsDeny) }
    return granted(user, right, by: list)
  }

  // MARK: Objects

  private func objectAllows(_ user: String, _ deed: Deed) -> Bool {
    switch deed {
    case .read(let thing): return onThing(user, .read, thing)
    case .update(let thing): return onThing(user, .update, thing)
    case .delete(let thing): return onThing(user, .delete, thing)
    case .relist(let thing, _):
      return onThing(user, .setPermissions, thing)
        && (keeps(.objectListsAskNoUpdate) || onThing(user, .update, thing))
    default: return true
    }
  }

  private func onThing(_ user: String, _ right: Right, _ thing: Thing) -> Bool {
    // A class without lists of permissions leaves its objects to the levels above.
    guard let list = thing.list else {
      guard keeps(.missingObjectListsAllow) else { return false }
      return inClass(user, right, thing.className) && onRealm(user, right)
    }
    // An empty list denies everybody, the creator of the object included.
    if list.isEmpty { return !keeps(.emptyObjectListsDeny) }
    return granted(user, right, by: list)
  }

  // MARK: Granting

  /// Nobody can grant more than they have.
  private func grantsAllow(_ user: String, _ deed: Deed) -> Bool {
    switch deed {
    case .relistRealm(let new):
      return !keeps(.realmGrantsAreBounded)
        || gains(from: world.realmList, to: new).allSatisfy { tokenHas(user, $0) && onRealm(user, $0) }
    case .relistClass(let name, let new):
      return !keeps(.classGrantsAreBounded)
        || gains(from: world.classLists[name], to: new).allSatisfy { right in
          // Everyone creates permission objects, so everyone has that.
          if right == .create, name == "__Permission" { return true }
          return tokenHas(user, right) && onRealm(user, right) && inClass(user, right, name)
        }
    case .relist(let thing, let new):
      return !keeps(.objectGrantsAreBounded)
        || gains(from: thing.list, to: new).allSatisfy { right in
          // At object level these three mean nothing, so anybody may write them down.
          if [.query, .create, .modifySchema].contains(right), keeps(.grantsWithoutMeaningAreFree) { return true }
          if right == .setPermissions { return onThing(user, right, thing) }
          return tokenHas(user, right) && onRealm(user, right) && inClass(user, right, thing.className)
            && onThing(user, right, thing)
        }
    default: return true
    }
  }

  /// The rights that some role has by the new list and not by the old one.
  private func gains(from old: [Line]?, to new: [Line]?) -> [Right] {
    guard let old else { return keeps(.listsReplaceMissingOnes) ? [] : Right.allCases }
    guard let new else { return keeps(.removedListsGrantAll) ? Right.allCases : [] }
    return Right.allCases.filter { right in
      new.contains { line in
        line.rights.contains(right) && !old.contains { $0.role == line.role && $0.rights.contains(right) }
      }
    }
  }

  // MARK: Lists

  /// Permissions are given to roles. A user has the sum of those of their roles.
  private func granted(_ user: String, _ right: Right, by list: [Line]) -> Bool {
    for line in list where !keeps(.onlyMembersHaveARole) || world.members[line.role]?.contains(user) == true {
      if line.rights.contains(right) { return true }
      if !keeps(.rightsAreTheSumOfRoles) { return false }
    }
    return false
  }

  private func keeps(_ rule: MonitorRule) -> Bool { broken != rule }
}
