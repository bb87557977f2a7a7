import DataModel
import Foundation
import Permissions

/// The rights of users inside a realm, asked for one object after the other.
let permissionBenchmarks = Suite(prefix: "subscriptions.permission-") { report in
  guard report.wants("subscriptions.permission-checks") else { return }
  let (table, users, lists) = permissionScene()
  var readable = 0
  let rounds = 20
  let time = median(
    (0..<7).map { _ in
      processorSeconds {
        for _ in 0..<rounds {
          for user in users {
            for list in lists where user.privileges(onObjectWith: list, inClass: "Note", of: table).contains(.read) {
              readable += 1
            }
          }
        }
      }
    })
  consume(readable)
  let checks = Double(rounds * users.count * lists.count)
  report.row(
    "subscriptions.permission-checks", "one user's rights on an object with a list of three, by compiled roles",
    ours: time / checks, rival: nil, unit: "s", .atMost(0.000_001))
  report.row("subscriptions.permission-rate", "such checks per second", ours: checks / time, rival: nil, unit: "/s")
}

/// A realm of 200 roles with five members each, users of it, and access lists of three roles.
private func permissionScene() -> (PermissionTable, [UserPermissions], [AccessList]) {
  var table = PermissionTable()
  let names = (0..<200).map { RoleName("role \($0)") }
  for (number, name) in names.enumerated() {
    for member in 0..<5 {
      let user = (number * 7 + member * 13) % 100
      table.apply(.addMember(UserId("user \(user)"), to: name))
    }
  }
  table.apply(.setRealmList(.open))
  table.apply(.setClassList("Note", .open))
  let lists = (0..<100).map { number in
    AccessList.entries((0..<3).map { PermissionEntry(names[(number * 3 + $0 * 31) % names.count], [.read, .update]) })
  }
  let users = (0..<100).map { UserPermissions(table, user: UserId("user \($0)")) }
  return (table, users, lists)
}
