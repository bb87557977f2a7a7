import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// Writes changes of a permission table as objects of the five classes.
struct PermissionWriter {
  let writer: StoreWriter
  private let layouts: PermissionLayouts

  init(_ writer: StoreWriter) {
    self.writer = writer
    layouts = PermissionLayouts(writer.catalog)
  }

  /// Writes one change. An object that is there already is used.
  func apply(_ change: PermissionTableChange) throws {
    switch change {
    case .addUser(let user): _ = try object(user.rawValue, layouts.users)
    case .removeUser(let user): try erase(.string(user.rawValue), layouts.users)
    case .addRole(let role): _ = try object(role.rawValue, layouts.roles?.layout)
    case .removeRole(let role): try erase(.string(role.rawValue), layouts.roles?.layout)
    case .addMember(let user, let role):
      let (cell, link) = try membership(user, role)
      if try !PermissionReader(writer.readView).has(user, as: cell.row) { try writer.append([link], cell) }
    case .removeMember(let user, let role):
      guard try isThere(user.rawValue, layouts.users), try isThere(role.rawValue, layouts.roles?.layout) else { return }
      let (cell, link) = try membership(user, role)
      while let position = try writer.readView.list(cell).firstPosition(of: link) {
        try writer.removeElement(at: position, cell)
      }
    case .setRealmList(let list): try set(list, .int(Int64(PermissionClass.realmObjectId)), layouts.realm)
    case .setClassList(let name, let list): try set(list, .string(name), layouts.classes)
    }
  }

  /// Makes a user the only member of a role, whoever was.
  ///
  /// - Complexity: O(*n*) in the members.
  func setOnlyMember(_ user: UserId, of role: RoleName) throws {
    let (cell, link) = try membership(user, role)
    try writer.clearList(cell)
    try writer.append([link], cell)
  }

  /// Links a user to their private role, which programs share with by that link, whatever somebody made of it.
  ///
  /// - Returns: whether something was written.
  func linkPrivateRole(of user: UserId) throws -> Bool {
    guard let users = layouts.users, let roles = layouts.roles?.layout,
      let field = users.field(PermissionClass.roleProperty)
    else { return false }
    let cell = Cell(users, try object(user.rawValue, users), field)
    let role = StoredValue.link(roles.table, try object(RoleName.privateRole(of: user).rawValue, roles))
    guard try writer.readView.value(cell) != role else { return false }
    try writer.set(role, cell)
    return true
  }

  private func set(_ list: AccessList, _ key: ObjectKey, _ listing: PermissionLayouts.Listing?) throws {
    guard case .entries(let entries) = list else { return try erase(key, listing?.layout) }
    guard let listing, let field = listing.list, let permissions = layouts.permissions else { throw Self.missing }
    let cell = Cell(listing.layout, try writer.create(key, listing.layout), field)
    try writer.clearList(cell)
    for entry in entries {
      try writer.append([.link(permissions.table, try permission(entry, permissions))], cell)
    }
  }

  /// A new permission object: each list has its own, so that a change of one list changes no other.
  func permission(_ entry: PermissionEntry, _ layout: ClassLayout) throws -> RowKey {
    guard let roles = layouts.roles?.layout, let role = layouts.role else { throw Self.missing }
    let row = try writer.createNew(try writer.nextGlobalKey(layout), layout, indexesDefaults: true)
    let target = try writer.linkRow(.string(entry.role.rawValue), roles)
    try writer.set(.link(roles.table, target), Cell(layout, row, role))
    for flag in layouts.flags where entry.privileges.contains(flag.privilege) {
      try writer.set(.bool(true), Cell(layout, row, flag.field))
    }
    return row
  }

  private func membership(_ user: UserId, _ role: RoleName) throws -> (Cell, StoredValue) {
    guard let roles = layouts.roles, let field = roles.list, let users = layouts.users else { throw Self.missing }
    let cell = Cell(roles.layout, try object(role.rawValue, roles.layout), field)
    return (cell, .link(users.table, try object(user.rawValue, users)))
  }

  private func isThere(_ name: String, _ layout: ClassLayout?) throws -> Bool {
    try layout.flatMap { try writer.readView.row(.string(name), $0) } != nil
  }

  private func object(_ name: String, _ layout: ClassLayout?) throws -> RowKey {
    guard let layout else { throw Self.missing }
    return try writer.create(.string(name), layout)
  }

  private func erase(_ key: ObjectKey, _ layout: ClassLayout?) throws {
    guard let layout, let row = try writer.readView.row(key, layout) else { return }
    try writer.erase(row, layout, incoming: .nullify)
  }

  private static var missing: RecordStoreError {
    RecordStoreError(
      .invalidInput, "The file has no classes of permissions. Open its permissions first, with openPermissions().")
  }
}
