public import ObjectServer
public import Permissions
public import Telemetry

/// Realms and grants.
extension MemoryDirectory {
  /// The facts of a realm: whether it exists, and all grants on it; for a partial view, those of its reference realm as well.
  public func facts(of path: RealmPath) throws(ServerError) -> RealmFacts {
    let facts = content.withLock { content in
      func own(_ path: RealmPath) -> RealmFacts {
        let grants = content.grants.values.filter { $0.path == path }.sorted { $0.grantee < $1.grantee }
        return RealmFacts(path: path, exists: content.realms.contains(path), grants: grants)
      }
      var facts = own(path)
      guard let reference = path.partialView?.realm else { return facts }
      let other = own(content.renamed[reference] ?? reference)
      facts.referenceExists = other.exists
      facts.grants += other.grants.map { grant in
        var grant = grant
        grant.path = reference
        return grant
      }
      return facts
    }
    return lookedUp(facts)
  }

  /// Records that a realm exists. Has no effect when it is recorded already.
  ///
  /// - Returns: whether there never was a realm at the path: none that exists, was deleted, or was renamed.
  public func recordRealm(_ path: RealmPath, createdBy user: UserId, at time: WallTime) throws(ServerError) -> Bool {
    content.withLock { $0.realms.insert(path).inserted && $0.usedPaths.insert(path).inserted }
  }

  /// The realms in the folder of a user, sorted.
  public func realms(in user: UserId) throws(ServerError) -> [RealmPath] {
    content.withLock { content in
      content.realms.filter { $0.owner == user }.sorted { $0.description < $1.description }
    }
  }

  /// All realms, sorted.
  public func allRealms() throws(ServerError) -> [RealmPath] {
    content.withLock { $0.realms.sorted { $0.description < $1.description } }
  }

  /// A page of the list of realms.
  public func realms(_ search: RealmSearch) throws(ServerError) -> RealmPage { search.page(of: try allRealms()) }

  /// Forgets a realm with its grants and offers.
  ///
  /// - Returns: false when there was none.
  public func deleteRealm(_ path: RealmPath) throws(ServerError) -> Bool {
    change { content in
      content.grants = content.grants.filter { $0.key.path != path }
      content.withdrawals = content.withdrawals.filter { $0.key.path != path }
      content.offers = content.offers.filter { $0.value.path != path }
      let names = content.renamed.filter { $0.key == path || $0.value == path }.keys
      for name in names { content.renamed[name] = nil }
      content.changes.append(.realm(path))
      return content.realms.remove(path) != nil || !names.isEmpty
    }
  }

  /// Gives a realm another path; its grants and offers go with it, and the old path remembers the new one.
  ///
  /// - Returns: false, with nothing changed, when there is none at the old path or one at the new.
  public func renameRealm(_ path: RealmPath, to newPath: RealmPath) throws(ServerError) -> Bool {
    change { content in
      guard content.realms.contains(path), !content.realms.contains(newPath) else { return false }
      content.realms.remove(path)
      content.realms.insert(newPath)
      content.usedPaths.insert(newPath)
      var grants: [GrantKey: Grant] = [:]
      for (key, grant) in content.grants where key.path != newPath {
        var (key, grant) = (key, grant)
        if key.path == path {
          key.path = newPath
          grant.path = newPath
        }
        grants[key] = grant
      }
      content.grants = grants
      var withdrawals: [GrantKey: WallTime] = [:]
      for (key, time) in content.withdrawals where key.path != newPath {
        withdrawals[key.path == path ? GrantKey(path: newPath, grantee: key.grantee) : key] = time
      }
      content.withdrawals = withdrawals
      for (token, offer) in content.offers where offer.path == path { content.offers[token]?.path = newPath }
      for (name, target) in content.renamed where target == path { content.renamed[name] = newPath }
      content.renamed[path] = newPath
      content.renamed[newPath] = nil
      content.changes += [.realm(path), .realm(newPath)]
      return true
    }
  }

  /// The present path of the realm that was renamed from a path; nil when none was.
  public func renamedPath(of path: RealmPath) throws(ServerError) -> RealmPath? {
    content.withLock { $0.renamed[path] }
  }

  /// The grants to one user, not those to everyone, sorted by path.
  public func grants(to user: UserId) throws(ServerError) -> [Grant] {
    content.withLock { content in
      content.grants.values.filter { $0.grantee == .user(user) }.sorted { $0.path.description < $1.path.description }
    }
  }

  /// The grants on the realms in the folder of a user, sorted by path and grantee.
  public func grants(inFolderOf user: UserId) throws(ServerError) -> [Grant] {
    content.withLock { content in
      content.grants.values.filter { $0.path.owner == user }
        .sorted { ($0.path.description, $0.grantee) < ($1.path.description, $1.grantee) }
    }
  }

  /// Stores a grant, replacing an earlier one for the same realm and grantee; the level none removes it. The directory
  /// remembers the time of a grant that is none, or lower than the one before: see ``withdrawal(of:from:)``.
  public func setGrant(_ grant: Grant) throws(ServerError) {
    change { content in
      let key = GrantKey(path: grant.path, grantee: grant.grantee)
      if grant.level == .none || grant.level < content.grants[key]?.level ?? .none {
        content.withdrawals[key] = WallTime(millisecondsSince1970: grant.updatedAtMilliseconds)
      }
      content.grants[key] = grant.level == .none ? nil : grant
      content.changes.append(.realm(grant.path))
    }
  }

  /// The last time at which a grantee lost a grant on a realm or a part of it; nil for never.
  public func withdrawal(of grantee: Grantee, from path: RealmPath) throws(ServerError) -> WallTime? {
    content.withLock { $0.withdrawals[GrantKey(path: path, grantee: grantee)] }
  }
}
