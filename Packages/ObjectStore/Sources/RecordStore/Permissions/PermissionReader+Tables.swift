public import Permissions
import StorageEngine

extension PermissionReader {
  /// All facts: users, roles with their members, the lists of the realm and its classes.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) for *n* users, members and entries. To be made once for a realm and kept up by
  ///   ``changes(after:to:)``.
  public func table() throws -> PermissionTable {
    try translatingErrors {
      var table = PermissionTable()
      try forEach(layouts.users) { user, _ in table.apply(.addUser(UserId(user))) }
      try forEach(layouts.roles?.layout) { role, row in
        table.apply(.addRole(RoleName(role)))
        for member in try members(row) { table.apply(.addMember(member, to: RoleName(role))) }
      }
      try addLists(to: &table)
      return table
    }
  }

  /// The facts that matter to one user: their roles, the lists of the realm and its classes.
  ///
  /// Other users, roles and members are not in it, so that previews cost the same in a realm of many users.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) for *n* roles of the user and entries of lists.
  public func table(of user: UserId) throws -> PermissionTable {
    try translatingErrors {
      var table = PermissionTable()
      if try row(user.rawValue, layouts.users) != nil { table.apply(.addUser(user)) }
      for role in try roles(of: user) { table.apply(.addMember(user, to: role)) }
      try addLists(to: &table)
      return table
    }
  }

  /// The roles of a user that exist.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n* log *m*) for *n* roles of the user in a realm of *m* roles.
  public func roles(of user: UserId) throws -> [RoleName] {
    try translatingErrors {
      guard let users = layouts.users, let row = try row(user.rawValue, users), let roles = layouts.roles,
        let members = roles.list
      else { return [] }
      return try readView.origins(members, of: users.table, row).compactMap { role in
        try name(role, roles.layout).map { RoleName($0) }
      }
    }
  }

  /// The members of a role; nil when it does not exist.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) for *n* members.
  public func members(of role: RoleName) throws -> Set<UserId>? {
    try translatingErrors { try row(role.rawValue, layouts.roles?.layout).map { Set(try members($0)) } }
  }

  /// The users in the list of a role, but for those that were erased.
  private func members(_ role: RowKey) throws -> [UserId] {
    guard let roles = layouts.roles, let field = roles.list, let users = layouts.users else { return [] }
    return try readView.list(Cell(roles.layout, role, field)).elements().compactMap { element in
      guard case .link(_, let row) = element, !row.isUnresolved else { return nil }
      return try name(row, users).map { UserId($0) }
    }
  }

  private func addLists(to table: inout PermissionTable) throws {
    table.apply(.setRealmList(try realmList()))
    guard let classes = layouts.classes else { return }
    try forEach(classes.layout) { name, row in table.apply(.setClassList(name, try list(ofRow: row, classes))) }
  }

  /// Calls `body` with each object of a class that has a text as its key.
  private func forEach(_ layout: ClassLayout?, _ body: (String, RowKey) throws -> Void) throws {
    guard let layout else { return }
    for row in try readView.rows(layout) {
      if let name = try name(row, layout) { try body(name, row) }
    }
  }
}
