import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

private final class Route: Object {
  @Persisted var points: Map<String, Point>
}

/// Collections that start with an instance: of the declaration, and of an initialiser.
private final class Album: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var songs = List<String>()
  @Persisted var tags = MutableSet<String>()
  @Persisted var years = Map<String, Int>()
  @Persisted var notes: List<String>
  @Persisted var next: Album?
  required init() {
    super.init()
    notes.append("draft")
  }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Values that code which moves over asks for by name, compares and copies.
@Suite("values that code from RealmSwift handles")
struct MovedValueTests {
  private func people() throws -> Realm {
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write {
      for (id, names) in [["Rex", "Ace"], ["Rex"], []].enumerated() {
        realm.create(
          Person.self,
          value: ["id": id, "name": "p\(id)", "nickname": id == 1 ? nil : "n", "dogs": names.map { ["name": $0] }])
      }
    }
    return realm
  }

  @Test("collections that start with an instance are live in objects that are read")
  func startingInstances() throws {
    let folder = try TemporaryFolder()
    func realm() throws -> Realm { try Realm(configuration: folder.configuration(types: [Album.self])) }
    func content(_ album: Album?) -> [[String]] {
      guard let album else { return [] }
      return [Array(album.songs), Array(album.tags), album.years.keys, Array(album.notes)]
    }
    let first = [["one"], ["slow"], ["made"], ["draft"]]
    try {
      let realm = try realm()
      let album = Album(value: ["id": 1, "songs": ["one"], "tags": ["slow"], "years": ["made": 1999]])
      album.next = Album(value: ["id": 2, "songs": ["two"], "notes": []])
      try realm.write { realm.add(album) }
      #expect(content(album) == first)
    }()
    let realm = try realm()
    let album = try #require(realm.object(ofType: Album.self, forPrimaryKey: 1))
    #expect(content(album) == first)
    #expect(content(album.freeze()) == first)
    #expect(content(album.next) == [["two"], [], [], []])
    #expect((album["songs"] as? List<String>).map { Array($0) } == ["one"])
    try realm.write {
      album.songs.append("more")
      album.notes.removeAll()
      album.next?.tags.insert("fast")
    }
    let read = realm.objects(Album.self).sorted(byKeyPath: "id")
    #expect(content(read.first) == [["one", "more"], ["slow"], ["made"], []])
    #expect(content(read.last) == [["two"], ["fast"], [], []])
  }

  @Test("a mixed property is by its name what is in it")
  func mixedByName() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let holder = try realm.write {
      realm.create(Holder.self, value: ["id": 1, "any": "hello", "anyMap": ["n": 5]])
    }
    for object in [holder, Holder(value: ["id": 2, "any": "hello", "anyMap": ["n": 5]])] {
      #expect(object["any"] as? String == "hello")
      #expect(object.value(forKey: "any") as? String == "hello")
      #expect((object.anyMap.value(forKey: "n") as AnyObject?) as? Int == 5)
    }
    try realm.write { holder.any = .none }
    #expect(holder["any"] == nil)
    #expect(Holder().value(forKey: "any") == nil)
    try realm.write { holder["any"] = 7 }
    #expect(holder.any == .int(7))
    #expect(holder["any"] as? Int == 7)
  }

  @Test("generic code finds the position of an object that it met elsewhere")
  func genericPositions() throws {
    let realm = try people()
    func position<C: RealmCollection>(_ collection: C, _ element: C.Element) -> Int? { collection.index(of: element) }
    let dogs = realm.objects(Dog.self)
    let owner = try #require(realm.object(ofType: Person.self, forPrimaryKey: 0))
    let ace = try #require(owner.dogs.filter("name == 'Ace'").first)
    #expect(position(dogs, ace) == 1)
    #expect(position(owner.dogs, ace) == 1)
    #expect(position(AnyRealmCollection(dogs), ace) == 1)
    #expect(position(dogs.filter("name == 'Rex'"), ace) == nil)
    func first<C: RealmCollection>(_ collection: C) -> Int? { collection.index(matching: "name == %@", "Ace") }
    #expect(first(dogs) == 1)
  }

  @Test("an object of another realm is copied with everything it links to, each as what it is")
  func foreignObjects() throws {
    let source = try people()
    let target = try Realm(configuration: memoryConfiguration())
    let copy = try target.write {
      target.create(Person.self, value: try #require(source.object(ofType: Person.self, forPrimaryKey: 0)))
    }
    #expect(copy.dogs.map(\.name) == ["Rex", "Ace"])
    #expect(target.objects(Dog.self).count == 2)
    let nested = try target.write { target.create(Person.self, value: ["id": 9, "dogs": source.objects(Dog.self)]) }
    #expect(nested.dogs.count == 3 && nested.dogs[0].realm == target)
  }

  @Test("union operators of key paths collect what elements have")
  func unions() throws {
    let people = try people().objects(Person.self)
    #expect(people.value(forKeyPath: "@unionOfObjects.nickname") as? [String] == ["n", "n"])
    #expect(people.value(forKeyPath: "@distinctUnionOfObjects.nickname") as? [String] == ["n"])
    #expect((people.value(forKeyPath: "@unionOfArrays.dogs") as? [Dog])?.map(\.name) == ["Rex", "Ace", "Rex"])
    #expect(people.value(forKeyPath: "@distinctUnionOfArrays.dogs.name") as? [String] == ["Rex", "Ace"])
  }

  @Test("regions and objects outside of realms are arguments of texts")
  func arguments() throws {
    let shops = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Shop.self, ShopItem.self, ShopPlace.self]))
    try shops.write {
      for id in 0..<3 {
        shops.create(Shop.self, value: ["id": id, "place": ["type": "Point", "coordinates": [Double(id), 0.5]]])
      }
    }
    let box = try #require(GeoBox(bottomLeft: (0, -0.5), topRight: (1, 1.5)))
    #expect(shops.objects(Shop.self).filter("place IN %@", box).map(\.id) == [0, 1])
    #expect(shops.objects(Shop.self).filter("place GEOWITHIN %@", box).map(\.id) == [0, 1])
    let people = try people().objects(Person.self)
    #expect(people.filter("ANY dogs == %@", Dog()).isEmpty)
    #expect(people.filter("friend != %@", Person()).count == 3)
  }

  @Test("null stands for the value that a property stored as an object starts with")
  func embeddedNull() throws {
    #expect(Holder(value: ["id": 1, "point": NSNull()]).point == Point(x: 0, y: 0))
    let values = ["points": ["start": NSNull(), "end": ["x": 3, "y": 4]] as [String: Any]]
    #expect(Route(value: values).points["start"] == Point(x: 0, y: 0))
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration(types: [Route.self, Spot.self]))
    let route = try realm.write { realm.create(Route.self, value: values) }
    #expect(route.points["start"] == Point(x: 0, y: 0))
    #expect(route.points["end"] == Point(x: 3, y: 4))
    #expect(route.points["middle"] == nil)
  }

  @Test("descriptions name maps by what they hold")
  func mapDescriptions() {
    #expect(Holder().linkMap.description.hasPrefix("Map<string, Item> <0x"))
    #expect(Holder().intMap.description.hasPrefix("Map<string, int> <0x"))
  }
}
