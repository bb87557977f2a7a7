import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

class Crate: Object {
  enum Size: Int, PersistableEnum { case small, large }
  @Persisted(primaryKey: true) var id: Int
  @Persisted var content: AnyRealmValue
  @Persisted var size: Size
  @Persisted var other: Size?
  @Persisted var prices: Map<String, Int>
  @Persisted var dogs: Map<String, Dog?>
  @Persisted var labels: MutableSet<String>
}

@Suite("queries of maps, sets, mixed values and enumerations")
struct MixedQueryTests {
  @Test("each is the text that RealmSwift makes of it, and finds what it says")
  func queries() throws {
    var configuration = memoryConfiguration()
    configuration.objectTypes = [Crate.self, Dog.self, Person.self, Address.self]
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<4 {
        let crate = Crate()
        crate.id = id
        crate.content =
          id == 0 ? .int(3) : id == 1 ? .fromDictionary(["a": .string("x")]) : .fromArray([.int(id), .string("y")])
        crate.size = id % 2 == 0 ? .small : .large
        crate.other = id == 3 ? .large : nil
        crate.prices["p"] = id
        crate.prices["q"] = 10
        crate.dogs["best"] = id == 2 ? Dog(value: ["name": "Rex"]) : nil
        crate.labels.insert(objectsIn: ["l\(id)", "all"])
        realm.add(crate)
      }
    }
    let crates = realm.objects(Crate.self)
    func check(_ text: String, _ ids: [Int], _ query: (Query<Crate>) -> Query<Bool>) {
      #expect(query(Query<Crate>._constructForTesting())._constructPredicate().0 == text)
      #expect(crates.where(query).map(\.id) == ids, "\(text)")
    }
    check("(size == %@)", [1, 3]) { $0.size == .large }
    check("(size.rawValue == %@)".replacingOccurrences(of: ".rawValue", with: ""), [0, 2]) { $0.size.rawValue == 0 }
    check("(other == %@)", [0, 1, 2]) { $0.other == nil }
    check("(size IN %@)", [1, 3]) { $0.size.in([.large]) }
    check("(prices[%@] > %@)", [2, 3]) { $0.prices["p"] > 1 }
    check("(ANY prices.@allKeys == %@)", [0, 1, 2, 3]) { $0.prices.keys == "q" }
    check("(ANY prices.@allValues == %@)", [2]) { $0.prices.values == 2 }
    check("(ANY prices == %@)", [3]) { $0.prices == 3 }
    check("(prices.@count == %@)", [0, 1, 2, 3]) { $0.prices.count == 2 }
    check("(prices.@min < %@)", [0, 1]) { $0.prices.min < 2 }
    check("(ANY dogs.name == %@)", [2]) { $0.dogs.name == "Rex" }
    check("(%@ IN labels)", [1]) { $0.labels.contains("l1") }
    check("(ANY labels BEGINSWITH %@)".replacingOccurrences(of: "BEGINSWITH", with: "=="), [2]) { $0.labels == "l2" }
    check("(content == %@)", [0]) { $0.content == .int(3) }
    check("(content[%@] == %@)", [1]) { $0.content["a"] == .string("x") }
    check("(content[%@] == %@)", [2]) { $0.content[0] == .int(2) }
    check("(content[%K] == %@)", [2, 3]) { $0.content.any == .string("y") }
    #expect(crates[0].prices.where { $0 > 5 }.count == 1)
    #expect(Array(crates[1].labels.where { $0.starts(with: "l") }) == ["l1"])
  }

  @Test("schemas describe themselves")
  func reflection() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let person = try #require(realm.schema["Person"])
    #expect(!person.isEmbedded)
    #expect(realm.schema["Address"]?.isEmbedded == true)
    #expect(person.description.hasPrefix("Person {\n\tid {\n\t\ttype = int;"))
    #expect(person["dogs"]?.isArray == true)
    #expect(person["dogs"]?.objectClassName == "Dog")
    #expect(person.primaryKeyProperty?.name == "id")
  }
}
