import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

private final class Crew: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var members: List<Sailor>
  @Persisted var absent: MutableSet<Sailor>
  @Persisted var posts: Map<String, Sailor?>
  @Persisted var songs: List<String>
  @Persisted var depths: Map<String, Int8?>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
private final class Sailor: Object {
  @Persisted var name: String
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("collections in migrations")
struct MigrationCollectionTests {
  private static let types: [ObjectBase.Type] = [Crew.self, Sailor.self]

  private static func filled() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration(types: types))
    try realm.write {
      let (ann, bob) = (Sailor(value: ["Ann"]), Sailor(value: ["Bob"]))
      let crew = realm.create(Crew.self, value: ["id": 1])
      crew.members.append(objectsIn: [ann, bob])
      crew.absent.insert(bob)
      crew.posts["cook"] = ann
      crew.songs.append("Shenandoah")
      crew.depths["bow"] = 3
    }
    return folder
  }

  @Test("they have the types of live ones, hold what they held before, and are changed where they lie")
  func living() throws {
    let realm = try Self.filled().migrated(to: Self.types) { migration in
      migration.enumerateObjects(ofType: "Crew") { old, new in
        guard let old, let new, let before = old["members"] as? List<MigrationObject>,
          let members = new["members"] as? List<MigrationObject>,
          let absent = new["absent"] as? MutableSet<MigrationObject>,
          let posts = new["posts"] as? Map<String, MigrationObject?>, let songs = new["songs"] as? List<String>,
          let depths = new["depths"] as? Map<String, Int?>
        else {
          Issue.record("a collection has another type")
          return
        }
        members.append(migration.create("Sailor", value: ["name": "Cid"]))
        members.move(from: 2, to: 0)
        absent.removeAll()
        posts["cook"] = nil
        posts["pilot"] = members[1]
        songs.append("Sloop John B")
        depths["stern"] = 4
        new.dynamicList("members")[2]["name"] = "Bobby"
        #expect(before.map { $0["name"] as? String } == ["Ann", "Bob"])
        #expect(members.map { $0["name"] as? String } == ["Cid", "Ann", "Bobby"])
        #expect(members.filter("name BEGINSWITH 'B'").count == 1)
        #expect(members.sorted(byKeyPath: "name").first?["name"] as? String == "Ann")
        let cook = (old["posts"] as? Map<String, MigrationObject?>)?["cook"] ?? nil
        #expect(cook?["name"] as? String == "Ann")
      }
    }
    let crew = try #require(realm.objects(Crew.self).first)
    #expect(crew.members.map(\.name) == ["Cid", "Ann", "Bobby"])
    #expect(crew.absent.isEmpty)
    #expect(crew.posts.keys == ["pilot"])
    #expect(crew.posts["pilot"]??.name == "Ann")
    #expect(
      Array(crew.songs) == ["Shenandoah", "Sloop John B"] && crew.depths["bow"] == 3 && crew.depths["stern"] == 4)
    try realm.file.store.verify()
  }

  @Test("one of the old version can be set as one of the new")
  func replacing() throws {
    let realm = try Self.filled().migrated(to: Self.types) { migration in
      migration.enumerateObjects(ofType: "Crew") { old, new in
        new?["id"] = 7
        (new?["members"] as? List<MigrationObject>)?.removeAll()
        (new?["songs"] as? List<String>)?.removeAll()
        new?["members"] = old?["members"]
        new?["songs"] = old?["songs"]
        new?["posts"] = new?["posts"]
      }
    }
    let crew = try #require(realm.object(ofType: Crew.self, forPrimaryKey: 7))
    #expect(crew.members.map(\.name) == ["Ann", "Bob"])
    #expect(Array(crew.songs) == ["Shenandoah"])
    #expect(crew.posts["cook"]??.name == "Ann")
    try realm.file.store.verify()
  }

  @Test("objects and collections end with the block, and none of the old version changes")
  func ending() async throws {
    let later = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      nonisolated(unsafe) var kept: List<MigrationObject>?
      _ = try Self.filled().migrated(to: Self.types) { migration in
        migration.enumerateObjects(ofType: "Crew") { _, new in kept = new?["members"] as? List<MigrationObject> }
      }
      _ = kept?.count
    }
    let old = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.filled().migrated(to: Self.types) { migration in
        migration.enumerateObjects(ofType: "Sailor") { old, _ in old?["name"] = "Dee" }
      }
    }
    let commit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.filled().migrated(to: Self.types) { migration in
        migration.enumerateObjects(ofType: "Sailor") { _, new in new?.realm?.cancelWrite() }
      }
    }
    func words(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
    #expect(words(later).contains("deleted or invalidated"))
    #expect(words(old).contains("An object of the old version cannot be changed."))
    #expect(words(commit).contains("A migration commits by itself"))
  }
}
