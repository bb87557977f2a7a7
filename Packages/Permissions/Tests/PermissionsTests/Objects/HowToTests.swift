import Permissions
import Testing

@Suite("How to share and protect")
struct HowToTests {
  @Test("users add themselves to roles until the class of roles is read-only for everyone")
  func rolesAreProtected() {
    var scene = Scene(classes: ["Dog"], users: ["ann", "ben"])
    scene.table.apply([
      .addMember("ann", to: "administrator"),
      .setClassList("__Role", [PermissionEntry(.everyone, .all), PermissionEntry("administrator", .all)]),
    ])
    #expect(scene.allows("ben", .changeMembers(of: "administrator")))
    #expect(scene.change("__Role", by: "ann") { $0.subtract([.create, .update, .delete]) }.isAllowed)
    let refused = scene.decide("ben", .changeMembers(of: "administrator"))
    #expect(refused.rule == .permissionClass)
    #expect(refused.roles == ["administrator"])
    #expect(!scene.allows("ben", .create(inClass: "__Role")))
    #expect(!scene.allows("ben", .delete(ObjectFacts("__Role"))))
    #expect(scene.allows("ben", .read(ObjectFacts("__Role"))))
    #expect(scene.allows("ann", .changeMembers(of: "administrator")))
    #expect(scene.allows("root", .changeMembers(of: "administrator")))
  }

  @Test("an object is shared with one other user by private roles, in the transaction that creates it")
  func sharedObject() {
    let scene = Scene(classes: ["Person"], users: ["ann", "ben", "cleo"])
    let list: AccessList = [
      PermissionEntry(.privateRole(of: "ann"), [.read, .update, .delete, .setPermissions]),
      PermissionEntry(.privateRole(of: "ben"), .read),
    ]
    #expect(scene.allows("ann", .create(inClass: "Person")))
    #expect(scene.allows("ann", .changeList(of: ObjectFacts("Person", list: .empty, isNew: true), to: list)))
    let person = ObjectFacts("Person", list: list)
    let may = { (user: UserId) in
      scene.permissions(of: user).privileges(onObjectWith: list, inClass: "Person", of: scene.table)
    }
    #expect(may("ann") == [.read, .update, .delete, .setPermissions])
    #expect(may("ben") == .read)
    #expect(may("cleo") == [])
    #expect(may("root") == .objectPrivileges)
    #expect(scene.allows("ann", .changeList(of: person, to: [])))
  }

  @Test("creating an object gives its creator nothing afterwards")
  func creatorsAddThemselves() {
    let scene = Scene(classes: ["Person"], users: ["ann"])
    #expect(scene.allows("ann", .update(ObjectFacts("Person", list: .empty, isNew: true))))
    #expect(scene.decide("ann", .read(ObjectFacts("Person", list: .empty))).rule == .emptyList)
    #expect(scene.allows("root", .update(ObjectFacts("Person", list: .empty))))
  }

  @Test("with create and without update, a new object is written in its transaction and not after it")
  func createWithoutUpdate() {
    var scene = Scene(classes: ["Ticket"], users: ["ann"])
    scene.table.apply(.setClassList("Ticket", [PermissionEntry(.everyone, [.read, .create, .query])]))
    let list: AccessList = [PermissionEntry(.everyone, .all)]
    #expect(scene.allows("ann", .create(inClass: "Ticket")))
    #expect(scene.decide("ann", .update(ObjectFacts("Ticket", isNew: true))).rule == .creator)
    #expect(scene.allows("ann", .changeList(of: ObjectFacts("Ticket", list: [], isNew: true), to: list)))
    #expect(scene.decide("ann", .update(ObjectFacts("Ticket", list: list))).scope == .class("Ticket"))
  }

  @Test("nobody grants more than they have")
  func grants() {
    var scene = Scene(classes: ["Dog"], users: ["ann"])
    scene.table.apply([
      .addMember("ann", to: "keepers"),
      .setRealmList([PermissionEntry("keepers", .all.subtracting(.modifySchema))]),
      .setClassList("Dog", [PermissionEntry("keepers", .all.subtracting(.create))]),
    ])
    func realm(_ privileges: Privileges) -> ObjectDecision {
      let list = scene.table.realmList.entries + [PermissionEntry("x", privileges)]
      return scene.decide("ann", .changeRealmList(to: .entries(list)))
    }
    func dog(_ privileges: Privileges) -> ObjectDecision {
      scene.decide("ann", .changePermission(to: PermissionEntry("x", privileges), isNew: true, usedIn: [.class("Dog")]))
    }
    #expect(realm([.read, .setPermissions]).isAllowed)
    #expect(realm(.all).rule == .grantsMore)
    #expect(realm(.all).missing == .modifySchema)
    #expect(dog([.read, .query]).isAllowed)
    #expect(dog(.all).missing == [.create, .modifySchema])
    #expect(scene.allows("root", .changeRealmList(to: .open)))

    let mine = ObjectFacts("Dog", list: [PermissionEntry("keepers", [.read, .setPermissions])])
    let more: AccessList = [PermissionEntry("keepers", [.read, .setPermissions, .delete])]
    #expect(scene.decide("ann", .changeList(of: mine, to: more)).missing == .delete)
    #expect(scene.allows("ann", .changeList(of: mine, to: [])))
  }

  @Test("lists of the realm and of classes need setPermissions on the classes that hold them")
  func listsAreObjects() {
    var scene = Scene(classes: ["Dog"], users: ["ann"])
    #expect(scene.change("__Realm", by: "ann") { $0.remove(.setPermissions) }.isAllowed)
    #expect(scene.changeRealm(by: "ann") { $0.remove(.query) }.scope == .class("__Realm"))
    #expect(scene.change("Dog", by: "ann") { $0.remove(.query) }.isAllowed)
    #expect(scene.change("__Class", by: "ann") { $0.remove(.setPermissions) }.isAllowed)
    #expect(scene.change("Dog", by: "ann") { $0.remove(.create) }.scope == .class("__Class"))
  }

  @Test("a permission in several lists is changed by those who may change them all")
  func sharedPermission() {
    let scene = Scene(classes: ["Dog"], users: ["ann", "ben"])
    let hers = ObjectFacts("Dog", list: [PermissionEntry(.privateRole(of: "ann"), .all), PermissionEntry("x", .read)])
    let his = ObjectFacts("Dog", list: [PermissionEntry(.privateRole(of: "ben"), .all), PermissionEntry("x", .read)])
    func change(_ uses: [PermissionUse]) -> ObjectAction {
      .changePermission(to: PermissionEntry("x", []), usedIn: uses)
    }
    #expect(scene.allows("ann", change([.object(hers)])))
    #expect(scene.decide("ann", change([.object(hers), .object(his)])).level == .object)
    #expect(scene.allows("root", change([.object(hers), .object(his)])))
    #expect(!scene.allows("ann", .deletePermission(usedIn: [.object(his)])))
  }

  @Test("privileges are all false for those who may not read the classes of permissions")
  func hiddenMetadata() {
    var scene = Scene(classes: ["Dog"], users: ["ann"])
    #expect(scene.permissions(of: "ann").preview(ofClass: "Dog") == .classPrivileges)
    #expect(scene.change("__Permission", by: "ann") { $0.remove(.read) }.isAllowed)
    let ann = scene.permissions(of: "ann")
    #expect(ann.realmPreview == [])
    #expect(ann.preview(ofClass: "Dog") == [])
    #expect(ann.preview(ofObjectWith: .missing, inClass: "Dog", of: scene.table) == [])
    #expect(ann.privileges(onClass: "Dog") == .all)
    #expect(scene.permissions(of: "root").realmPreview == .realmPrivileges)
  }
}
