import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("What a server writes into a realm with permissions")
struct PermissionDefaultsStoredTests {
  func opened() throws -> RealmFile {
    let file = try memoryFile()
    try file.edit { editor in
      try editor.addClasses(
        Schema([ObjectSchema(className: "Dog", primaryKey: "id", properties: [Property(name: "id", type: .int)])]))
      try editor.openPermissions()
    }
    return file
  }

  @Test("a realm that is opened has open lists for itself and every class, each with an entry of its own")
  func opening() throws {
    let file = try opened()
    let table = try file.contents().permissions.table()
    #expect(table.realmList == .open)
    #expect(table.classesWithList == ["Dog"] + PermissionClass.allCases.map(\.rawValue).sorted())
    #expect(table.classesWithList.allSatisfy { table.list(ofClass: $0) == .open })
    #expect(table.members(of: .everyone) == [])
    #expect(try file.contents().count(of: "__Permission") == 7)
  }

  @Test("opening again writes nothing, and leaves a list that was tightened")
  func openingAgain() throws {
    let file = try opened()
    try file.edit { try $0.apply([.setRealmList([PermissionEntry(.everyone, .read)])]) }
    let before = try file.dump()
    #expect(try file.edit { try $0.openPermissions() } == false)
    #expect(try file.dump() == before)
  }

  @Test("a user who connects is put into everyone and a private role, once")
  func connecting() throws {
    let file = try opened()
    #expect(try file.contents().permissions.needsObjects(for: "ann"))
    #expect(try file.edit { try $0.connect("ann") })
    #expect(try file.edit { try $0.connect("ben") })
    let before = try file.dump()
    #expect(try file.edit { try $0.connect("ann") } == false)
    #expect(try file.dump() == before)
    let reader = try file.contents().permissions
    #expect(try !reader.needsObjects(for: "ann"))
    #expect(try reader.members(of: .everyone) == ["ann", "ben"])
    #expect(try reader.members(of: .privateRole(of: "ann")) == ["ann"])
    let ann = try file.contents().object(ObjectReference(className: "__User", key: .string("ann")))
    let role = ObjectReference(className: "__Role", key: .string("__User:ann"))
    #expect(ann?["role"] == .value(.link(role)))
  }

  @Test("a user made by hand is not put into everyone, and a squatted private role is cleared")
  func others() throws {
    let file = try opened()
    try file.edit { editor in
      try editor.apply([.addUser("eve"), .addMember("mallory", to: .privateRole(of: "ann"))])
      try editor.connect("eve")
      try editor.connect("ann")
    }
    let reader = try file.contents().permissions
    #expect(try reader.roles(of: "eve") == [.privateRole(of: "eve")])
    #expect(try reader.members(of: .privateRole(of: "ann")) == ["ann"])
  }

  @Test(
    "a user whom others prepared, with a role that they share, has a private role alone, also when they join it later")
  func prepared() throws {
    let file = try opened()
    let own = RoleName.privateRole(of: "ann")
    let (ann, role) = (
      ObjectReference(className: "__User", key: .string("ann")),
      ObjectReference(className: "__Role", key: .string("joint"))
    )
    try file.edit { editor in
      try editor.apply([.addUser("ann"), .addMember("mallory", to: own), .addMember("ann", to: own), .addRole("joint")])
    }
    try file.commit(
      [.update(Update(target: Target(object: ann, field: "role"), payload: .link(role)))], at: OriginTimestamp(1))
    for _ in 0..<2 {
      #expect(try file.contents().permissions.needsObjects(for: "ann"))
      #expect(try file.edit { try $0.connect("ann") })
      #expect(try !file.contents().permissions.needsObjects(for: "ann"))
      let reader = try file.contents().permissions
      #expect(try reader.members(of: own) == ["ann"])
      let link = ObjectReference(className: "__Role", key: .string(own.rawValue))
      #expect(try file.contents().object(ann)?["role"] == .value(.link(link)))
      try file.edit { try $0.apply([.addMember("mallory", to: own)]) }
    }
  }

  @Test("a class that is added gets an open list, unless it has one or the realm has no permissions")
  func addedClass() throws {
    let file = try opened()
    let cat = Schema([ObjectSchema(className: "Cat", primaryKey: "id", properties: [Property(name: "id", type: .int)])])
    try file.edit { editor in
      try editor.addClasses(cat)
      try editor.apply([.setClassList("Dog", [])])
      try editor.openPermissions(ofClasses: ["Cat", "Dog", "Unheard"])
    }
    let reader = try file.contents().permissions
    #expect(try reader.list(ofClass: "Cat") == .open)
    #expect(try reader.list(ofClass: "Dog") == .empty)
    #expect(try reader.list(ofClass: "Unheard") == .missing)
    let local = try memoryFile()
    try local.edit { editor in
      try editor.addClasses(cat)
      try editor.openPermissions(ofClasses: ["Cat"])
    }
    #expect(try local.contents().schema.objectSchema.map(\.className) == ["Cat"])
  }

  @Test("a member who is added twice is in the list once")
  func addedTwice() throws {
    let file = try opened()
    for _ in 0..<2 { try file.edit { try $0.apply([.addMember("ann", to: "keepers")]) } }
    let keepers = try file.contents().object(ObjectReference(className: "__Role", key: .string("keepers")))
    let ann = ObjectReference(className: "__User", key: .string("ann"))
    #expect(keepers?["members"] == .list([.value(.link(ann))]))
  }

  @Test("changes without the classes of permissions are refused in words")
  func withoutClasses() throws {
    let error = #expect(throws: RecordStoreError.self) { try memoryFile().edit { try $0.connect("ann") } }
    #expect(error?.localizedDescription.contains("openPermissions()") == true)
  }

  @Test("the classes are stored under the documented names and types")
  func stored() throws {
    let lines = try opened().contents().schema.objectSchema.filter { $0.className.hasPrefix("__") }.map { object in
      let fields = object.properties.map { "\($0.columnName):\($0.collection) \($0.type) \($0.objectClassName ?? "")" }
      return "\(object.className)(\(object.primaryKey ?? "")) \(fields.joined(separator: ", "))"
    }
    #expect(
      lines.sorted() == [
        "__Class(name) name:single string , permissions:list object __Permission",
        "__Permission() role:single object __Role, canRead:single bool , canUpdate:single bool , "
          + "canDelete:single bool , canSetPermissions:single bool , canQuery:single bool , canCreate:single bool , "
          + "canModifySchema:single bool ",
        "__Realm(id) id:single int , permissions:list object __Permission",
        "__Role(name) name:single string , members:list object __User",
        "__User(id) id:single string , role:single object __Role",
      ])
  }
}
