import DataModel
import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

class KeyedInt: Object { @Persisted(primaryKey: true) var key: Int; @Persisted var n: Int }
class KeyedSmall: Object { @Persisted(primaryKey: true) var key: Int16; @Persisted var n: Int }
class KeyedMaybeInt: Object { @Persisted(primaryKey: true) var key: Int?; @Persisted var n: Int }
class KeyedString: Object { @Persisted(primaryKey: true) var key: String; @Persisted var n: Int }
class KeyedMaybeString: Object { @Persisted(primaryKey: true) var key: String?; @Persisted var n: Int }
class KeyedObjectId: Object { @Persisted(primaryKey: true) var key: ObjectId; @Persisted var n: Int }
class KeyedMaybeObjectId: Object { @Persisted(primaryKey: true) var key: ObjectId?; @Persisted var n: Int }
class KeyedUUID: Object { @Persisted(primaryKey: true) var key: UUID; @Persisted var n: Int }
class KeyedMaybeUUID: Object { @Persisted(primaryKey: true) var key: UUID?; @Persisted var n: Int }
class KeyedEnum: Object { @Persisted(primaryKey: true) var key: Species; @Persisted var n: Int }

/// Every type with an index, and stored under other names.
class Indexed: Object {
  @Persisted(indexed: true) var int: Int
  @Persisted(indexed: true) var small: Int8?
  @Persisted(indexed: true) var flag: Bool
  @Persisted(indexed: true) var text: String?
  @Persisted(indexed: true) var date: Date
  @Persisted(indexed: true) var objectId: ObjectId?
  @Persisted(indexed: true) var uuid: UUID
  @Persisted(indexed: true) var kind: Species?
  override class func propertiesMapping() -> [String: String] { ["int": "stored_int", "kind": "stored_kind"] }
  override class func _realmObjectName() -> String? { "stored_class" }
}

@Suite("keys and indexes")
struct KeyTypesTests {
  private func realm(_ name: String, _ types: [ObjectBase.Type]) throws -> Realm {
    try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "keys \(name)", objectTypes: types))
  }

  @Test("an identifier is made of any date, also one beyond all seconds")
  func identifiersOfDates() throws {
    let id = ObjectId(timestamp: Date(timeIntervalSince1970: 0x0102_0304), machineId: 0x050607, processId: 0x0809)
    #expect(Array(id.bytes.prefix(9)) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    #expect(id.timestamp == Date(timeIntervalSince1970: 0x0102_0304))
    for interval in [Double.infinity, -.infinity, .nan, 1e300, -1] {
      let odd = ObjectId(timestamp: Date(timeIntervalSince1970: interval), machineId: -1, processId: .max)
      #expect(Array(odd.bytes[4..<9]) == [255, 255, 255, 255, 255])
    }
    let made = ObjectId.generate()
    #expect(abs(made.timestamp.timeIntervalSinceNow) < 60)
    #expect(made != ObjectId.generate())
  }

  private func check<T: Object, K: Hashable>(_ type: T.Type, _ keys: [K]) throws {
    let realm = try realm("\(type)", [type])
    for (number, key) in keys.enumerated() {
      try realm.write { realm.create(type, value: ["key": key, "n": number]) }
    }
    #expect(realm.objects(type).count == keys.count)
    for (number, key) in keys.enumerated() {
      let found = try #require(realm.object(ofType: type, forPrimaryKey: key), "\(type) \(key)")
      #expect(found["n"] as? Int == number)
      #expect(realm.objects(type).filter("key == %@", key).first == found)
      try realm.write { realm.create(type, value: ["key": key, "n": number + 100], update: .modified) }
      #expect(found["n"] as? Int == number + 100)
      try realm.write { realm.delete(found) }
      #expect(realm.object(ofType: type, forPrimaryKey: key) == nil)
    }
  }

  @Test("objects are found by keys of every type, nil included")
  func keys() throws {
    try check(KeyedInt.self, [0, -1, .max, .min])
    try check(KeyedSmall.self, [Int16.min, 0, Int16.max])
    try check(KeyedMaybeInt.self, [nil, 0, -7] as [Int?])
    try check(KeyedString.self, ["", "a", "žluť", String(repeating: "long ", count: 30)])
    try check(KeyedMaybeString.self, [nil, "", "a"] as [String?])
    try check(KeyedObjectId.self, [ObjectId.generate(), ObjectId()])
    try check(KeyedMaybeObjectId.self, [nil, ObjectId()] as [ObjectId?])
    try check(KeyedUUID.self, [UUID(), UUID()])
    try check(KeyedMaybeUUID.self, [nil, UUID()] as [UUID?])
    try check(KeyedEnum.self, Species.allCases)
  }

  @Test("indexed properties find what a scan finds, under stored names too")
  func indexes() throws {
    let realm = try realm("indexed", [Indexed.self])
    let date = Date(timeIntervalSince1970: 5)
    let (id, uuid) = (ObjectId.generate(), UUID())
    try realm.write {
      for number in 0..<50 {
        let object = Indexed()
        (object.int, object.small, object.flag) = (
          number % 5, number % 3 == 0 ? nil : Int8(number % 3), number % 2 == 0
        )
        (object.text, object.kind) = (number % 4 == 0 ? nil : "t\(number % 4)", Species.allCases[number % 3])
        if number % 10 == 0 { (object.date, object.objectId, object.uuid) = (date, id, uuid) }
        realm.add(object)
      }
    }
    let all = realm.objects(Indexed.self)
    let expected: [(String, Any, Int)] = [
      ("int", 3, 10), ("small", 1, 17), ("small", NSNull(), 17), ("flag", true, 25), ("text", "t1", 13),
      ("text", NSNull(), 13), ("date", date, 5), ("objectId", id, 5), ("uuid", uuid, 5), ("kind", Species.cat, 17),
    ]
    for (name, value, count) in expected {
      #expect(all.filter("\(name) == %@", value).count == count, "\(name)")
    }
    #expect(realm.view.catalog["stored_class"]?.field("stored_int") != nil)
    #expect(realm.view.catalog["stored_class"]?.field("stored_kind")?.index != nil)
    #expect(Indexed.className() == "stored_class")
    #expect(all.first?["int"] as? Int == 0)
  }

  @Test("breaking a rule of a collection ends the program and says which")
  func rules() async throws {
    func text(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
    let dot = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Holder().intMap["a.b"] = 1
    }
    #expect(text(dot).contains("cannot contain '.'"))
    let index = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Holder().intSet.index(of: 1)
    }
    #expect(text(index).contains("not available on MutableSet"))
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: typesConfiguration())
      let holder = try realm.write { realm.create(Holder.self, value: ["id": 1]) }
      holder.intSet.insert(1)
    }
    #expect(text(outside).contains("outside of a write transaction"))
    let nested = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: typesConfiguration())
      let holder = try realm.write { realm.create(Holder.self, value: ["id": 1]) }
      try realm.write { holder.anySet.insert(.fromArray([])) }
    }
    #expect(text(nested).contains("A set cannot contain collections"))
    let moved = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: typesConfiguration())
      let holder = try realm.write { realm.create(Holder.self, value: ["id": 1, "spot": ["x": 1.0]]) }
      try realm.write { holder.spots.append(holder.spot ?? Spot()) }
    }
    #expect(text(moved).contains("Cannot add an existing managed embedded object"))
    let ownKey = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: "set again", objectTypes: [KeyedMaybeInt.self]))
      try realm.write { realm.create(KeyedMaybeInt.self, value: ["key": 1]).key = 1 }
    }
    #expect(text(ownKey).contains("Primary key can't be changed after an object is inserted."))
    let otherKey = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: "set to nil", objectTypes: [KeyedMaybeInt.self]))
      try realm.write { realm.create(KeyedMaybeInt.self, value: ["key": 1]).key = nil }
    }
    #expect(text(otherKey).contains("Primary key can't be changed after an object is inserted."))
    let keyless = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      try realm.write { realm.add(Dog(), update: .modified) }
    }
    #expect(text(keyless).contains("does not have a primary key and can not be updated"))
  }
}
