import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("Misuse of permissions")
struct PermissionTrapTests {
  func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test("privileges of an unmanaged, a deleted or a foreign object end the program and say which")
  func objects() async {
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm.opened(for: "ann").getPrivileges(Guarded())
    }
    #expect(text(unmanaged).contains("unmanaged object"))
    let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm.opened(for: "ann")
      let dog = try realm.write { realm.create(Guarded.self, value: ["id": 1]) }
      try realm.write { realm.delete(dog) }
      _ = realm.getPrivileges(dog)
    }
    #expect(text(deleted).contains("deleted or invalidated object"))
    let foreign = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let other = try Realm.opened(for: "ann")
      let dog = try other.write { other.create(Guarded.self, value: ["id": 1]) }
      _ = try Realm.opened(for: "ann").getPrivileges(dog)
    }
    #expect(text(foreign).contains("object of another Realm"))
  }

  @Test("lists of a realm that has none end the program and say why")
  func lists() async {
    let local = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(configuration: memoryConfiguration()).permissions
    }
    #expect(text(local).contains("query-based"))
    let whole = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(configuration: queryBased(nil)).permissions(forType: Guarded.self)
    }
    #expect(text(whole).contains("query-based"))
    let early = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(configuration: queryBased("ann")).permissions
    }
    #expect(text(early).contains("asyncOpen"))
    let unheard = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm.opened(for: "ann").permissions(forClassNamed: "Unheard")
    }
    #expect(text(unheard).contains("'Unheard'"))
  }

  @Test("findOrCreate on an unmanaged list, and outside of a write transaction, ends the program")
  func entries() async {
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Guarded().acl.findOrCreate(forRoleNamed: "everyone")
    }
    #expect(text(unmanaged).contains("managed object"))
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm.opened(for: "ann").permissions.findOrCreate(forRoleNamed: "everyone")
    }
    #expect(text(outside).contains("outside of a write transaction"))
  }
}
