import Foundation
import QueryLanguage
import Testing

@testable import ObjectStore
@testable import RecordStore

class Shop: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var alias: String?
  @Persisted var rating: Double
  @Persisted var stock: Int?
  @Persisted var isOpen: Bool
  @Persisted var maybe: Bool?
  @Persisted var founded: Date
  @Persisted var blob: Data
  @Persisted var uuid: UUID
  @Persisted var oid: ObjectId
  @Persisted var price: Decimal128
  @Persisted var numbers: List<Int>
  @Persisted var tags: List<String>
  @Persisted var items: List<ShopItem>
  @Persisted var best: ShopItem?
  @Persisted var place: ShopPlace?
  @Persisted var places: List<ShopPlace>
}

class ShopItem: Object {
  @Persisted var label: String
  @Persisted var cost: Int
  @Persisted var isNew: Bool
  @Persisted var parts: List<ShopItem>
  @Persisted(originProperty: "items") var shops: LinkingObjects<Shop>
}

class ShopPlace: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
  @Persisted var city: String
}

@Suite("type-safe queries")
struct TypeSafeQueryTests {
  struct Case {
    let text: String
    let arguments: [Any]
    /// The text of the same condition as written by hand; nil when it is the text above.
    let written: (String, [Any])?
    let query: (Query<Shop>) -> Query<Bool>

    init(
      _ text: String, _ arguments: [Any] = [], written: (String, [Any])? = nil,
      _ query: @escaping (Query<Shop>) -> Query<Bool>
    ) {
      self.text = text
      self.arguments = arguments
      self.written = written
      self.query = query
    }
  }

  private func realm() throws -> Realm {
    var configuration = memoryConfiguration()
    configuration.objectTypes = [Shop.self, ShopItem.self, ShopPlace.self]
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<12 {
        let items: [[String: Any]] = (0..<id % 3).map { ["label": "i\($0)", "cost": $0 + id, "isNew": $0 % 2 == 0] }
        let shop = Shop()
        shop.id = id
        shop.name = ["Ada", "bob", "Cyd", "Åsa"][id % 4]
        shop.alias = id % 3 == 0 ? nil : "a\(id)"
        shop.rating = Double(id) / 2
        shop.stock = id % 5 == 0 ? nil : id
        shop.isOpen = id % 2 == 0
        shop.maybe = id % 3 == 1 ? nil : id % 3 == 0
        shop.founded = Date(timeIntervalSince1970: Double(id) * 100)
        shop.blob = Data([UInt8(id), 1, 2])
        shop.numbers.append(objectsIn: 0..<id % 4)
        shop.tags.append(objectsIn: id % 2 == 0 ? ["x", "Ada"] : ["y"])
        shop.items.append(objectsIn: items.map { ShopItem(value: $0) })
        shop.place = ShopPlace(value: ["coordinates": [Double(id), 2.0], "city": id < 6 ? "Rome" : "Oslo"])
        shop.places.append(ShopPlace(value: ["city": "Bonn"]))
        realm.add(shop)
        if id % 4 == 1 { shop.best = shop.items.first }
      }
    }
    return realm
  }

  private let day = Date(timeIntervalSince1970: 500)

  private var cases: [Case] {
    let data = Data([1, 2])
    let id = ObjectId.generate()
    let uuid = UUID()
    var cases: [Case] = []
    cases.append(
      Case("(id == %@)", [3]) { $0.id == 3 })
    cases.append(
      Case("(id != %@)", [3]) { $0.id != 3 })
    cases.append(
      Case("(id < %@)", [3]) { $0.id < 3 })
    cases.append(
      Case("(id <= %@)", [3]) { $0.id <= 3 })
    cases.append(
      Case("(id > %@)", [3]) { $0.id > 3 })
    cases.append(
      Case("(id >= %@)", [3]) { $0.id >= 3 })
    cases.append(
      Case("(id == id)") { $0.id == $0.id })
    cases.append(
      Case("(alias == %@)", [NSNull()]) { $0.alias == nil })
    cases.append(
      Case("(alias != %@)", ["a1"]) { $0.alias != "a1" })
    cases.append(
      Case("(stock > %@)", [6]) { $0.stock > 6 })
    cases.append(
      Case("(stock IN %@)", [[1, 2]]) { $0.stock.in([1, 2]) })
    cases.append(
      Case("(name < %@)", ["C"]) { $0.name < "C" })
    cases.append(
      Case("(founded >= %@)", [day]) { $0.founded >= day })
    cases.append(
      Case("(oid == %@)", [id]) { $0.oid == id })
    cases.append(
      Case("(uuid != %@)", [uuid]) { $0.uuid != uuid })
    cases.append(
      Case("(blob == %@)", [data]) { $0.blob == data })
    cases.append(
      Case("(blob ENDSWITH %@)", [data]) { $0.blob.ends(with: data) })
    cases.append(
      Case("(id IN %@)", [[1, 2, 30]]) { $0.id.in([1, 2, 30]) })
    cases.append(
      Case("((id >= %@) && (id < %@))", [2, 5]) { $0.id.contains(2..<5) })
    cases.append(
      Case("(id BETWEEN {%@, %@})", [2, 5]) { $0.id.contains(2...5) })
    cases.append(
      Case("(stock BETWEEN {%@, %@})", [2, 5]) { $0.stock.contains(2...5) })
    cases.append(
      Case("NOT (id BETWEEN {%@, %@})", [2, 5]) { !$0.id.contains(2...5) })
    cases.append(
      Case("(name CONTAINS[cd] %@)", ["a"]) {
        $0.name.contains("a", options: [.caseInsensitive, .diacriticInsensitive])
      })
    cases.append(
      Case("(name CONTAINS %@)", ["a"]) { $0.name.contains("a") })
    cases.append(
      Case("(name BEGINSWITH[c] %@)", ["a"]) { $0.name.starts(with: "a", options: .caseInsensitive) })
    cases.append(
      Case("(name ENDSWITH[d] %@)", ["a"]) { $0.name.ends(with: "a", options: .diacriticInsensitive) })
    cases.append(
      Case("(name ==[c] %@)", ["BOB"]) { $0.name.equals("BOB", options: .caseInsensitive) })
    cases.append(
      Case("(name !=[c] %@)", ["BOB"]) { $0.name.notEquals("BOB", options: .caseInsensitive) })
    cases.append(
      Case("(name LIKE %@)", ["?d*"]) { $0.name.like("?d*") })
    cases.append(
      Case("(name LIKE[c] %@)", ["B*"]) { $0.name.like("B*", caseInsensitive: true) })
    cases.append(
      Case("(name BEGINSWITH alias)") { $0.name.starts(with: $0.alias) })
    cases.append(
      Case("isOpen == true") { $0.isOpen })
    cases.append(
      Case("isOpen == false") { !$0.isOpen })
    cases.append(
      Case("(isOpen == %@)", [true]) { $0.isOpen == true })
    cases.append(
      Case("(maybe == %@)", [NSNull()]) { $0.maybe == nil })
    cases.append(
      Case("(NOT id == %@)", [3]) { !($0.id == 3) })
    cases.append(
      Case("NOT (NOT id == %@)", [3], written: ("!(!(id == 3))", [])) { !(!($0.id == 3)) })
    cases.append(
      Case("NOT ((id > %@) && isOpen == true)", [3]) { !($0.id > 3 && $0.isOpen) })
    cases.append(
      Case("((id > %@) && (name == %@))", [3, "Ada"]) { $0.id > 3 && $0.name == "Ada" })
    cases.append(
      Case("((id > %@) || isOpen == false)", [3]) { $0.id > 3 || !$0.isOpen })
    cases.append(
      Case("(ANY numbers == %@)", [2]) { $0.numbers == 2 })
    cases.append(
      Case("(ANY numbers >= %@)", [2]) { $0.numbers >= 2 })
    cases.append(
      Case("(ANY tags != %@)", ["x"]) { $0.tags != "x" })
    cases.append(
      Case("(%@ IN numbers)", [1]) { $0.numbers.contains(1) })
    cases.append(
      Case("(ANY tags IN %@)", [["y", "z"]]) { $0.tags.containsAny(in: ["y", "z"]) })
    cases.append(
      Case("((numbers.@min >= %@) && (numbers.@max < %@))", [0, 2]) { $0.numbers.contains(0..<2) })
    cases.append(
      Case("((numbers.@min >= %@) && (numbers.@max <= %@))", [0, 2]) { $0.numbers.contains(0...2) })
    cases.append(
      Case("(numbers.@count == %@)", [2]) { $0.numbers.count == 2 })
    cases.append(
      Case("(numbers.@min == %@)", [0]) { $0.numbers.min == 0 })
    cases.append(
      Case("(numbers.@max > %@)", [1]) { $0.numbers.max > 1 })
    cases.append(
      Case("(numbers.@sum >= %@)", [3]) { $0.numbers.sum >= 3 })
    cases.append(
      Case("(numbers.@avg == %@)", [1]) { $0.numbers.avg == 1 })
    cases.append(
      Case("(items.@count > %@)", [1]) { $0.items.count > 1 })
    cases.append(
      Case("(ANY items.label == %@)", ["i1"]) { $0.items.label == "i1" })
    cases.append(
      Case("(ANY items.label BEGINSWITH %@)", ["i"]) { $0.items.label.starts(with: "i") })
    cases.append(
      Case("ANY items.isNew == true") { $0.items.isNew })
    cases.append(
      Case("(items.@min.cost < %@)", [5]) { $0.items.cost.min < 5 })
    cases.append(
      Case("(items.@sum.cost >= %@)", [9]) { $0.items.cost.sum >= 9 })
    cases.append(
      Case("(best == %@)", [NSNull()]) { $0.best == nil })
    cases.append(
      Case("(best.label == %@)", ["i0"]) { $0.best.label == "i0" })
    cases.append(
      Case("(best.parts.@count == %@)", [0]) { $0.best.parts.count == 0 })
    cases.append(
      Case("(best.parts.@min.cost == %@)", [0]) { $0.best.parts.cost.min == 0 })
    cases.append(
      Case("(place.city == %@)", ["Rome"]) { $0.place.city == "Rome" })
    cases.append(
      Case("(ANY places.city == %@)", ["Bonn"]) { $0.places.city == "Bonn" })
    cases.append(
      Case("(SUBQUERY(items, $col1, ($col1.cost > %@)).@count >= %@)", [3, 1]) { ($0.items.cost > 3).count >= 1 })
    cases.append(
      Case(
        "(SUBQUERY(items, $col1, (($col1.cost > %@) && $col1.isNew == true)).@count == %@)", [2, 1]
      ) { ($0.items.cost > 2 && $0.items.isNew).count == 1 })
    cases.append(
      Case(
        "((SUBQUERY(items, $col1, ($col1.cost > %@)).@count > %@) && (SUBQUERY(places, $col2, ($col2.city == %@)).@count == %@))",
        [1, 0, "Bonn", 1]
      ) { ($0.items.cost > 1).count > 0 && ($0.places.city == "Bonn").count == 1 })
    cases.append(
      Case("(SUBQUERY(best.parts, $col1, ($col1.cost > %@)).@count == %@)", [1, 0]) {
        ($0.best.parts.cost > 1).count == 0
      })
    return cases
  }

  @Test("each operator is the text that RealmSwift makes of it, and finds what that text finds")
  func operators() throws {
    let realm = try realm()
    let shops = realm.objects(Shop.self)
    for testCase in cases {
      let query = testCase.query(Query<Shop>._constructForTesting())
      let (text, arguments) = query._constructPredicate()
      #expect(text == testCase.text)
      #expect("\(arguments)" == "\(testCase.arguments)", "\(text)")
      // The same tree as that of the text.
      let (written, values) = testCase.written ?? (text, arguments)
      let literals = values.map { QueryArgument(literal: $0) }
      let parsed = try ParsedQuery(format: written, arguments: literals).bound(to: literals)
      #expect(query.predicate.description == parsed.description)
      let expected = Array(shops.filter(written, values: values)).map(\.id)
      #expect(shops.where(testCase.query).map(\.id) == expected, "\(text)")
    }
  }

  @Test("queries run on lists, inverse relationships and values, and chain with others")
  func collections() throws {
    let realm = try realm()
    let shop = try #require(realm.object(ofType: Shop.self, forPrimaryKey: 5))
    #expect(shop.items.where { $0.cost > 5 }.map(\.label) == ["i1"])
    #expect(shop.items[0].shops.where { $0.id < 9 }.map(\.id) == [5])
    #expect(realm.objects(ShopItem.self).where { $0.shops.name == "bob" && $0.isNew }.count > 0)
    #expect(realm.objects(ShopItem.self).where { $0.shops.count == 0 }.isEmpty)
    let third = try #require(realm.object(ofType: Shop.self, forPrimaryKey: 7))
    #expect(Array(third.numbers.where { $0 > 0 && $0 != 2 }) == [1])
    #expect(Array(third.numbers.where { $0.in([2, 9]) || $0 == 0 }) == [0, 2])
    #expect(Array(third.numbers.where { !$0.contains(1...2) }) == [0])
    #expect(Array(shop.tags.where { $0.like("?") }) == ["y"])
    let open = realm.objects(Shop.self).where { $0.isOpen }.sorted(by: \.rating, ascending: false)
    #expect(open.where { $0.id > 6 }.map(\.id) == [10, 8])
    #expect(open.index(matching: { $0.id == 4 }) == 3)
    #expect(third.numbers.index(matching: { $0 == 2 }) == 2)
    try realm.write { open[0].isOpen = false }
    #expect(open.count == 5)
  }

  @Test("key paths of models lead to names, aggregates, orders and groups")
  func keyPaths() throws {
    let realm = try realm()
    #expect(_name(for: \Shop.name) == "name")
    #expect(_name(for: \Shop.best?.label) == "best.label")
    #expect(_name(for: \Shop.items[0].parts) == "items.parts")
    #expect(_name(for: \Shop.place) == "place")
    #expect(_name(for: \Shop.rating) == "rating")
    #expect(_name(for: \ShopItem.shops) == "shops")
    let shops = realm.objects(Shop.self)
    #expect(shops.sum(of: \.id) == 66)
    #expect(shops.max(of: \.rating) == 5.5)
    #expect(shops.min(of: \.stock) == 1)
    #expect(shops.average(of: \.id) == 5)
    #expect(shops.sorted(by: [SortDescriptor(keyPath: \Shop.name), "id"]).first?.name == "Ada")
    #expect(shops.distinct(by: [\Shop.name, \Shop.isOpen]).count == 4)
    #expect(shops.sorted(by: \.best?.cost).last != nil)
  }

  @Test("places lie within regions")
  func regions() throws {
    let realm = try realm()
    let shops = realm.objects(Shop.self)
    let box = try #require(GeoBox(bottomLeft: (0, 2.5), topRight: (5, 6.5)))
    #expect(shops.where { $0.place.geoWithin(box) }.map(\.id) == [3, 4, 5, 6])
    #expect(shops.where { !$0.place.geoWithin(box) }.count == 8)
    let circle = GeoCircle(
      center: try #require(GeoPoint(latitude: 2, longitude: 0)), radius: try #require(.kilometers(120)))
    #expect(shops.where { $0.place.geoWithin(circle) }.map(\.id) == [0, 1])
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (0, 1)]) == nil)
    #expect(GeoPoint(latitude: 91, longitude: 0) == nil)
    let ring = try #require(GeoPolygon(outerRing: [(0, -1), (0, 2.5), (4, 2.5), (4, -1), (0, -1)]))
    #expect(shops.where { $0.place.geoWithin(ring) }.map(\.id) == [0, 1, 2])
    #expect(Query<Shop>._constructForTesting().place.geoWithin(box)._constructPredicate().0 == "(place IN %@)")
  }
}
