import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("dynamic objects")
struct DynamicTests {
  @Test("objects are read and written by stored names, without their classes")
  func objects() throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    try realm.write {
      _ = realm.create(
        Person.self,
        value: [
          "id": 1, "name": "Ada", "age": 36, "dogs": [["name": "Rex"]], "tags": ["a"],
          "home": ["street": "S", "number": 1],
        ])
    }
    let people = realm.dynamicObjects("Person")
    let ada = try #require(people.filter("name == 'Ada' AND ANY dogs.name == 'Rex'").first)
    #expect(ada["name"] as? String == "Ada")
    #expect(ada.age as? Int == 36)
    #expect(ada.nickname == nil)
    #expect((ada["tags"] as? List<String>).map { Array($0) } == ["a"])
    let dogs = try #require(ada["dogs"] as? List<DynamicObject>)
    #expect(dogs[0]["name"] as? String == "Rex")
    #expect(dogs.filter("name == 'Rex'").count == 1)
    #expect((ada.home as? Address)?.street == "S")
    #expect(ada.value(forKey: "name") as? String == "Ada")
    #expect(ada.value(forKeyPath: "home.street") as? String == "S")
    try realm.write {
      ada["name"] = "Eve"
      ada.age = 37
      ada.setValue("E", forKey: "nickname")
      ada["tags"] = ["x", "y"]
      ada["friend"] = ada
      let dog = realm.dynamicCreate("Dog", value: ["name": "Bo", "weight": 2.5])
      ada["dogs"] = [dog, dogs[0]]
      realm.dynamicCreate("Person", value: ["id": 2, "name": "Bob"])
      realm.dynamicCreate("Person", value: ["id": 2, "age": 5], update: .modified)
    }
    let live = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    #expect(live.name == "Eve")
    #expect(live.age == 37)
    #expect(live.nickname == "E")
    #expect(Array(live.tags) == ["x", "y"])
    #expect(live.dogs.map(\.name) == ["Bo", "Rex"])
    #expect(live.friend == live)
    let bob = try #require(realm.dynamicObject(ofType: "Person", forPrimaryKey: 2))
    #expect(bob["name"] as? String == "Bob")
    #expect(bob["age"] as? Int == 5)
    #expect(live.dynamicList("dogs").count == 2)
    #expect(people.sorted(byKeyPath: "age").first == bob)
    let names = people.value(forKey: "name") as? [String]
    #expect(names?.sorted() == ["Bob", "Eve"])
    #expect((people.max(ofProperty: "age") as Int?) == 37)
    #expect(ada.description.contains("name = Eve;"))
  }

  @Test("dynamic objects are heard of, frozen, sent elsewhere and deleted")
  func living() throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Person.self, value: ["id": 1, "name": "Ada", "friend": ["id": 2]]) }
    let people = realm.dynamicObjects("Person")
    let ada = try #require(realm.dynamicObject(ofType: "Person", forPrimaryKey: 1))
    var heard: [String] = []
    let tokens = [
      ada.observe { (change: ObjectChange<DynamicObject>) in
        switch change {
        case .change(let object, let changes):
          heard.append("\(object["id"] ?? "?") \(changes.map { "\($0.name) \($0.newValue ?? "nil")" })")
        case .deleted: heard.append("deleted")
        case .error: break
        }
      },
      people.observe(keyPaths: ["friend.name"]) { change in
        if case .update(_, let deletions, _, let modifications) = change {
          heard.append("people \(deletions) \(modifications)")
        }
      },
    ]
    realm.refresh()
    let frozen = ada.freeze()
    try realm.write { ada["name"] = "Eve" }
    realm.refresh()
    try realm.write { (ada["friend"] as? Person)?.name = "Bob" }
    realm.refresh()
    #expect(frozen["name"] as? String == "Ada")
    #expect(frozen.thaw()?["name"] as? String == "Eve")
    let reference = ThreadSafeReference(to: ada)
    onThread {
      do { #expect(try Realm(configuration: configuration).resolve(reference)?["name"] as? String == "Eve") } catch {
        Issue.record(error)
      }
    }
    try realm.write { realm.delete(ada) }
    realm.refresh()
    #expect(heard == ["1 [\"name Eve\"]", "people [] [0]", "deleted", "people [0] []"])
    #expect(ada.isInvalidated)
    withExtendedLifetime(tokens) {}
  }

  @Test("an unknown class or property ends the program and says which")
  func misuse() async throws {
    func text(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(configuration: memoryConfiguration()).dynamicObjects("Nobody")
    }
    #expect(text(unknown).contains("'Nobody' is not managed by the Realm"))
    let property = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      let dog = try realm.write { realm.dynamicCreate("Dog") }
      _ = dog["wings"]
    }
    #expect(text(property).contains("'Dog' has no property 'wings'"))
  }
}
