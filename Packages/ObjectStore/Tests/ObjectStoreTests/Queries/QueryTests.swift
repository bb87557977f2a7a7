import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("results")
struct ResultsTests {
  private func realm() throws -> Realm {
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write {
      for (number, name) in ["Ada", "Bob", "Cyd", "Dan", "Eve"].enumerated() {
        realm.create(
          Person.self,
          value: [
            "id": number, "name": name, "age": 20 + number * 5,
            "dogs": [["name": "D\(number)", "weight": Double(number)]],
          ])
      }
    }
    return realm
  }

  @Test("filters find what they say, and stay live")
  func filtering() throws {
    let realm = try realm()
    let old = realm.objects(Person.self).filter("age >= %@", 30)
    #expect(old.count == 3)
    #expect(old.map(\.name) == ["Cyd", "Dan", "Eve"])
    #expect(realm.objects(Person.self).filter("name BEGINSWITH 'A' OR age IN {25, 40}").count == 3)
    #expect(realm.objects(Person.self).filter("ANY dogs.weight > 3").map(\.name) == ["Eve"])
    #expect(realm.objects(Dog.self).filter("ANY owners.name == 'Bob'").map(\.name) == ["D1"])
    #expect(old.filter("name != 'Dan'").sorted(byKeyPath: "name", ascending: false).map(\.name) == ["Eve", "Cyd"])
    try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 0)?.age = 99 }
    #expect(old.count == 4)
    #expect(old.sorted(byKeyPath: "age").last?.name == "Ada")
    realm.beginWrite()
    realm.create(Person.self, value: ["id": 9, "age": 50])
    #expect(old.count == 5)
    realm.cancelWrite()
    #expect(old.count == 4)
  }

  @Test("aggregates skip nils and take the type that is asked for")
  func aggregates() throws {
    let realm = try realm()
    let people = realm.objects(Person.self)
    let least: Int? = people.min(ofProperty: "age")
    let greatest: Int? = people.filter("age < 40").max(ofProperty: "age")
    let sum: Int = people.sum(ofProperty: "age")
    let mean: Double? = people.average(ofProperty: "age")
    #expect(least == 20)
    #expect(greatest == 35)
    #expect(sum == 150)
    #expect(mean == 30)
    let none: Int? = people.filter("age > 100").min(ofProperty: "age")
    #expect(none == nil)
    let list: Double = people[3].dogs.sum(ofProperty: "weight")
    #expect(list == 3)
  }

  @Test("positions, first, last, distinct and iteration while deleting")
  func elements() throws {
    let realm = try realm()
    let people = realm.objects(Person.self).sorted(byKeyPath: "age", ascending: false)
    #expect(people.first?.name == "Eve" && people.last?.name == "Ada" && people[1].name == "Dan")
    #expect(people.index(of: people[2]) == 2)
    #expect(people.index(matching: "name == 'Ada'") == 4)
    try realm.write { people[0].age = people[1].age }
    #expect(people.distinct(by: ["age"]).count == 4)
    try realm.write { for person in people where person.age > 20 { realm.delete(person) } }
    #expect(people.map(\.name) == ["Ada"])
    try realm.write { realm.delete(people) }
    #expect(people.isEmpty)
  }
}
