import TestKit
import Testing

@testable import ObjectStore

@Suite("results with LIMIT")
struct LimitedResultsTests {
  private func realm(_ count: Int) throws -> Realm {
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write { for id in 0..<count { realm.create(Person.self, value: ["id": id, "age": id]) } }
    return realm
  }

  @Test("hold the first of the order that their text names, live, with counts and positions among these")
  func live() throws {
    let realm = try realm(6)
    let oldest = realm.objects(Person.self).filter("age > 0 SORT(age DESC) LIMIT(2)")
    #expect(oldest.map(\.age) == [5, 4])
    #expect(oldest.count == 2)
    #expect(oldest.last?.age == 4)
    try realm.write { realm.create(Person.self, value: ["id": 9, "age": 9]) }
    #expect(oldest.map(\.age) == [9, 5])
    #expect(oldest.filter("age < 9").map(\.age) == [5])
    #expect(realm.objects(Person.self).filter("TRUEPREDICATE LIMIT(0)").isEmpty)
  }

  @Test("tell observers of what enters and leaves the limit, and of nothing beyond it")
  func notifications() throws {
    let realm = try realm(4)
    let oldest = realm.objects(Person.self).filter("TRUEPREDICATE SORT(age DESC) LIMIT(2)")
    var heard: [String] = []
    let token = oldest.observe { change in
      guard case .update(let now, let deletions, let insertions, let modifications) = change else { return }
      heard.append("\(now.map(\.age) as [Int]) -\(deletions) +\(insertions) ~\(modifications)")
    }
    realm.refresh()
    try realm.write { realm.create(Person.self, value: ["id": 9, "age": 9]) }
    realm.refresh()
    #expect(heard == ["[9, 3] -[1] +[0] ~[]"])
    try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 0)?.name = "beyond" }
    realm.refresh()
    #expect(heard.count == 1)
    try realm.write { if let first = oldest.first { realm.delete(first) } }
    realm.refresh()
    #expect(heard.last == "[3, 2] -[0] +[1] ~[]")
    token.invalidate()
  }

  @Test("change sets applied to what was there give what is there, whatever is written")
  func changeSets() throws {
    for seed in Seeds.some(20) {
      var edits = LiveEdits(seed: seed)
      let realm = try Realm(configuration: memoryConfiguration())
      try realm.write { for _ in 0..<12 { edits.edit(realm) } }
      var shown: [String] = []
      var checks = 0
      let few = realm.objects(Person.self).filter("id >= 0 SORT(age DESC, id ASC) LIMIT(3)")
      let token = few.observe { change in
        switch change {
        case .initial(let now): shown = now.map { "\($0.id) \($0.age)" }
        case .update(let now, let deletions, let insertions, let modifications):
          let new = now.map { "\($0.id) \($0.age)" } as [String]
          let result = NotificationTests.applying((deletions, insertions, modifications), to: shown, new: new)
          #expect(result == new, "SEED=\(seed): \(shown) \(deletions) \(insertions) \(modifications)")
          shown = new
          checks += 1
        case .error: Issue.record("SEED=\(seed): an error")
        }
      }
      realm.refresh()
      for _ in 0..<25 {
        try realm.write { for _ in 0..<Int.random(in: 1...4, using: &edits.random) { edits.edit(realm) } }
        if edits.random.oneIn(2) { realm.refresh() }
      }
      realm.refresh()
      #expect(checks > 0)
      #expect(few.count <= 3)
      token.invalidate()
    }
  }

  @Test("frozen values cross to any thread, checked by the compiler, and never change")
  func frozen() async throws {
    let configuration = memoryConfiguration()
    let held = try Self.held(configuration)
    let ages = await Task.detached { held.people.value.map(\.age) as [Int] }.value
    #expect(ages == [2, 1])
    #expect(await Task.detached { held.first.value.age }.value == 0)
  }

  private static func held(_ configuration: Realm.Configuration) throws -> (
    people: Frozen<Results<Person>>, first: Frozen<Person>
  ) {
    let realm = try Realm(configuration: configuration)
    let first = try realm.write {
      for id in 1..<3 { realm.create(Person.self, value: ["id": id, "age": id]) }
      return realm.create(Person.self, value: ["id": 0, "age": 0])
    }
    let people = realm.objects(Person.self).filter("age > 0 SORT(age DESC)").frozen
    let frozen = first.frozen
    try realm.write { for person in realm.objects(Person.self) { person.age += 10 } }
    return (people, frozen)
  }
}
