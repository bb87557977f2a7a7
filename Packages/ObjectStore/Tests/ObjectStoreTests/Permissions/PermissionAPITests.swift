import Foundation
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("Permissions by RealmSwift's API")
struct PermissionAPITests {
  @Test("a new realm allows everything, and what is cleared for everyone is gone")
  func documented() throws {
    let realm = try Realm.opened(for: "ann", "ben")
    #expect(realm.getPrivileges() == [.read, .update, .setPermissions, .modifySchema])
    #expect(realm.getPrivileges(Guarded.self) == [.read, .update, .setPermissions, .subscribe, .create])
    try realm.write {
      let entry = realm.permissions(forType: Guarded.self).findOrCreate(forRoleNamed: "everyone")
      entry.canUpdate = false
      entry.canQuery = false
      #expect(realm.getPrivileges(Guarded.self) == [.read, .setPermissions, .create])
      realm.permissions.findOrCreate(forRoleNamed: "everyone").canModifySchema = false
    }
    #expect(realm.getPrivileges(forClassNamed: "Dog") == [.read, .setPermissions, .create])
    #expect(realm.getPrivileges(Unguarded.self).contains(.update))
    #expect(realm.getPrivileges() == [.read, .update, .setPermissions])
    #expect(realm.permissions(forType: Guarded.self).count == 1)
  }

  @Test("an object is shared by entries for private roles, and one with an empty list is nobody's")
  func sharing() throws {
    let realm = try Realm.opened(for: "ann", "ben")
    let dog = try realm.write {
      let dog = realm.create(Guarded.self, value: ["id": 1])
      let own = dog.acl.findOrCreate(forRoleNamed: "__User:ann")
      own.canRead = true
      own.canUpdate = true
      own.canSetPermissions = true
      dog.acl.findOrCreate(forRoleNamed: "__User:ben").canRead = true
      realm.create(Guarded.self, value: ["id": 2])
      return dog
    }
    #expect(realm.getPrivileges(dog) == [.read, .update, .setPermissions])
    let other = try #require(realm.object(ofType: Guarded.self, forPrimaryKey: 2))
    #expect(realm.getPrivileges(other) == [])
    let bens = try Realm(configuration: queryBased("ben", realm.file.location))
    #expect(realm.freeze().getPrivileges() == realm.getPrivileges())
    // One view of a file serves a thread, so ben looks from another.
    let seen = try onThread { () throws -> ObjectPrivileges? in
      let bens = try Realm(configuration: queryBased("ben", bens.file.location))
      return bens.object(ofType: Guarded.self, forPrimaryKey: 1).map { bens.getPrivileges($0) }
    }
    #expect(seen == [.read])
  }

  @Test("an administrator of the server is told that everything is allowed, whatever the roles say")
  func administrator() throws {
    let realm = try Realm.opened(for: "ann")
    try realm.write {
      realm.permissions.removeAll()
      realm.create(Guarded.self, value: ["id": 1])
    }
    #expect(realm.getPrivileges() == [])
    let location = realm.file.location
    let seen = try onThread { () throws -> (RealmPrivileges, ObjectPrivileges?) in
      let root = try Realm(configuration: queryBased("root", location, isAdministrator: true))
      return (root.getPrivileges(), root.object(ofType: Guarded.self, forPrimaryKey: 1).map { root.getPrivileges($0) })
    }
    #expect(seen.0 == [.read, .update, .setPermissions, .modifySchema])
    #expect(seen.1 == [.read, .update, .delete, .setPermissions])
  }

  @Test("local and fully synchronised realms allow everything and have no classes of permissions")
  func others() throws {
    for configuration in [
      queryBased(nil, types: [Unguarded.self]),
      Realm.Configuration(inMemoryIdentifier: "local", objectTypes: [Unguarded.self]),
    ] {
      let realm = try Realm(configuration: configuration)
      let object = try realm.write { realm.create(Unguarded.self, value: ["id": 1]) }
      #expect(realm.getPrivileges() == [.read, .update, .setPermissions, .modifySchema])
      #expect(realm.getPrivileges(Unguarded.self) == [.read, .update, .setPermissions, .subscribe, .create])
      #expect(realm.getPrivileges(object) == [.read, .update, .delete, .setPermissions])
      #expect(try realm.file.contents().schema.objectSchema.map(\.className) == ["Plain"])
    }
  }

  @Test("the classes of the program do not hold those of permissions, except in query-based realms")
  func program() throws {
    _ = Permission()
    let local = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "classes of the program"))
    #expect(!local.schema.objectSchema.contains { $0.className.hasPrefix("__") })
    let queried = try Realm(configuration: queryBased("ann", types: nil))
    let names = queried.schema.objectSchema.map(\.className).filter { $0.hasPrefix("__") }
    #expect(names.sorted() == ["__Class", "__Permission", "__Realm", "__Role", "__User"])
  }

  @Test("a realm without the server's defaults allows everything until they arrive")
  func early() throws {
    let realm = try Realm(configuration: queryBased("ann"))
    #expect(realm.getPrivileges() == [.read, .update, .setPermissions, .modifySchema])
    try realm.file.edit { editor in
      try editor.openPermissions()
      try editor.apply([.setRealmList([])])
    }
    realm.refresh()
    #expect(realm.getPrivileges() == [])
  }

  @Test("the live classes declare what is stored, and no more")
  func declarations() throws {
    let realm = try Realm(configuration: queryBased("ann"))
    let server = try memoryFile()
    try server.edit { try $0.addClasses(PermissionSchema.schema) }
    let (live, stored) = try (realm.file.contents().schema, server.contents().schema)
    #expect(stored.objectSchema.count == 5)
    for declared in stored.objectSchema {
      let own = live[declared.className]
      #expect(Set(own?.properties ?? []) == Set(declared.properties), "\(declared.className)")
      #expect(own?.primaryKey == declared.primaryKey, "\(declared.className)")
    }
    try realm.file.edit { try $0.addClasses(PermissionSchema.schema) }
  }

  @Test("roles and users are live objects, linked both ways")
  func roles() throws {
    let realm = try Realm.opened(for: "ann")
    let ann = try #require(realm.object(ofType: PermissionUser.self, forPrimaryKey: "ann"))
    #expect(ann.role?.name == "__User:ann")
    #expect(ann.roles.map(\.name).sorted() == ["__User:ann", "everyone"])
    try realm.write {
      let role = realm.create(PermissionRole.self, value: ["name": "keepers"])
      role.users.append(ann)
      realm.permissions(forType: Guarded.self).findOrCreate(forRole: role).canRead = true
    }
    #expect(ann.roles.count == 3)
    #expect(try realm.file.contents().permissions.members(of: "keepers") == ["ann"])
  }

  @Test("findOrCreate gives the entry that is there, makes a missing one, and joins several of one role")
  func findOrCreate() throws {
    let realm = try Realm.opened(for: "ann")
    try realm.write {
      let list = realm.permissions(forType: Unguarded.self)
      let first = list.findOrCreate(forRoleNamed: "new")
      #expect(list.findOrCreate(forRoleNamed: "new").isSameObject(as: first))
      #expect(list.count == 2)
      #expect(first.role?.name == "new")
      #expect(!first.canRead)
      let role = first.role
      list.append(realm.create(Permission.self, value: ["role": role as Any, "canRead": true, "canQuery": true]))
      list.append(realm.create(Permission.self, value: ["role": role as Any, "canUpdate": true]))
      list.append(first)
      let joined = list.findOrCreate(forRoleNamed: "new")
      #expect(joined.isSameObject(as: first))
      #expect(list.count == 2)
      #expect([joined.canRead, joined.canUpdate, joined.canQuery, joined.canDelete] == [true, true, true, false])
    }
  }

  @Test("a set of privileges prints its name and members, and has the documented bits")
  func texts() {
    #expect("\(RealmPrivileges([.read, .modifySchema]).debugDescription)" == "RealmPrivileges[read, modifySchema]")
    #expect(ClassPrivileges([.subscribe, .create]).debugDescription == "ClassPrivileges[subscribe, create]")
    #expect(ObjectPrivileges([]).debugDescription == "ObjectPrivileges[]")
    #expect(RealmPrivileges([.read, .update, .setPermissions, .modifySchema]).rawValue == 0b100_1011)
    #expect(ClassPrivileges([.read, .update, .setPermissions, .subscribe, .create]).rawValue == 0b011_1011)
    #expect(ObjectPrivileges([.read, .update, .delete, .setPermissions]).rawValue == 0b000_1111)
  }

  @Test("who may not read the classes of permissions is told nothing")
  func hidden() throws {
    let realm = try Realm.opened(for: "ann")
    try realm.write {
      realm.permissions(forClassNamed: "__Role").findOrCreate(forRoleNamed: "everyone").canRead = false
    }
    #expect(realm.getPrivileges() == [])
    #expect(realm.getPrivileges(Guarded.self) == [])
  }
}

/// The result of a function on a thread of its own.
private func onThread<R>(_ body: @escaping () throws -> R) throws -> R {
  nonisolated(unsafe) var result: Result<R, any Error>?
  nonisolated(unsafe) let work = body
  let thread = Thread { result = Result { try work() } }
  thread.start()
  while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
  return try #require(result).get()
}
