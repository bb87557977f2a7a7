public import Permissions

extension WorldMaker {
  /// One change of the facts of a table.
  public mutating func change() -> PermissionTableChange {
    let user = UserId(pick(Self.users))
    let role = RoleName(pick(Self.roles + ["new"]))
    let list = once(in: 8) ? AccessList.missing : AccessList(list(generous: true))
    return switch Int(random.next() >> 33) % 8 {
    case 0: .addUser(user)
    case 1: .removeUser(user)
    case 2: .addRole(role)
    case 3: .removeRole(role)
    case 4: .addMember(user, to: role)
    case 5: .removeMember(user, from: role)
    case 6: .setRealmList(list)
    default: .setClassList(pick(Self.classes), list)
    }
  }
}
