import Foundation
import Synchronization
import Testing

@testable import ObjectStore
@testable import RecordStore

private class PersonCard: Projection<Person> {
  @Projected(\Person.name) var title
  @Projected(\Person.home?.street) var street
  @Projected(\Person.friend?.name) var friendName
  @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
}

@Suite("projections")
struct ProjectionTests {
  @Test("projections show properties under other names, write through, and follow their objects")
  func showing() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let ada = try realm.write {
      realm.create(Person.self, value: ["id": 2, "name": "Bob", "age": 9])
      return realm.create(
        Person.self,
        value: [
          "id": 1, "name": "Ada", "age": 36, "home": ["street": "S"], "dogs": [["name": "Rex"], ["name": "Bo"]],
        ])
    }
    let cards = realm.objects(PersonCard.self)
    #expect(cards.count == 2)
    #expect(cards.sorted(byKeyPath: "name").map(\.title) == ["Ada", "Bob"])
    let card = try #require(cards.where { $0.age > 20 }.first)
    #expect(card.title == "Ada")
    #expect(card.street == "S")
    #expect(card.friendName == nil)
    #expect(Array(card.dogNames) == ["Rex", "Bo"])
    #expect(card == PersonCard(projecting: ada))
    #expect(cards.index(of: card) == 1)
    try realm.write {
      card.title = "Eve"
      ada.friend = realm.object(ofType: Person.self, forPrimaryKey: 2)
    }
    #expect(ada.name == "Eve")
    #expect(card.friendName == "Bob")
    let frozen = card.freeze()
    var heard: [String] = []
    let tokens = [
      card.observe { change in
        if case .change(let card, let changes) = change {
          heard.append("\(card.title) \(changes.map { "\($0.name) \($0.newValue ?? "nil")" })")
        }
        if case .deleted = change { heard.append("deleted") }
      },
      card.observe(keyPaths: [\.title]) { change in
        if case .change(_, let changes) = change { heard.append("only \(changes.map(\.name))") }
      },
      card.dogNames.observe { change in
        if case .update(let names, _, _, let modifications) = change {
          heard.append("\(Array(names)) \(modifications)")
        }
      },
    ]
    realm.refresh()
    try realm.write { ada.name = "Amy" }
    realm.refresh()
    try realm.write { ada.home?.street = "T" }
    realm.refresh()
    try realm.write {
      ada.dogs[1].name = "Cy"
      ada.age = 1
    }
    realm.refresh()
    #expect(
      heard.filter { !$0.contains("dogNames") } == [
        "Amy [\"title Amy\"]", "only [\"title\"]", "Amy [\"street T\"]", "[\"Rex\", \"Cy\"] [1]",
      ])
    #expect(heard.filter { $0.contains("dogNames") }.count == 1)
    #expect(frozen.title == "Eve")
    #expect(frozen.thaw()?.title == "Amy")
    #expect(frozen.isFrozen)
    try realm.write { realm.delete(ada) }
    realm.refresh()
    #expect(card.isInvalidated)
    #expect(heard.contains("deleted"))
    withExtendedLifetime(tokens) {}
  }

  @Test("the shared logger hears of openings and transactions at its level")
  func logging() throws {
    let lines = Mutex<[String]>([])
    let logger = RealmLogger(level: .trace) { level, message in lines.withLock { $0.append("\(level) \(message)") } }
    logger.log(.debug, "a")
    logger.log(.all, "b")
    logger.level = .off
    logger.log(.fatal, "c")
    #expect(lines.withLock { $0 } == ["debug a"])
    let before = RealmLogger.shared
    defer { RealmLogger.shared = before }
    logger.level = .trace
    RealmLogger.shared = logger
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Person.self, value: ["id": 1]) }
    let name = configuration.inMemoryIdentifier ?? ""
    func own() -> [String] { lines.withLock { $0 }.filter { $0.contains("memory:\(name),") } }
    #expect(own().count == 3)
    #expect(own().first?.hasPrefix("detail DB: Opened") == true)
    #expect(own().last?.hasPrefix("trace DB: Committed") == true)
    // The level may change at any time, of the shared logger and of one that becomes it.
    func commits() throws -> Bool {
      let count = own().count
      try realm.write { _ = realm.create(Person.self, value: ["id": 2 + count], update: .modified) }
      return own().count > count
    }
    logger.level = .debug
    #expect(try !commits())
    logger.level = .trace
    #expect(try commits())
    RealmLogger.shared = nil
    #expect(try !commits())
    logger.level = .debug
    RealmLogger.shared = logger
    #expect(try !commits())
    logger.level = .trace
    #expect(try commits())
  }

  @Test("projections are observed by the names of what they show, and say what is computed")
  func observedByName() throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    let ada = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    let loud = Loud(projecting: ada)
    var heard: [String] = []
    let token = loud.observe(keyPaths: ["name"]) { change in
      guard case .change(_, let changes) = change else { return }
      heard += changes.map { "\($0.name) \($0.oldValue ?? "nil") \($0.newValue ?? "nil")" }
    }
    realm.refresh()
    onThread {
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 1)?.name = "Eve" }
      } catch { Issue.record(error) }
    }
    realm.refresh()
    #expect(heard == ["plain Ada Eve", "shout ADA EVE"])
    var lists: [PropertyChange] = []
    let dogs = loud.observe(keyPaths: ["dogs"]) { change in
      if case .change(_, let changes) = change { lists += changes }
    }
    realm.refresh()
    try realm.write { ada.dogs.append(Dog(value: ["name": "Rex"])) }
    realm.refresh()
    dogs.invalidate()
    #expect(lists.map(\.name) == ["dogs"])
    #expect(lists.first?.newValue as? List<Dog> == ada.dogs)
    let frozen = loud.freeze()
    #expect(frozen.freeze() === frozen)
    #expect(loud.thaw() === loud)
    #expect(frozen.thaw()?.shout == "EVE")
    token.invalidate()
  }
}

private class Loud: Projection<Person> {
  @Projected(\Person.name) var plain
  @Projected(\Person.name.localizedUppercase) var shout
  @Projected(\Person.dogs) var dogs
}
