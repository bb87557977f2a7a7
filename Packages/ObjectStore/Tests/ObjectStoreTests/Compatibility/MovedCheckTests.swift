import Foundation
import Synchronization
import Testing

@testable import ObjectStore
@testable import RecordStore

private final class DatedKey: Object {
  @Persisted var date: Date
  override class func primaryKey() -> String? { "date" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private struct Steps: CustomPersistable {
  typealias PersistedType = Int
  var count: Int
  init(persistedValue: Int) { count = persistedValue }
  var persistableValue: Int { count }
}

private final class Walk: Object {
  @Persisted var steps: List<Steps>
  @Persisted var rests: List<Int16?>
  @Persisted var place: Place?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Place: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
}

/// Conditions are checked where they are written, and texts are RealmSwift's.
@Suite("checks and texts that realm-swift's own tests ask for")
struct MovedCheckTests {
  private static func realm(_ types: [ObjectBase.Type]) throws -> Realm {
    var configuration = memoryConfiguration()
    configuration.objectTypes = types
    return try Realm(configuration: configuration)
  }

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test("an average fits optional and custom integers")
  func averages() throws {
    let realm = try Self.realm([Walk.self, Place.self])
    let walk = Walk(value: ["steps": [1, 2, 4], "rests": [1, nil, 4] as [Any?]])
    for isLive in [false, true] {
      if isLive { try realm.write { realm.add(walk) } }
      let steps: Steps? = walk.steps.average()
      #expect(steps?.count == 2, "live: \(isLive)")
      let rests: Int16?? = walk.rests.average()
      #expect(rests == .some(2), "live: \(isLive)")
      let exact: Double? = walk.rests.average()
      #expect(exact == 2.5, "live: \(isLive)")
    }
  }

  @Test("a condition that does not apply stops the program where it is written")
  func conditions() async throws {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(configuration: memoryConfiguration()).objects(Person.self).filter("none == 1")
    }
    #expect(text(unknown).contains("none"))
    let crossing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let region = GeoPolygon(outerRing: [(50, -50), (55, 55), (-50, 50), (70, -25), (50, -50)])
      guard let region else { return }
      _ = try Self.realm([Walk.self, Place.self]).objects(Walk.self).where { $0.place.geoWithin(region) }
    }
    #expect(text(crossing).contains("Ring 0 is not valid: 'Edges 0 and 2 cross."))
    let total = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(configuration: memoryConfiguration()).objects(Person.self).filter("age.@avg > 1")
    }
    #expect(
      text(total).contains(
        "Invalid keypath 'age.@avg': Property 'Person.age' is not a link or collection and can only appear at the end of a keypath"
      ))
  }

  @Test("a primary key of a type that cannot be one stops the program")
  func keys() async {
    let dated = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.realm([DatedKey.self])
    }
    #expect(text(dated).contains("Property 'date' cannot be made the primary key of 'DatedKey'"))
  }

  @MainActor
  private static func refreshInQueue() async throws {
    let queue = DispatchQueue(label: "queue")
    let realm = try queue.sync { try Realm(configuration: memoryConfiguration(), queue: queue) }
    await realm.asyncRefresh()
  }

  @Test("asynchronous refreshing is refused in a realm of a queue")
  func queues() async {
    let refused = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await Self.refreshInQueue()
    }
    #expect(text(refused).contains("asyncRefresh() can only be called on main thread or actor-isolated Realms."))
  }

  @Test("a cancelled task is not refreshed, and work that waits goes first")
  @MainActor
  func refreshing() async throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    let people = realm.objects(Person.self)
    #expect(people.isEmpty)
    try await Task.detached {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Person.self, value: ["id": 1]) }
    }.value
    let cancelled = Task { @MainActor in await realm.asyncRefresh() }
    cancelled.cancel()
    #expect(await cancelled.value == false)
    #expect(people.isEmpty)
    let other = Task { @MainActor in people.count }
    #expect(await realm.asyncRefresh())
    #expect(people.count == 1)
    #expect(await other.value == 0)
  }

  @Test("numbers are described as NSNumber writes them, and elements by the name of their class")
  func descriptions() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let person = try realm.write {
      realm.create(Person.self, value: ["id": 1, "score": 3.0, "dogs": [["Rex", 2.0]]])
    }
    #expect(person.description.contains("\tscore = 3;\n"))
    let dynamic = try #require(realm.dynamicObject(ofType: "Person", forPrimaryKey: 1))
    #expect(dynamic.description.contains("\tdogs = List<Dog> <0x"))
    #expect(dynamic.description.contains("\t\t\tweight = 2;\n"))
    let map = Map<String, Int>()
    map["a"] = 1
    #expect(map.description.hasSuffix(" (\n[a]: 1\n)"))
  }

  @Test("a dynamic object starts with the defaults of the program's class")
  func dynamicDefaults() throws {
    let realm = try Self.realm([Walk.self, Place.self, Person.self, Dog.self, Address.self])
    let (person, walk) = try realm.write {
      (
        realm.dynamicCreate("Person", value: ["id": 1, "name": "Ada"]),
        realm.dynamicCreate("Walk", value: ["place": ["coordinates": [1.0, 2.0]]])
      )
    }
    #expect(person["score"] as? Double == 1.5)
    #expect(person["name"] as? String == "Ada")
    #expect(realm.objects(Walk.self).first?.place?.type == "Point")
    #expect(walk.dynamicList("steps").isEmpty)
    try realm.write {
      realm.objects(Person.self).first?.score = 9
      realm.dynamicCreate("Person", value: ["id": 1, "age": 5], update: .modified)
    }
    #expect(person["score"] as? Double == 9)
    #expect(person["age"] as? Int == 5)
  }

  @Test("a dynamic list of plain values has their count")
  func dynamicCounts() throws {
    let realm = try Self.realm([Walk.self, Place.self])
    let walk = try realm.write { realm.create(Walk.self, value: ["rests": [1, nil, 4] as [Any?]]) }
    #expect(walk.dynamicList("rests").count == 3)
  }

  @Test("opening a realm is told at level detail, and its version at level trace")
  func logs() throws {
    let lines = Mutex<[String]>([])
    let before = RealmLogger.shared
    defer { RealmLogger.shared = before }
    let configuration = memoryConfiguration()
    for level in [RealmLogLevel.off, .detail, .trace] {
      RealmLogger.shared = RealmLogger(level: level) { level, message in
        // Other tests open realms at the same time.
        if message.contains(configuration.description) { lines.withLock { $0.append("\(level) \(message)") } }
      }
      _ = try Realm(configuration: configuration)
    }
    let told = lines.withLock { $0 }
    #expect(told.count { $0.hasPrefix("detail DB: Opened ") } == 2)
    #expect(told.count { $0.hasPrefix("trace DB: Reads version ") } == 1)
  }
}
