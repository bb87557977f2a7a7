import StorageEngine
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Writes that go straight to the cell: what they may take for known, and what they leave behind.
@Suite("quick writes")
struct PlainWriteTests {
  @Test("an object that was read and then written lets go of the cluster from before the write")
  func letsGo() throws {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration())
    try realm.write { for id in 1...3 { realm.create(Person.self, value: ["id": id]) } }
    let people = Array(realm.objects(Person.self))
    for round in 1...3 {
      #expect(people.map(\.score) == Array(repeating: round == 1 ? 1.5 : Double(round - 1), count: 3))
      try realm.write { for person in people { person.score = Double(round) } }
      #expect(people.allSatisfy { $0.state.pointee.cluster == nil })
    }
  }

  @Test("results and reads take up quick writes at once")
  func seenAtOnce() throws {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration())
    try realm.write { for id in 1...300 { realm.create(Person.self, value: ["id": id]) } }
    let people = Array(realm.objects(Person.self))
    let grown = realm.objects(Person.self).where { $0.score > 5 }
    try realm.write {
      for (number, person) in people.enumerated() {
        person.score = 7
        #expect(person.score == 7)
        #expect(grown.count == number + 1)
        person.nickname = "n"
        #expect(people[0].nickname == "n")
      }
      realm.cancelWrite()
    }
    #expect(grown.isEmpty)
    #expect(people.allSatisfy { $0.score == 1.5 && $0.nickname == nil })
  }

  @Test("what is known to live is not taken for living after it went, here or elsewhere")
  func gone() throws {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration())
    try realm.write { for id in 1...4 { realm.create(Person.self, value: ["id": id]) } }
    let people = Array(realm.objects(Person.self))
    try realm.write { for person in people { person.score = 1 } }
    // In the same transaction, then in the one after it.
    try realm.write {
      realm.delete(people[0])
      #expect(!people[0].state.livesForWriting() && people[1].state.livesForWriting())
      #expect(people[0].state.plainCell(3) == nil)
    }
    try realm.write {
      #expect(!people[0].state.livesForWriting() && people[0].isInvalidated)
      for person in people[1...] { person.score = 1 }
    }
    // By another writer of the file, with nobody who hears of it.
    try realm.file.write { session in
      guard let layout = session.writer.catalog["Person"] else { return }
      try session.writer.erase(people[1].state.pointee.row, layout, incoming: .nullify)
    }
    try realm.write {
      #expect(!people[1].state.livesForWriting() && people[2].state.livesForWriting())
      people[2].score = 2
    }
    // With a transaction that was cancelled.
    realm.beginWrite()
    let fresh = realm.create(Person.self, value: ["id": 9])
    fresh.score = 5
    realm.cancelWrite()
    try realm.write { #expect(!fresh.state.livesForWriting() && fresh.state.plainCell(3) == nil) }
    #expect(people[3].score == 1 && people[2].score == 2)
  }

  @Test("the key of a live object cannot be taken for a plain cell")
  func keyIsNoPlainCell() throws {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration())
    try realm.write {
      let person = realm.create(Person.self, value: ["id": 1])
      person.score = 1
      let names = ClassBinding.of(Person.self).properties.map(\.name)
      let (key, score) = (names.firstIndex(of: "id") ?? -1, names.firstIndex(of: "score") ?? -1)
      #expect(person.state.plainCell(key) == nil)
      #expect(person.state.plainCell(score) != nil)
    }
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 1)?.score == 1)
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 2) == nil)
  }
}
