import Foundation
import Testing

@testable import ObjectStore

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
    #expect(Array(object.numbers) == [1, 2] && Set(object.words) == ["x", "y"] && object.ages["a"] == 1)
    #expect(object.items.first?.id == 1 && object.count.value == 5 && object.score.value == 2.5)
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
    #expect(numbers === object.numbers && numbers.realm != nil && object.scratch.realm == nil)
    let same = try #require(realm.object(ofType: OldStyle.self, forPrimaryKey: "one"))
    check(same)
    #expect(same.scratch.isEmpty)
    try realm.write {
      same.numbers.append(3)
      same.count.value = nil
      same.score.value = 7
      same.anything.value = .fromArray([.int(1)])
    }
    #expect(object.numbers.count == 3 && object.count.value == nil && object.score.value == 7)
    #expect(object.anything.value.listValue?.count == 1)
    #expect(object["count"] == nil && object["score"] as? Double == 7)
    try realm.write { object["count"] = 8 }
    #expect(same.count.value == 8)
    let frozen = same.freeze()
    try realm.write { same.numbers.removeAll() }
    #expect(frozen.numbers.count == 3 && frozen.count.value == 8)
    #expect(object.objectSchema["scratch"] == nil && object.objectSchema.primaryKey == "name")
  }

  @Test("an update takes over what was set, and leaves what was not")
  func updates() throws {
    let realm = try Realm(configuration: typesConfiguration())
    try realm.write { realm.add(filled("one")) }
    let same = try #require(realm.object(ofType: OldStyle.self, forPrimaryKey: "one"))
    try realm.write { realm.create(OldStyle.self, value: ["name": "one", "numbers": [7]], update: .modified) }
    #expect(Array(same.numbers) == [7] && same.count.value == 5 && same.words.count == 2)
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
    #expect(child.parents.isEmpty && same.parents.isEmpty)
  }
}
