/// The roles of one realm with their members, numbered.
///
/// A name keeps its number for ever, also when the role is removed and made again, and gets one when a list names it
/// before it exists.
struct RoleDirectory: Sendable {
  private(set) var names: [RoleName] = []
  private var numbers: [RoleName: Int] = [:]
  /// The members of the roles that exist.
  private(set) var members: [RoleName: Set<UserId>] = [:]
  private var memberships: [UserId: RoleSet] = [:]

  /// The number of a name that has one.
  func number(of role: RoleName) -> Int? { numbers[role] }

  /// The roles of a user.
  func roles(of user: UserId) -> RoleSet { memberships[user] ?? RoleSet() }

  /// The number of a name, given now if it has none.
  @discardableResult
  mutating func number(for role: RoleName) -> Int {
    if let number = numbers[role] { return number }
    numbers[role] = names.count
    names.append(role)
    return names.count - 1
  }

  mutating func add(_ role: RoleName) {
    number(for: role)
    if members[role] == nil { members[role] = [] }
  }

  mutating func remove(_ role: RoleName) {
    guard let number = numbers[role], let former = members.removeValue(forKey: role) else { return }
    for user in former { memberships[user]?.remove(number) }
  }

  mutating func add(_ user: UserId, to role: RoleName) {
    add(role)
    members[role]?.insert(user)
    let number = number(for: role)
    memberships[user, default: RoleSet()].insert(number)
  }

  mutating func remove(_ user: UserId, from role: RoleName) {
    guard let number = numbers[role], members[role]?.remove(user) != nil else { return }
    memberships[user]?.remove(number)
  }

  mutating func remove(_ user: UserId) {
    let roles = memberships.removeValue(forKey: user) ?? RoleSet()
    for (number, role) in names.enumerated() where roles.contains(number) { members[role]?.remove(user) }
  }
}
