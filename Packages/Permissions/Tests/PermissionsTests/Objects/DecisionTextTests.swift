import Permissions
import Testing

@Suite("Reasons of decisions")
struct DecisionTextTests {
  /// A realm in which `ann` lacks this and that.
  static var table: PermissionTable {
    var table = PermissionTable()
    table.apply(PermissionDefaults.opening(table, classes: ["Dog", "Cat", "Fish"]))
    table.apply(PermissionDefaults.connecting("ann", to: table))
    table.apply([
      .setClassList("Dog", [PermissionEntry(.everyone, [.read, .query]), PermissionEntry("keepers", .all)]),
      .setClassList("Cat", []), .setClassList("Fish", [PermissionEntry(.privateRole(of: "ben"), .all)]),
    ])
    return table
  }

  @Test(
    "a refusal names privilege, place and remedy",
    arguments: [
      (
        ObjectAction.update(ObjectFacts("Dog")), "update is not granted on class 'Dog'; role 'keepers' has it",
        "refused at class level: a privilege is granted at every level that has a say (update on class 'Dog') [keepers]"
      ),
      (
        .subscribe(toClass: "Cat"),
        "the access list of class 'Cat' is empty, which denies everybody but administrators",
        "refused at class level: an empty access list denies everybody (query on class 'Cat')"
      ),
      (
        .delete(ObjectFacts("Fish")), "read is not granted on class 'Fish'; ask somebody who has it",
        "refused at class level: without read on a level there is nothing below it (read on class 'Fish') [__User:ben]"
      ),
      (
        .read(ObjectFacts("Dog", list: [PermissionEntry("a", .all), PermissionEntry("b", .read)])),
        "read is not granted on this object of class 'Dog'; roles 'a', 'b' have it",
        "refused at object level: a privilege is granted at every level that has a say "
          + "(read on this object of class 'Dog') [a, b]"
      ),
      (.read(ObjectFacts("Dog")), "allowed", "allowed: every level that has a say grants it"),
    ] as [(ObjectAction, String, String)])
  func texts(action: ObjectAction, reason: String, explanation: String) {
    let decision = UserPermissions(Self.table, user: "ann").decide(action, in: Self.table)
    #expect(decision.reason == reason)
    #expect(decision.explanation == explanation)
  }

  @Test("of long names a reason has the beginning, of many roles the first three")
  func longNames() {
    let long = String(repeating: "x", count: 100_000)
    let entries = (1...5).map { PermissionEntry(RoleName("\($0)\(long)"), .all) }
    let decision = UserPermissions(Self.table, user: "ann").decide(
      .read(ObjectFacts("Dog", list: .entries(entries))), in: Self.table)
    #expect(decision.roles.count == 5)
    #expect(decision.reason.hasSuffix("…' and 2 more have it"))
    #expect(decision.reason.utf8.count < 400)
    #expect(decision.explanation.utf8.count < 600)
    let role = ObjectAction.changeMembers(of: RoleName(long)).summary
    #expect(role == "changing the members of role '\(String(repeating: "x", count: 64))…'")
    #expect(ObjectAction.addClass(long).summary.utf8.count < 100)
    #expect(PermissionScope.class(long).description.utf8.count < 100)
  }

  @Test("read-only realms, tokens and grants have sentences of their own")
  func others() {
    var table = Self.table
    let reader = UserPermissions(table, user: "ann", tokenBound: Privileges(bound: .read))
    #expect(
      reader.decide(.create(inClass: "Dog"), in: table).reason
        == "the access token does not allow update, create; log in with more access")
    let everything = AccessList.entries(
      table.list(ofClass: "Dog").entries + [PermissionEntry(.everyone, [.setPermissions])])
    table.apply(.setClassList("Dog", everything))
    let ann = UserPermissions(table, user: "ann")
    #expect(
      ann.decide(.changeClassList(of: "Dog", to: .open), in: table).reason
        == "update, delete, create, modifySchema cannot be granted on class 'Dog' by a user without it; "
        + "role 'keepers' has it")
    table.apply(.setRealmList([PermissionEntry(.everyone, [.read, .query])]))
    #expect(
      UserPermissions(table, user: "ann").decide(.update(ObjectFacts("Dog")), in: table).reason
        == "the realm is read-only for this user; ask an administrator")
  }

  @Test("a user who may not read the classes of permissions hears of no role")
  func discretion() {
    var table = Self.table
    table.apply(.setClassList("__Role", []))
    let decision = UserPermissions(table, user: "ann").decide(.update(ObjectFacts("Dog")), in: table)
    #expect(decision.reason == "update is not granted on class 'Dog'; ask somebody who has it")
    #expect(decision.roles == ["keepers"])
  }

  @Test("every action and rule has a text of its own")
  func distinct() {
    let dog = ObjectFacts("Dog")
    let actions: [ObjectAction] = [
      .read(dog), .subscribe(toClass: "Dog"), .create(inClass: "Dog"), .update(dog), .changeList(of: dog, to: []),
      .delete(dog), .changeRealmList(to: []), .changeClassList(of: "Dog", to: []),
      .changePermission(to: PermissionEntry("a", []), usedIn: []), .deletePermission(usedIn: []),
      .changeMembers(of: "a"), .addClass("Dog"), .addProperty(toClass: "Dog"),
    ]
    #expect(Set(actions.map(\.summary)).count == actions.count)
    #expect(Set(PermissionRule.allCases.map(\.sentence)).count == PermissionRule.allCases.count)
    #expect(!ObjectAction.changeMembers(of: .privateRole(of: "ben")).summary.contains("ben"))
  }
}
