/// The roles of one realm with their members, numbered.
///
/// A role has a number while it exists or while a list of the realm or of a class names it. The number is never given to
/// another name; that of a role that is neither is forgotten.
struct RoleDirectory: Sendable {
  private struct Role: Sendable {
    let number: Int
    /// Nil while the role does not exist.
    var members: Set<UserId>?
    /// The entries of lists that name it.
    var namings = 0
  }

  private var roles: [RoleName: Role] = [:]
  private var names: [Int: RoleName] = [:]
  private var memberships: [UserId: RoleSet] = [:]
  private var next = 0

  /// The number of a name that has one.
  func number(of role: RoleName) -> Int? { roles[role]?.number }

  /// The names that have numbers.
  var numberedNames: Int { names.count }

  /// The roles that exist, in order.
  var existing: [RoleName] { roles.filter { $0.value.members != nil }.map(\.key).sorted() }

  /// The members of a role; nil when it does not exist.
  func members(of role: RoleName) -> Set<UserId>? { roles[role]?.members }

  /// The roles of a user.
  func roles(of user: UserId) -> RoleSet { memberships[user] ?? RoleSet() }

  /// The roles of a user by name, in order.
  func roleNames(of user: UserId) -> [RoleName] { roles(of: user).numbers.compactMap { names[$0] }.sorted() }

  /// The roles of one user, with the same numbers and no other member.
  func restricted(to user: UserId) -> RoleDirectory {
    var own = RoleDirectory()
    own.next = next
    own.memberships[user] = memberships[user]
    for number in roles(of: user).numbers {
      guard let name = names[number] else { continue }
      own.names[number] = name
      own.roles[name] = Role(number: number, members: [user])
    }
    return own
  }

  // MARK: Changes

  mutating func add(_ role: RoleName) {
    let number = number(for: role)
    if roles[role]?.members == nil { roles[role] = Role(number: number, members: [], namings: namings(of: role)) }
  }

  mutating func remove(_ role: RoleName) {
    guard let known = roles[role], let former = known.members else { return }
    roles[role] = Role(number: known.number, members: nil, namings: known.namings)
    for user in former { leave(user, known.number) }
    forgetUnused(role)
  }

  mutating func add(_ user: UserId, to role: RoleName) {
    add(role)
    roles[role]?.members?.insert(user)
    memberships[user, default: RoleSet()].insert(number(for: role))
  }

  mutating func remove(_ user: UserId, from role: RoleName) {
    guard let number = roles[role]?.number, roles[role]?.members?.remove(user) != nil else { return }
    leave(user, number)
  }

  mutating func remove(_ user: UserId) {
    let former = memberships.removeValue(forKey: user) ?? RoleSet()
    for role in former.numbers.compactMap({ names[$0] }) { roles[role]?.members?.remove(user) }
  }

  /// Numbers the roles of a list that is going to be kept.
  mutating func name(_ entries: [PermissionEntry]) {
    for entry in entries {
      _ = number(for: entry.role)
      roles[entry.role]?.namings += 1
    }
  }

  /// Takes back the naming of a list that is no longer kept.
  mutating func unname(_ entries: [PermissionEntry]) {
    for entry in entries {
      roles[entry.role]?.namings -= 1
      forgetUnused(entry.role)
    }
  }

  private func namings(of role: RoleName) -> Int { roles[role]?.namings ?? 0 }

  /// The number of a name, given now if it has none.
  private mutating func number(for role: RoleName) -> Int {
    if let number = roles[role]?.number { return number }
    let number = next
    next += 1
    roles[role] = Role(number: number, members: nil)
    names[number] = role
    return number
  }

  private mutating func leave(_ user: UserId, _ number: Int) {
    memberships[user]?.remove(number)
    if memberships[user]?.isEmpty == true { memberships[user] = nil }
  }

  private mutating func forgetUnused(_ role: RoleName) {
    guard let known = roles[role], known.members == nil, known.namings <= 0 else { return }
    roles[role] = nil
    names[known.number] = nil
  }
}
