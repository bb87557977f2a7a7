import Permissions
import Testing

@Suite("What the server sets up by itself")
struct PermissionDefaultsTests {
  @Test("a realm opened for the first time lets every user who connects do everything")
  func permissive() {
    let scene = Scene(classes: ["Dog", "__Role"], users: ["ann"])
    #expect(scene.table.realmList == .open)
    #expect(scene.table.classesWithList == ["Dog"] + PermissionClass.allCases.map(\.rawValue).sorted())
    let ann = scene.permissions(of: "ann")
    #expect(ann.privilegesOnRealm == .all)
    #expect(ann.privileges(onClass: "Dog") == .all)
    #expect(ann.privileges(onClass: "Unheard") == .all)
    #expect(scene.allows("ann", .addClass("Cat")))
  }

  @Test("opening again, and adding a class again, change nothing")
  func idempotent() {
    var scene = Scene(classes: ["Dog"], users: [])
    #expect(PermissionDefaults.opening(scene.table, classes: ["Dog", "Cat"]) == [])
    #expect(PermissionDefaults.addingClass("Cat", to: scene.table) == [.setClassList("Cat", .open)])
    scene.table.apply(.setClassList("Cat", []))
    #expect(PermissionDefaults.addingClass("Cat", to: scene.table) == [])
  }

  @Test("a realm without permissions refuses nothing, whatever other lists it has")
  func openRealm() {
    var table = PermissionTable()
    table.apply(.setClassList("Dog", []))
    let ann = UserPermissions(table, user: "ann")
    #expect(ann.decide(.delete(ObjectFacts("Dog", list: [])), in: table).rule == .openRealm)
    #expect(ann.realmPreview == .realmPrivileges)
    #expect(ann.preview(ofObjectWith: [], inClass: "Dog", of: table) == .objectPrivileges)
  }

  @Test("a user who connects first is put into everyone and a private role")
  func connecting() {
    let scene = Scene(classes: [], users: ["ann", "ben"])
    #expect(scene.table.users == ["ann", "ben"])
    #expect(scene.table.roles == ["__User:ann", "__User:ben", "everyone"])
    #expect(scene.table.members(of: .everyone) == ["ann", "ben"])
    #expect(scene.table.roleNames(of: "ben") == ["__User:ben", "everyone"])
    #expect(PermissionDefaults.connecting("ann", to: scene.table) == [])
  }

  @Test("a user made by hand is left out of everyone and gets a private role")
  func madeByHand() {
    var table = Scene(classes: [], users: []).table
    table.apply(.addUser("ann"))
    table.apply(PermissionDefaults.connecting("ann", to: table))
    #expect(table.roleNames(of: "ann") == ["__User:ann"])
    #expect(UserPermissions(table, user: "ann").privilegesOnRealm == [])
  }

  @Test("a private role that others made beforehand has only its user when that user arrives")
  func squattedRole() {
    var table = Scene(classes: [], users: ["mallory"]).table
    table.apply(.addMember("mallory", to: .privateRole(of: "ann")))
    table.apply(PermissionDefaults.connecting("ann", to: table))
    #expect(table.members(of: .privateRole(of: "ann")) == ["ann"])
  }

  @Test("a user and a private role that others made beforehand have no other member once the user arrives")
  func preparedUser() {
    var table = Scene(classes: [], users: ["mallory"]).table
    let role = RoleName.privateRole(of: "ann")
    table.apply([.addUser("ann"), .addMember("mallory", to: role), .addMember("ann", to: role)])
    table.apply(PermissionDefaults.connecting("ann", to: table))
    #expect(table.members(of: role) == ["ann"])
    #expect(PermissionDefaults.connecting("ann", to: table) == [])
  }

  @Test("roles of many users stay apart beyond the first 64")
  func manyRoles() {
    let users = (0..<200).map { UserId("u\($0)") }
    var table = Scene(classes: [], users: users).table
    for user in users { #expect(table.roleNames(of: user).count == 2) }
    let list: AccessList = [PermissionEntry(.privateRole(of: "u150"), .read)]
    let readers = users.filter { table.compiled(list).privileges(of: table.roles(of: $0)) == .read }
    #expect(readers == ["u150"])
    table.apply(.removeRole(.privateRole(of: "u150")))
    #expect(table.roleNames(of: "u150") == [.everyone])
    table.apply(.addMember("u7", to: .privateRole(of: "u150")))
    #expect(table.compiled(list).privileges(of: table.roles(of: "u7")) == .read)
  }

  @Test("private roles name their users")
  func privateRoles() {
    #expect(RoleName.privateRole(of: "ann") == "__User:ann")
    #expect(RoleName("__User:ann").privateUser == "ann")
    #expect(RoleName.everyone.privateUser == nil)
  }
}
