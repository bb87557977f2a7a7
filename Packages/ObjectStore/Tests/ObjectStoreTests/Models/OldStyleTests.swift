import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("models of older versions")
struct OldStyleTests {
  private func filled(_ name: String) -> OldStyle {
    let object = OldStyle(value: ["name": name, "numbers": [1, 2], "count": 5, "ages": ["a": 1]])
    object.words.insert(objectsIn: ["x", "y"])
    object.items.append(Item(value: ["id": 1]))
    object.score.value = 2.5
    object.anything.value = .string("s")
    object.scratch.append(9)
    return object
  }

  private func check(_ object: OldStyle) {
    #expect(Array(object.numbers) == [1, 2])
    #expect(Set(object.words) == ["x", "y"])
    #expect(object.ages["a"] == 1)
    #expect(object.items.first?.id == 1)
    #expect(object.count.value == 5)
    #expect(object.score.value == 2.5)
    #expect(object.anything.value == .string("s"))
  }

  @Test("constants hold values before and after they are added, and when the object is met again")
  func constants() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let object = filled("one")
    check(object)
    let numbers = object.numbers
    try realm.write { realm.add(object) }
    check(object)
    #expect(numbers === object.numbers)
    #expect(numbers.realm != nil)
    #expect(object.scratch.realm == nil)
    let same = try #require(realm.object(ofType: OldStyle.self, forPrimaryKey: "one"))
    check(same)
    #expect(same.scratch.isEmpty)
    try realm.write {
      same.numbers.append(3)
      same.count.value = nil
      same.score.value = 7
      same.anything.value = .fromArray([.int(1)])
    }
    #expect(object.numbers.count == 3)
    #expect(object.count.value == nil)
    #expect(object.score.value == 7)
    #expect(object.anything.value.listValue?.count == 1)
    #expect(object["count"] == nil)
    #expect(object["score"] as? Double == 7)
    try realm.write { object["count"] = 8 }
    #expect(same.count.value == 8)
    let frozen = same.freeze()
    try realm.write { same.numbers.removeAll() }
    #expect(frozen.numbers.count == 3)
    #expect(frozen.count.value == 8)
    #expect(object.objectSchema["scratch"] == nil)
    #expect(object.objectSchema.primaryKey == "name")
  }

  @Test("an update takes over what was set, and leaves what was not")
  func updates() throws {
    let realm = try Realm(configuration: typesConfiguration())
    try realm.write { realm.add(filled("one")) }
    let same = try #require(realm.object(ofType: OldStyle.self, forPrimaryKey: "one"))
    try realm.write { realm.create(OldStyle.self, value: ["name": "one", "numbers": [7]], update: .modified) }
    #expect(Array(same.numbers) == [7])
    #expect(same.count.value == 5)
    #expect(same.words.count == 2)
    try realm.write { realm.create(OldStyle.self, value: ["name": "one", "count": NSNull()], update: .modified) }
    #expect(same.count.value == nil && Array(same.numbers) == [7])
  }

  @Test("a constant inverse relationship shows who links")
  func linking() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let child = OldStyle(value: ["name": "child"])
    #expect(child.parents.isEmpty)
    let parent = OldParent(value: ["name": "parent"])
    parent.children.append(child)
    parent.children.append(child)
    try realm.write { realm.add(parent) }
    #expect(child.parents.map(\.name) == ["parent", "parent"])
    let same = try #require(realm.objects(OldStyle.self).first)
    #expect(same.parents.count == 2)
    try realm.write { parent.children.removeAll() }
    #expect(child.parents.isEmpty)
    #expect(same.parents.isEmpty)
  }

  @Test("a key in a box is found, nil included, and is not set again")
  func keys() async throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: "keys in boxes", objectTypes: [OldKeyed.self, OldNamed.self]))
    try realm.write {
      for (key, name) in [(nil, "none"), (0, "zero"), (7, "seven")] as [(Int?, String)] {
        let object = OldKeyed()
        (object.id.value, object.name) = (key, name)
        realm.add(object)
      }
      realm.create(OldKeyed.self, value: ["id": 7, "name": "seven again"], update: .modified)
      realm.create(OldKeyed.self, value: ["id": NSNull(), "name": "none again"], update: .modified)
      let named = OldNamed()
      named.name.value = "a"
      realm.add([named, OldNamed()])
    }
    #expect(realm.objects(OldKeyed.self).count == 3)
    #expect(realm.objects(OldNamed.self).count == 2)
    #expect(realm.object(ofType: OldKeyed.self, forPrimaryKey: Int?.none)?.name == "none again")
    #expect(realm.object(ofType: OldKeyed.self, forPrimaryKey: 0)?.name == "zero")
    #expect(realm.object(ofType: OldKeyed.self, forPrimaryKey: 7)?.name == "seven again")
    #expect(realm.object(ofType: OldNamed.self, forPrimaryKey: "a")?.name.value == "a")
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: "keys in boxes", objectTypes: [OldKeyed.self]))
      try realm.write { realm.create(OldKeyed.self, value: ["id": 7]).id.value = 7 }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Primary key can't be changed after an object is inserted."))
  }

  @Test("key paths lead to constant inverse relationships, and through them")
  func keyPaths() {
    #expect(_name(for: \OldStyle.parents) == "parents")
    #expect(_name(for: \OldStyle.parents[0].name) == "parents.name")
    #expect(_name(for: \OldStyle.numbers) == "numbers")
    #expect(_name(for: \OldStyle.count) == "count")
  }
}
