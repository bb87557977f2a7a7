import ChangesetOT
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("recording")
struct RecordingTests {
  /// The changesets in a client's history after a version.
  private func changesets(_ file: RealmFile, after version: UInt64) throws -> [Changeset] {
    try ClientHistory(file).uploadableEntries(
      after: UploadCursor(client: ClientVersion(version), server: .zero), byteLimit: .max
    ).entries.map {
      try Changeset(decoding: $0.changeset, origin: ChangesetOrigin(timestamp: $0.timestamp, file: .none))
    }
  }

  @Test("what is recorded makes a second file equal to the first, whatever was done")
  func replaying() throws {
    for seed in Seeds.some(25) {
      var edits = LiveEdits(seed: seed)
      let realm = try Realm(configuration: memoryConfiguration(recordsChangesets: true))
      let copy = try memoryFile()
      var known: UInt64 = 1
      for _ in 0..<20 {
        realm.beginWrite()
        for _ in 0..<Int.random(in: 1...6, using: &edits.random) { edits.edit(realm) }
        if edits.random.oneIn(6) { realm.cancelWrite() } else { try realm.commitWrite() }
        for changeset in try changesets(realm.file, after: known) {
          do { try copy.commit(changeset.instructions) } catch {
            Issue.record("SEED=\(seed): \(error)\n\(changeset.instructions.map { "\($0)" }.joined(separator: "\n"))")
            return
          }
        }
        known = try realm.file.store.latestSnapshot().version.rawValue
        let (own, other) = try (realm.file.dump(), copy.dump())
        guard own == other else {
          Issue.record("SEED=\(seed)\n\(own)\n--- replayed\n\(other)")
          return
        }
      }
      for file in [realm.file, copy] {
        try file.store.verify()
        #expect(try LinkBooks(file).complaint == nil, "SEED=\(seed)")
      }
    }
  }

  @Test("a transaction becomes the instructions that the format asks for, in order")
  func instructions() throws {
    let realm = try Realm(configuration: memoryConfiguration(recordsChangesets: true))
    let version = try realm.file.store.latestSnapshot().version.rawValue
    let ada = try realm.write { () -> Person in
      let ada = Person(value: ["id": 1, "age": 5, "home": ["street": "S"]])
      realm.add(ada)
      return ada
    }
    let created = try #require(try changesets(realm.file, after: version).first).instructions.map { "\($0)" }
    #expect(created.first == "create Person[1]")
    #expect(created.contains { $0.hasPrefix("update Person[1].age = 5") && !$0.contains("default") }, "\(created)")
    #expect(created.contains { $0.hasPrefix("update Person[1].name = ") && $0.contains("default") }, "\(created)")
    #expect(!created.contains { $0.contains(".friend") || $0.contains(".id ") }, "\(created)")

    let next = try realm.file.store.latestSnapshot().version.rawValue
    try realm.write {
      ada.tags.append(objectsIn: ["a", "b"])
      ada.tags.swapAt(0, 1)
      ada.tags.removeAll()
      ada.home = Address(value: ["street": "T", "number": 1])
      let bob = realm.create(Person.self, value: ["id": 2])
      ada.friend = bob
      realm.delete(bob)
    }
    let edits = try #require(try changesets(realm.file, after: next).first).instructions.map { "\($0)" }
    let essential = edits.filter { !$0.contains("Person[2].") && !$0.contains("home[") }
    #expect(
      essential == [
        "insert Person[1].tags[0] = \"a\" of 0", "insert Person[1].tags[1] = \"b\" of 1",
        "move Person[1].tags[1] to 0 of 2", "clear Person[1].tags as list",
        "update Person[1].home = null", "update Person[1].home = new object", "create Person[2]",
        "update Person[1].friend = -> Person[2]", "update Person[1].friend = null", "erase Person[2]",
      ], "\(essential)")
  }

  @Test("a link written a second time is taken back when its target is deleted, and that is recorded")
  func linkedTwice() throws {
    let realm = try Realm(configuration: memoryConfiguration(recordsChangesets: true))
    let (ada, bob) = try realm.write {
      (realm.create(Person.self, value: ["id": 1]), realm.create(Person.self, value: ["id": 2]))
    }
    try realm.write { ada.friend = bob }
    try realm.write { ada.friend = bob }
    #expect(try LinkBooks(realm.file).complaint == nil)
    let version = try realm.file.store.latestSnapshot().version.rawValue
    try realm.write { realm.delete(bob) }
    let recorded = try changesets(realm.file, after: version).flatMap(\.instructions).map { "\($0)" }
    #expect(recorded == ["update Person[1].friend = null", "erase Person[2]"])
    #expect(ada.friend == nil)
    #expect(try LinkBooks(realm.file).complaint == nil)
  }

  @Test("a realm that does not record has no history")
  func silent() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write { _ = realm.create(Person.self, value: ["id": 1]) }
    #expect(try realm.file.store.log(ClientLog.entries).lastPosition() == nil)
  }
}
