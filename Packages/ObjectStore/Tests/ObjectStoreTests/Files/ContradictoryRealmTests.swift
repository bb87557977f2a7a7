import DataModel
import Testing

@testable import ObjectStore
@testable import RecordStore
@testable import StorageEngine

/// Contents that no realm writes but a file may hold: they show as default values, and are reported.
@Suite("contents that contradict themselves")
struct ContradictoryRealmTests {
  /// A realm with Ada and Bob, changed behind its back. Nothing has been read yet.
  private func realm(_ change: (TableWriter, ClassLayout) throws -> Void) throws -> Realm {
    let configuration = memoryConfiguration()
    let file = try RealmFile.open(configuration.location)
    try {
      let first = try Realm(configuration: configuration)
      try first.write {
        for (id, name) in ["Ada", "Bob"].enumerated() { first.create(Person.self, value: ["id": id, "name": name]) }
      }
    }()
    try file.write { session in
      let layout = try #require(session.writer.catalog["Person"])
      try change(session.writer.writer(layout), layout)
    }
    return try Realm(configuration: configuration)
  }

  /// A realm in which Ada's friend does not exist.
  private func realmOfMissing() throws -> Realm {
    try realm { writer, layout in
      try writer.setLink(RowKey(50), try #require(layout.field("friend")).column, row: RowKey(0))
    }
  }

  private func ada(_ realm: Realm) throws -> Person {
    try #require(realm.object(ofType: Person.self, forPrimaryKey: 0))
  }

  private func expectDamage(_ realm: Realm, _ text: String) {
    let error = #expect(throws: Realm.Error.self) { try realm.checkReads() }
    #expect(error?.code == .invalidDatabase)
    #expect(error?.message.contains(text) == true)
  }

  @Test("a class with another number of objects than it says has as many as it says, and tells")
  func counts() throws {
    let realm = try realm { writer, _ in
      try writer.deleteRow(RowKey(1))
      writer.hot.rowCount += 1
    }
    var names: [String] = []
    for person in realm.objects(Person.self) { names.append(person.name) }
    #expect(names == ["", ""])
    expectDamage(realm, "not as many objects as it says")
  }

  @Test("collections of an object that does not exist are empty, and tell")
  func missingCollections() throws {
    let realm = try realmOfMissing()
    let friend = try #require(ada(realm).friend)
    #expect(friend.dogs.count == 0)
    expectDamage(realm, "An object that is linked to does not exist.")
  }

  @Test("properties of an object that does not exist are blank, and tell; of a frozen one too")
  func missingProperties() throws {
    let realm = try realmOfMissing()
    #expect(try ada(realm).friend?.name == "")
    expectDamage(realm, "An object that is linked to does not exist.")
    let frozen = realm.freeze()
    #expect(try ada(frozen).friend?.name == "")
    expectDamage(frozen, "An object that is linked to does not exist.")
  }

  @Test("within a transaction that did not begin, and after a fault, positions that should be there are blank")
  func contradictions() throws {
    let realm = try realm { _, _ in }
    let ada = try ada(realm)
    let store = realm.view.file.store
    let catalog = try #require(try store.latestSnapshot().rootRecord(Catalog.recordName))
    try store.write { try $0.setRootRecord(Catalog.recordName, [9, 9, 9]) }
    realm.beginWrite()
    ada.tags.append("one")
    #expect(ada.tags[0] == "")
    #expect(ada.dogs.isEmpty)
    ada.tags.removeLast()
    #expect(throws: Realm.Error.self) { try realm.commitWrite() }
    try store.write { try $0.setRootRecord(Catalog.recordName, catalog) }
    try realm.write { ada.tags.append("one") }
    #expect(ada.tags[0] == "one")
    realm.view.faults.note(Realm.Error.damage("A page."))
    #expect(ada.tags[3] == "")
    let tags = ada.tags
    expectDamage(realm, "A page.")
    try realm.write { realm.delete(ada) }
    #expect(tags.count == 0)
  }

  @Test("an object of a class that does not exist has no properties, and tells")
  func missingClass() throws {
    let realm = try realm { _, _ in }
    realm.view.faults.note(Realm.Error.damage("A page."))
    let person = try #require(realm.dynamicObjects("Person").first)
    let dogs = try #require(person["dogs"] as? List<DynamicObject>)
    expectDamage(realm, "A page.")
    #expect(!dogs[3].description.isEmpty)
    expectDamage(realm, "A link leads to a class that does not exist.")
  }

  @Test("an element that is no case of its enum shows as the first one, or as nil, and the first tells")
  func elements() throws {
    let configuration = typesConfiguration()
    let file = try RealmFile.open(configuration.location)
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Holder.self, value: ["id": 1, "kinds": [Species.cat]]) }
    try file.write { session in
      let layout = try #require(session.writer.catalog["Holder"])
      let (kinds, map) = (try #require(layout.field("kinds")), try #require(layout.field("kindMap")))
      try session.writer.append([.string("unicorn")], Cell(layout, RowKey(0), kinds))
      try session.writer.setEntry(.string("unicorn"), for: "a", Cell(layout, RowKey(0), map))
    }
    realm.refresh()
    let holder = try #require(realm.objects(Holder.self).first)
    #expect(holder.kindMap["a"] == .some(nil))
    try realm.checkReads()
    #expect(Array(holder.kinds) == [.cat, .dog])
    let error = #expect(throws: Realm.Error.self) { try realm.checkReads() }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.contains("'unicorn', which stands for no Species") == true)
  }
}
