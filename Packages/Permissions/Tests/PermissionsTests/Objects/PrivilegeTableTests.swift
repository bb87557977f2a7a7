import Permissions
import Testing

/// The deeds that the documented tables speak of, for one class and one object of it.
enum TableDeed: String, CaseIterable {
  case read, subscribe, create, update, delete, changeObjectList, changeClassList, changeRealmList, addClass
  case addProperty

  func action(_ object: ObjectFacts, _ table: PermissionTable) -> ObjectAction {
    switch self {
    case .read: .read(object)
    case .subscribe: .subscribe(toClass: object.className)
    case .create: .create(inClass: object.className)
    case .update: .update(object)
    case .delete: .delete(object)
    case .changeObjectList: .changeList(of: object, to: object.list)
    case .changeClassList: .changeClassList(of: object.className, to: table.list(ofClass: object.className))
    case .changeRealmList: .changeRealmList(to: table.realmList)
    case .addClass: .addClass("Cat")
    case .addProperty: .addProperty(toClass: object.className)
    }
  }

  static let changes: Set<TableDeed> = Set(allCases).subtracting([.read, .subscribe])
}

/// One cell of the documented tables: without the privilege at the level, exactly these deeds are refused there.
struct Cell: Sendable, CustomTestStringConvertible {
  var level: PermissionLevel
  var privilege: Privileges
  var refused: Set<TableDeed>

  init(_ level: PermissionLevel, _ privilege: Privileges, _ refused: Set<TableDeed>) {
    (self.level, self.privilege, self.refused) = (level, privilege, refused)
  }

  var testDescription: String { "\(level) without \(privilege)" }
}

@Suite("The seven privileges at the three levels")
struct PrivilegeTableTests {
  static let cells: [Cell] = [
    Cell(.realm, .read, Set(TableDeed.allCases)),
    Cell(.realm, .update, TableDeed.changes),
    Cell(.realm, .create, [.create]),
    Cell(.realm, .delete, [.delete]),
    Cell(.realm, .query, [.subscribe]),
    Cell(.realm, .setPermissions, [.changeRealmList, .changeClassList]),
    Cell(.realm, .modifySchema, [.addClass, .addProperty]),
    Cell(.class, .read, [.read, .update, .delete, .changeObjectList]),
    Cell(.class, .update, [.update]),
    Cell(.class, .create, [.create]),
    Cell(.class, .delete, [.delete]),
    Cell(.class, .query, [.subscribe]),
    Cell(.class, .setPermissions, [.changeClassList]),
    Cell(.class, .modifySchema, [.addProperty]),
    Cell(.object, .read, [.read]),
    Cell(.object, .update, [.update]),
    Cell(.object, .create, []),
    Cell(.object, .delete, [.delete]),
    Cell(.object, .query, []),
    Cell(.object, .setPermissions, [.changeObjectList]),
    Cell(.object, .modifySchema, []),
  ]

  @Test("a privilege that is missing at one level refuses exactly the deeds of its cell, there", arguments: cells)
  func disabled(cell: Cell) {
    func list(_ level: PermissionLevel) -> AccessList {
      [PermissionEntry("team", level == cell.level ? .all.subtracting(cell.privilege) : .all)]
    }
    var table = PermissionTable()
    table.apply([.addMember("ann", to: "team"), .setRealmList(list(.realm)), .setClassList("Dog", list(.class))])
    let ann = UserPermissions(table, user: "ann")
    let dog = ObjectFacts("Dog", list: list(.object))
    for deed in TableDeed.allCases {
      let decision = ann.decide(deed.action(dog, table), in: table)
      #expect(decision.isAllowed == !cell.refused.contains(deed), "\(deed)")
      if !decision.isAllowed {
        #expect(decision.level == cell.level, "\(deed)")
        #expect(decision.missing == cell.privilege, "\(deed)")
      }
    }
  }

  @Test(
    "lower levels only narrow: what a level denies, no lower one gives back",
    arguments: Privileges.named.map(\.name))
  func narrowing(name: String) throws {
    let privilege = try #require(Privileges.named.first { $0.name == name }?.privilege)
    let without: AccessList = [PermissionEntry("team", .all.subtracting(privilege))]
    let with: AccessList = [PermissionEntry("team", .all)]
    var table = PermissionTable()
    table.apply([.addMember("ann", to: "team"), .setRealmList(without), .setClassList("Dog", with)])
    let belowRealm = UserPermissions(table, user: "ann")
    #expect(!belowRealm.privileges(onClass: "Dog").contains(privilege))
    table.apply([.setRealmList(with), .setClassList("Dog", without)])
    let belowClass = UserPermissions(table, user: "ann")
    let object = belowClass.privileges(onObjectWith: with, inClass: "Dog", of: table)
    // The lists of objects ask for `setPermissions` in themselves alone: on a class it is for the list of the class.
    #expect(object.contains(privilege) == (privilege == .setPermissions))
    #expect(!belowClass.privileges(onObjectWith: .missing, inClass: "Dog", of: table).contains(privilege))
  }

  @Test("read on a level is no read on what is below it")
  func readOnlyMakesPossible() {
    var table = PermissionTable()
    table.apply([
      .addMember("ann", to: "team"), .setRealmList([PermissionEntry("team", .all)]),
      .setClassList("Secret", []), .setClassList("Dog", [PermissionEntry("team", .all)]),
    ])
    let ann = UserPermissions(table, user: "ann")
    #expect(ann.decide(.read(ObjectFacts("Secret")), in: table).level == .class)
    #expect(ann.decide(.read(ObjectFacts("Dog", list: [])), in: table).rule == .emptyList)
    #expect(ann.decide(.read(ObjectFacts("Dog")), in: table).isAllowed)
  }

  @Test("the masks of the levels are the documented ones")
  func masks() {
    #expect(PermissionLevel.realm.privileges == [.read, .update, .setPermissions, .modifySchema])
    #expect(PermissionLevel.class.privileges == .all.subtracting(.delete))
    #expect(PermissionLevel.object.privileges == [.read, .update, .delete, .setPermissions])
    #expect(Privileges.named.map { $0.privilege.rawValue } == [1, 2, 4, 8, 16, 32, 64])
    #expect(Privileges.named.allSatisfy { Privileges(storedProperty: $0.storedProperty) == $0.privilege })
    #expect(Privileges(storedProperty: "canShare") == nil)
    #expect(Privileges(rawValue: 255) == .all)
  }

  @Test("a token bounds its user as its level says", arguments: AccessLevel.allCases)
  func tokens(level: AccessLevel) {
    var table = PermissionTable()
    table.apply(PermissionDefaults.opening(table, classes: ["Dog"]))
    for isAdministrator in [false, true] {
      table.apply(PermissionDefaults.connecting("ann", to: table))
      let subject = AccessSubject(user: "ann", isAdministrator: isAdministrator, tokenLevel: level)
      let ann = UserPermissions(table, subject: subject)
      let dog = ObjectFacts("Dog", list: .open)
      for deed in TableDeed.allCases {
        let needed: AccessLevel =
          switch deed {
          case .read, .subscribe: .read
          case .create, .update, .delete: .write
          case .changeObjectList, .changeClassList, .changeRealmList, .addClass, .addProperty: .admin
          }
        let decision = ann.decide(deed.action(dog, table), in: table)
        #expect(decision.isAllowed == (level >= needed), "\(deed)")
        #expect(decision.isAllowed || decision.rule == .tokenBound, "\(deed)")
      }
    }
  }
}
