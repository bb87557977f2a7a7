import Foundation
import ObjectStore
import SQLiteDatabase

/// The people in a file of ours and in one of SQLite, loaded once for every suite that works on them.
final class PeopleFixture {
  let folder: ScratchFolder
  let count: Int
  let people: [PersonValues]
  let realm: Realm
  let table: PeopleTable
  /// Seconds that loading took, ours and the rival's.
  let ourInsert: Double
  let rivalInsert: Double

  // Suites run one after the other on the main thread, which alone touches this.
  nonisolated(unsafe) private static var current: PeopleFixture?

  /// The people; the first call loads them.
  static func loaded() throws -> PeopleFixture {
    if let current { return current }
    let made = try PeopleFixture()
    current = made
    atexit { PeopleFixture.current?.folder.remove() }
    return made
  }

  private init() throws {
    folder = try ScratchFolder("store")
    count = Int(ProcessInfo.processInfo.environment["OBJECTS"] ?? "") ?? 1_000_000
    let people = PersonValues.make(count)
    self.people = people
    var configuration = Realm.Configuration(fileURL: folder.url.appendingPathComponent("people.realm"))
    configuration.objectTypes = [Person.self]
    let realm = try Realm(configuration: configuration)
    let table = try PeopleTable(path: folder.url.appendingPathComponent("people.sqlite").path)
    self.realm = realm
    self.table = table
    rivalInsert = try seconds {
      try table.connection.transaction { for person in people { try table.insert(person) } }
    }
    ourInsert = try seconds {
      try realm.write {
        var added: [Person] = []
        added.reserveCapacity(people.count)
        realm.add(people, to: &added)
      }
    }
  }
}
