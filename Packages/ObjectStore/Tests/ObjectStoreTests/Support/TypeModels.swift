import DataModel
import Foundation
import Synchronization

@testable import ObjectStore
@testable import RecordStore

enum Species: String, PersistableEnum { case dog, cat, bird }
enum Grade: Int, PersistableEnum { case low = 1, middle = 5, high = 9 }

struct Celsius: CustomPersistable {
  typealias PersistedType = Double
  var degrees: Double
  init(degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

/// Odd numbers are none.
struct Even: FailableCustomPersistable {
  typealias PersistedType = Int
  var value: Int
  init?(persistedValue: Int) {
    guard persistedValue.isMultiple(of: 2) else { return nil }
    value = persistedValue
  }
  var persistableValue: Int { value }
}

class Spot: EmbeddedObject {
  @Persisted var x: Double
  @Persisted var y: Double
  @Persisted var note: String?
}

struct Point: CustomPersistable {
  typealias PersistedType = Spot
  var x = 0.0, y = 0.0
  init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  init(persistedValue: Spot) { (x, y) = (persistedValue.x, persistedValue.y) }
  var persistableValue: Spot { Spot(value: ["x": x, "y": y]) }
}

class Item: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted(originProperty: "link") var origins: LinkingObjects<Holder>
}

/// A property of every type in every form.
class Holder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var link: Item?
  @Persisted var spot: Spot?
  @Persisted var species: Species
  @Persisted var guess: Species?
  @Persisted(indexed: true) var grade: Grade
  @Persisted var temperature: Celsius
  @Persisted var even: Even?
  @Persisted var point: Point
  @Persisted var target: Point?
  @Persisted var any: AnyRealmValue

  @Persisted var ints: List<Int>
  @Persisted var maybeInts: List<Int?>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var kinds: List<Species>
  @Persisted var spots: List<Spot>
  @Persisted var points: List<Point>
  @Persisted var links: List<Item>

  @Persisted var intSet: MutableSet<Int>
  @Persisted var otherSet: MutableSet<Int>
  @Persisted var wordSet: MutableSet<String?>
  @Persisted var anySet: MutableSet<AnyRealmValue>
  @Persisted var kindSet: MutableSet<Grade>
  @Persisted var linkSet: MutableSet<Item>

  @Persisted var intMap: Map<String, Int>
  @Persisted var wordMap: Map<String, String?>
  @Persisted var anyMap: Map<String, AnyRealmValue>
  @Persisted var kindMap: Map<String, Species?>
  @Persisted var spotMap: Map<String, Spot?>
  @Persisted var linkMap: Map<String, Item?>
}

/// Declared the way of older versions, as far as Linux allows.
class OldStyle: Object {
  @Persisted var name: String
  let numbers = List<Int>()
  let words = MutableSet<String>()
  let ages = Map<String, Int>()
  let items = List<Item>()
  let count = RealmOptional<Int>()
  let score = RealmProperty<Double?>()
  let anything = RealmProperty<AnyRealmValue>()
  let scratch = List<Int>()
  let parents = LinkingObjects(fromType: OldParent.self, property: "children")
  override class func primaryKey() -> String? { "name" }
  override class func ignoredProperties() -> [String] { ["scratch"] }
}

/// The primary key of an older model, which can be nil.
class OldKeyed: Object {
  let id = RealmOptional<Int>()
  @Persisted var name: String
  override class func primaryKey() -> String? { "id" }
}

/// The same with the later box.
class OldNamed: Object {
  let name = RealmProperty<String?>()
  override class func primaryKey() -> String? { "name" }
}

class OldParent: Object {
  @Persisted var name: String
  let children = List<OldStyle>()
}

private let names = Atomic<Int>(0)

func typesConfiguration(recordsChangesets: Bool = false) -> Realm.Configuration {
  let number = names.wrappingAdd(1, ordering: .relaxed).newValue
  return Realm.Configuration(
    inMemoryIdentifier: "types \(number)",
    objectTypes: [Holder.self, Item.self, Spot.self, OldStyle.self, OldParent.self],
    recordsChangesets: recordsChangesets)
}
