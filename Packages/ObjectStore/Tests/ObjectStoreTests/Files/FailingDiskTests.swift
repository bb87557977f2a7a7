import Foundation
import SQLiteDatabase
import Testing

@testable import ObjectStore
@testable import RecordStore
@testable import StorageEngine

@Suite struct FailingDiskTests {
  private func limit(_ realm: Realm, pages: Int) throws {
    try realm.file.store.database.writer.with {
      _ = try $0.sqlite.integer("PRAGMA max_page_count = \(pages)")
    }
  }

  @Test(
    "a full disk is outOfDiskSpace, whatever the size of the transaction; the realm goes on when there is space",
    arguments: [(300, false), (300, true), (40_000, true), (40_000, false)])
  func full(count: Int, records: Bool) throws {
    let folder = try TemporaryFolder()
    var configuration = folder.configuration()
    configuration.recordsChangesets = records
    let realm = try Realm(configuration: configuration)
    let ada = try realm.write { realm.create(Person.self, value: ["id": -1, "name": "Ada", "tags": ["a"]]) }
    var heard = 0
    let token = realm.objects(Person.self).observe { _ in heard += 1 }
    let frozen = realm.freeze()
    try limit(realm, pages: 1)
    var added: Person?
    do {
      try realm.write {
        ada.name = "Eve"
        ada.tags.append("b")
        for number in 0..<count {
          added = realm.create(Person.self, value: ["id": number, "name": "A longer name, number \(number)"])
        }
      }
      Issue.record("the transaction was committed")
    } catch Realm.Error.outOfDiskSpace {
      #expect(!realm.isInWriteTransaction)
    }
    #expect(added?.isInvalidated == true)
    #expect(ada.name == "Ada")
    #expect(Array(ada.tags) == ["a"])
    #expect(realm.objects(Person.self).count == 1)
    #expect(frozen.objects(Person.self).count == 1)
    try limit(realm, pages: 1_000_000)
    try realm.write {
      ada.name = "Grace"
      for number in 0..<3 { realm.create(Person.self, value: ["id": number]) }
    }
    #expect(ada.name == "Grace")
    #expect(realm.objects(Person.self).count == 4)
    #expect(added?.isInvalidated == true)
    #expect(try realm.file.verify().objects == 4)
    token.invalidate()
  }

  @Test("the error of a full disk says what to do")
  func message() throws {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration())
    try limit(realm, pages: 1)
    do {
      try realm.write { for number in 0..<2000 { realm.create(Person.self, value: ["id": number]) } }
      Issue.record("the transaction was committed")
    } catch let error as Realm.Error {
      #expect(error.code == .outOfDiskSpace)
      #expect(error.message.lowercased().contains("space"), "\(error)")
    }
  }

  // The limit on file sizes makes the system itself refuse to write, in a process of its own.
  @Test("writes that the system refuses are errors, and the realm goes on when it takes them again")
  func refused() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let realm = try Realm(configuration: folder.configuration())
      let ada = try realm.write { realm.create(Person.self, value: ["id": -1, "name": "Ada"]) }
      signal(SIGXFSZ, SIG_IGN)
      var limits = rlimit()
      let kind = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      guard getrlimit(kind, &limits) == 0 else { exit(2) }
      let before = limits.rlim_cur
      limits.rlim_cur = 200_000
      guard setrlimit(kind, &limits) == 0 else { exit(3) }
      do {
        try realm.write {
          for number in 0..<20_000 { realm.create(Person.self, value: ["id": number, "name": "name \(number)"]) }
          ada.name = "Eve"
        }
        exit(4)
      } catch let error as Realm.Error {
        guard error.code == .outOfDiskSpace || error.code == .fileAccess, !error.message.isEmpty else { exit(5) }
      }
      limits.rlim_cur = before
      guard setrlimit(kind, &limits) == 0 else { exit(6) }
      guard ada.name == "Ada", realm.objects(Person.self).count == 1 else { exit(7) }
      try realm.write { ada.name = "Grace" }
      guard ada.name == "Grace", try realm.file.verify().objects == 1 else { exit(8) }
      try? FileManager.default.removeItem(at: folder.url)
      exit(0)
    }
  }
}
