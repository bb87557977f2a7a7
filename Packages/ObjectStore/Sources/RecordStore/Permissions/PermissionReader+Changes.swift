public import Permissions
import StorageEngine

extension PermissionReader {
  /// The changes that bring a table of the realm up to date with this version, when `touches` has everything that was
  /// applied since.
  ///
  ///     for change in try reader.changes(after: touches, to: table) {
  ///       table.apply(change)
  ///       permissions.update(after: change, in: table)
  ///     }
  ///
  /// | touched | cost |
  /// |---|---|
  /// | a member that was added | O(log *n*) in the objects of the realm |
  /// | a user | their roles |
  /// | a role | its members |
  /// | a permission | the entries of the lists of the realm and of classes that hold it |
  /// | the realm, a class | the entries of its list |
  /// | the declaration of one of the five classes | everything |
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func changes(after touches: PermissionTouches, to table: PermissionTable) throws -> [PermissionTableChange] {
    try translatingErrors {
      if touches.isWhole { return table.changes(to: try self.table()) }
      var changes: [PermissionTableChange] = []
      var (roles, members) = (touches.roles, touches.members)
      for user in touches.users.sorted() {
        let isThere = try row(user.rawValue, layouts.users) != nil
        if isThere != table.users.contains(user) { changes.append(isThere ? .addUser(user) : .removeUser(user)) }
        for role in Set(try self.roles(of: user)).union(table.roleNames(of: user)) {
          members[role, default: []].insert(user)
        }
      }
      for (role, users) in members.sorted(by: { $0.key < $1.key }) where !roles.contains(role) {
        guard let known = table.members(of: role), let row = try row(role.rawValue, layouts.roles?.layout) else {
          roles.insert(role)
          continue
        }
        for user in users.sorted() {
          let isMember = try has(user, as: row)
          guard isMember != known.contains(user) else { continue }
          changes.append(isMember ? .addMember(user, to: role) : .removeMember(user, from: role))
        }
      }
      for role in roles.sorted() { changes += table.changes(of: role, to: try self.members(of: role)) }
      return try changes + listChanges(touches, table)
    }
  }

  /// Whether a user is a member of the role in a row. O(log *n*).
  func has(_ user: UserId, as role: RowKey) throws -> Bool {
    guard let users = layouts.users, let row = try row(user.rawValue, users),
      let backlinks = layouts.roles?.list?.backlinks, let field = layouts.roles?.list
    else { return false }
    return try readView.contains(linkKey(field, users.table, row), role, backlinks)
  }

  private func listChanges(_ touches: PermissionTouches, _ table: PermissionTable) throws -> [PermissionTableChange] {
    var (isRealmTouched, names) = (touches.touchesRealm, touches.classes)
    for key in touches.permissions {
      guard let layout = layouts.permissions else { break }
      // Links to an object that a peer erased lead to its name.
      for row in [try readView.row(key, layout), try readView.nameRow(key, layout.table)].compactMap({ $0 }) {
        if let realm = layouts.realm?.list {
          isRealmTouched = try isRealmTouched || !readView.origins(realm, of: layout.table, row).isEmpty
        }
        guard let classes = layouts.classes, let list = classes.list else { continue }
        names.formUnion(
          try readView.origins(list, of: layout.table, row).compactMap { try name($0, classes.layout) })
      }
    }
    var changes: [PermissionTableChange] = []
    if isRealmTouched, case let list = try realmList(), list != table.realmList { changes.append(.setRealmList(list)) }
    for name in names.sorted() {
      let list = try list(ofClass: name)
      if list != table.list(ofClass: name) { changes.append(.setClassList(name, list)) }
    }
    return changes
  }
}

extension PermissionTable {
  /// The changes that make this table say what another one says.
  fileprivate func changes(to other: PermissionTable) -> [PermissionTableChange] {
    var changes = users.subtracting(other.users).sorted().map { PermissionTableChange.removeUser($0) }
    changes += other.users.subtracting(users).sorted().map { .addUser($0) }
    for role in Set(roles).union(other.roles).sorted() {
      changes += self.changes(of: role, to: other.members(of: role))
    }
    if realmList != other.realmList { changes.append(.setRealmList(other.realmList)) }
    for name in Set(classesWithList).union(other.classesWithList).sorted()
    where list(ofClass: name) != other.list(ofClass: name) {
      changes.append(.setClassList(name, other.list(ofClass: name)))
    }
    return changes
  }

  /// The changes that give a role these members; nil stands for no role.
  fileprivate func changes(of role: RoleName, to members: Set<UserId>?) -> [PermissionTableChange] {
    guard let members else { return self.members(of: role) == nil ? [] : [.removeRole(role)] }
    let known = self.members(of: role)
    return (known == nil ? [.addRole(role)] : [])
      + (known ?? []).subtracting(members).sorted().map { .removeMember($0, from: role) }
      + members.subtracting(known ?? []).sorted().map { .addMember($0, to: role) }
  }
}
