import PermissionsTestSupport
import TestKit
import Testing

@testable import Permissions

@Suite("Numbers of roles")
struct RoleNumberTests {
  @Test("a set of roles is a set of numbers")
  func law() {
    let environment = FuzzEnvironment(runs: 1_000)
    var random = environment.generator
    for _ in 0..<environment.runs {
      var (roles, numbers) = (RoleSet(), Set<Int>())
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        let number = Int.random(in: 0..<(Bool.random(using: &random) ? 70 : 1_000), using: &random)
        if Bool.random(using: &random) {
          roles.insert(number)
          numbers.insert(number)
        } else {
          roles.remove(number)
          numbers.remove(number)
        }
      }
      #expect(roles.numbers == numbers.sorted())
      #expect(roles == RoleSet(numbers))
      #expect(roles.isEmpty == numbers.isEmpty)
      #expect((0..<1_000).allSatisfy { roles.contains($0) == numbers.contains($0) })
    }
  }

  @Test("the number of a late role takes no more memory than an early one, in sets and in lists")
  func lateNumber() {
    let late = 1 << 40
    let roles = RoleSet([3, late])
    #expect(roles.numbers == [3, late])
    let list = CompiledAccessList([(late, .read), (late + 1, .update), (3, .delete)])
    #expect(list.privileges(of: roles) == [.read, .delete])
  }

  @Test("roles that come and go leave nothing")
  func forgotten() {
    var table = PermissionTable()
    for number in 0..<100 {
      let role = RoleName("guests \(number)")
      table.apply([.setClassList("Dog", [PermissionEntry(role, .read)]), .setRealmList([PermissionEntry(role, .all)])])
      table.apply([.addMember("ann", to: role), .removeMember("ann", from: role), .removeRole(role)])
    }
    #expect(table.directory.numberedNames == 1)
    table.apply([.setClassList("Dog", .missing), .setRealmList(.missing)])
    #expect(table.directory.numberedNames == 0)
    #expect(table.classesNaming.isEmpty)
    #expect(table.roles(of: "ann") == RoleSet())
  }

  @Test("a list goes on counting for a role that is removed and made again")
  func madeAgain() {
    var table = PermissionTable()
    table.apply([
      .setRealmList([PermissionEntry("guests", .all)]), .setClassList("Dog", [PermissionEntry("guests", .read)]),
    ])
    for _ in 0..<2 {
      table.apply(.addMember("ann", to: "guests"))
      #expect(UserPermissions(table, user: "ann").privileges(onClass: "Dog") == .read)
      table.apply(.removeRole("guests"))
      #expect(UserPermissions(table, user: "ann").privileges(onClass: "Dog") == [])
    }
  }
}
