import DataModel
import Foundation
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

private enum Wood: Int, RealmEnum {
  case oak = 3
  case pine
}

private final class Shelf: Object {
  @Persisted var title: String
  @Persisted(indexed: true) var width: Int
  @Persisted var mixed: List<AnyRealmValue>
  @Persisted var wood = Wood.oak
  let words = List<String>()
  let marks = MutableSet<Int>()
  let pages = Map<String, Int>()
  override class func propertiesMapping() -> [String: String] { ["title": "shelf title"] }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Where code that moves over met another answer once.
@Suite("code that comes from RealmSwift, its corners")
struct MovedCodeTests {
  private func shelves() throws -> Realm {
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Shelf.self]))
    try realm.write {
      realm.create(Shelf.self, value: ["title": "low", "width": 2, "mixed": [1, 2.5, "x"], "words": ["a", "b"]])
      realm.create(Shelf.self, value: ["title": "high", "width": 2, "unknown": ["passed over"]])
    }
    return realm
  }

  @Test("values of names that a class does not have are passed over")
  func unknownNames() throws {
    #expect(try shelves().objects(Shelf.self).map(\.title) == ["low", "high"])
    #expect(Dog(value: ["name": "Rex", "wings": 2]).name == "Rex")
  }

  @Test("every date that nanoseconds can tell comes back as the same date")
  func dates() throws {
    for seed in Seeds.some(3) {
      var random = SeededGenerator(seed: seed)
      for _ in 0..<2000 {
        // Nearer to 2001 the type tells more than nanoseconds.
        let interval = Double.random(in: 1e7...4e9, using: &random)
        for date in [interval, -interval].map({ Date(timeIntervalSinceReferenceDate: $0) }) {
          #expect(Date(Timestamp(date)) == date, "SEED=\(seed)")
        }
      }
    }
    #expect(Timestamp(Date(timeIntervalSince1970: -0.5)) == Timestamp(validating: 0, nanoseconds: -500_000_000))
    #expect(Timestamp(Date(timeIntervalSince1970: -1.25)) == Timestamp(validating: -1, nanoseconds: -250_000_000))
    #expect(Timestamp(Date(timeIntervalSince1970: 1.5)) == Timestamp(validating: 1, nanoseconds: 500_000_000))
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: .nan)) == Timestamp(seconds: 0))
  }

  @Test("key paths lead to collections that are constants")
  func constants() throws {
    #expect(_name(for: \Shelf.words) == "words")
    #expect(_name(for: \Shelf.marks) == "marks")
    #expect(_name(for: \Shelf.pages) == "pages")
    #expect(_name(for: \Shelf.title) == "title")
    #expect(_name(for: \Shelf.wood) == "wood")
    #expect(Decimal128(value: NSNull()).isNaN)
    let realm = try shelves()
    let low = try #require(realm.objects(Shelf.self).first)
    var changes = 0
    let token = realm.objects(Shelf.self).observe(keyPaths: [\Shelf.words]) { change in
      if case .update(_, _, _, let modified) = change { changes += modified.count }
    }
    realm.refresh()
    try realm.write { low.width = 3 }
    realm.refresh()
    try realm.write { low.words.append("c") }
    realm.refresh()
    #expect(changes == 1)
    token.invalidate()
  }

  @Test("values by name come without wrappers, those of sets once")
  func keyValues() throws {
    let realm = try shelves()
    let mixed = try #require(realm.objects(Shelf.self).first).mixed
    let values: [AnyObject] = mixed.value(forKey: "self")
    #expect(values.first as? Int == 1)
    #expect(values.last as? String == "x")
    let people = MutableSet<Person>()
    for id in 1...3 { people.insert(Person(value: ["id": id, "name": "Ada"])) }
    let names: [AnyObject] = people.value(forKey: "name")
    #expect(names.count == 1)
    #expect(names.first as? String == "Ada")
  }

  @Test("sums and means of mixed values are decimal numbers")
  func mixedSums() throws {
    let managed = try #require(try shelves().objects(Shelf.self).first).mixed
    let unmanaged = List<AnyRealmValue>()
    unmanaged.append(objectsIn: [.int(1), .double(2.5), .string("x")])
    #expect(List<AnyRealmValue>().sum() == .int(0))
    let realm = try #require(managed.realm)
    #expect(try realm.write { realm.create(Shelf.self).mixed.sum() } == .decimal128(0))
    let folder = try TemporaryFolder()
    let holders = try Realm(configuration: folder.configuration(types: [Holder.self, Item.self, Spot.self]))
    let sum = try holders.write { holders.create(Holder.self, value: ["id": 1]).anyMap.sum() }
    #expect(sum == .int(0))
    for list in [managed, unmanaged] {
      #expect(list.sum() == .decimal128(Decimal128(3.5)))
      #expect(list.average() == AnyRealmValue.decimal128(Decimal128(1.75)))
    }
  }

  @Test("a dynamic object knows the names in code beside the stored ones")
  func dynamicNames() throws {
    let realm = try shelves()
    let low = try #require(realm.dynamicObjects("Shelf").first)
    #expect(low["shelf title"] as? String == "low")
    #expect(low.title as? String == "low")
    #expect(low.objectSchema.properties.contains { $0.name == "title" && $0.columnName == "shelf title" })
    #expect(low.objectSchema == realm.objects(Shelf.self).first?.objectSchema)
    try realm.write { low["title"] = "lower" }
    #expect(realm.objects(Shelf.self).first?.title == "lower")
  }

  @Test("unmanaged collections are equal when their contents are")
  func equality() {
    let (dog, other) = (Dog(), Dog())
    let (first, second) = (List<Dog>(), List<Dog>())
    #expect(first == second)
    #expect(first.isEqual(second))
    first.append(objectsIn: [dog, other])
    second.append(objectsIn: [dog, other])
    #expect(first == second)
    second.swapAt(0, 1)
    #expect(first != second)
    let (left, right) = (MutableSet<Int>(), MutableSet<Int>())
    left.insert(objectsIn: [1, 2])
    right.insert(objectsIn: [2, 1])
    #expect(left == right)
    let (one, two) = (Map<String, Int>(), Map<String, Int>())
    one["a"] = 1
    #expect(one != two)
    two["a"] = 1
    #expect(one == two)
  }

  @Test("unmanaged values are found by conditions")
  func unmanagedSearch() {
    let numbers = List<Int>()
    numbers.append(objectsIn: [5, 6, 7])
    #expect(numbers.index(matching: { $0 == 7 && $0 < 100 }) == 2)
    #expect(numbers.index(matching: { $0 == 9 }) == nil)
    #expect(numbers.index(matching: RealmPredicate(format: "self == 6")) == 1)
  }

  @Test("sections are observed by key paths of the model")
  func sectionKeyPaths() throws {
    let realm = try shelves()
    let section = realm.objects(Shelf.self).sectioned(by: \.width)[0]
    var changes = 0
    let token = section.observe(keyPaths: [\Shelf.title]) { if case .update = $0 { changes += 1 } }
    realm.refresh()
    let low = try #require(realm.objects(Shelf.self).first)
    try realm.write { low.mixed.removeAll() }
    realm.refresh()
    try realm.write { low.title = "new" }
    realm.refresh()
    #expect(changes == 1)
    token.invalidate()
  }

  @Test("a class describes itself in RealmSwift's words")
  func describing() {
    #expect(
      Shelf().objectSchema.description.hasPrefix(
        """
        Shelf {
        \ttitle {
        \t\ttype = string;
        \t\tcolumnName = shelf title;
        \t\tindexed = NO;
        \t\tisPrimary = NO;
        \t\tarray = NO;
        \t\tset = NO;
        \t\tdictionary = NO;
        \t\toptional = NO;
        \t}
        """))
    #expect("\(SortDescriptor(keyPath: "a"))" == "SortDescriptor(keyPath: a, direction: ascending)")
  }

  @Test("a file that was never a realm has no schema version")
  func noFile() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("never \(UUID().uuidString).realm")
    #expect { _ = try schemaVersionAtURL(url) } throws: { Realm.Error.invalidDatabase ~= $0 }
  }

  @Test("a negative position ends the program with the reason")
  func negativePositions() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>()[-1]
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Cannot pass a negative value"))
  }
}
