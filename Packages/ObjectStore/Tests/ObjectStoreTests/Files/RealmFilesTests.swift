import Foundation
import Synchronization
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite struct RealmFilesTests {
  private func fill(_ configuration: Realm.Configuration, _ count: Int = 1) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let first = realm.objects(Person.self).count
      for number in 0..<count { realm.add(Person(value: ["id": first + number, "name": "Ada", "age": number])) }
    }
  }

  private func size(_ configuration: Realm.Configuration) throws -> Int {
    try #require(configuration.fileURL.map { try Data(contentsOf: $0).count })
  }

  @Test("at launch the program is asked once, with total and used bytes, and the file gets smaller if it says so")
  func compactOnLaunch() throws {
    let folder = try TemporaryFolder()
    var configuration = folder.configuration()
    try fill(configuration, 20_000)
    try {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.deleteAll() }
    }()
    let before = try size(configuration)
    let asked = Mutex<[[Int]]>([])
    configuration.shouldCompactOnLaunch = { total, used in
      asked.withLock { $0.append([total, used]) }
      return asked.withLock { $0.count } > 1
    }
    for _ in 0..<2 {
      let realm = try Realm(configuration: configuration)
      let again = try Realm(configuration: configuration)
      #expect(realm == again)
    }
    let sizes = asked.withLock { $0 }
    #expect(sizes.count == 2)
    #expect(sizes.first?.first == before)
    #expect(sizes.allSatisfy { $0[1] <= $0[0] })
    #expect(try size(configuration) < before / 4)
  }

  @Test("a file is compacted while frozen objects of an old version are read")
  func compactWhileReading() throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration()
    try fill(configuration, 5000)
    let realm = try Realm(configuration: configuration)
    let frozen = realm.objects(Person.self).freeze()
    try realm.write { realm.deleteAll() }
    try realm.file.compact()
    #expect(frozen.reduce(0) { $0 + $1.age } == 4999 * 5000 / 2)
    #expect(realm.objects(Person.self).isEmpty)
    #expect(try realm.file.verify().objects == 0)
  }

  @Test("a read-only realm reads and its file is not made")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    var configuration = folder.configuration()
    configuration.readOnly = true
    #expect(throws: Realm.Error(.fileNotFound)) { try Realm(configuration: configuration) }
    #expect(!Realm.fileExists(for: configuration))
    configuration.readOnly = false
    try fill(configuration)
    #expect(Realm.fileExists(for: configuration))
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Person.self).count == 1)
    #expect(try realm.file.verify().objects == 1)
    // A process with the right to write still can.
    configuration.readOnly = false
    try {
      let file = try RealmFile.open(configuration.location)
      try file.write { _ in }
    }()
  }

  @Test("a folder that is missing is fileNotFound")
  func missingFolder() throws {
    let folder = try TemporaryFolder()
    #expect(throws: Realm.Error(.fileNotFound)) { try Realm(configuration: folder.configuration("no/such/test.realm")) }
  }

  @Test("files are deleted when nobody has them open")
  func deletion() throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration()
    #expect(try !Realm.deleteFiles(for: configuration))
    try {
      let realm = try Realm(configuration: configuration)
      #expect(throws: Realm.Error(.alreadyOpen)) { try Realm.deleteFiles(for: configuration) }
      #expect(realm.isEmpty)
    }()
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(!Realm.fileExists(for: configuration))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).allSatisfy { $0.hasSuffix(".lock") })
  }

  @Test("a seed is copied when there is no file yet, and only then")
  func seed() throws {
    let folder = try TemporaryFolder()
    try fill(folder.configuration("seed.realm"), 3)
    var configuration = folder.configuration()
    configuration.seedFilePath = folder.url.appendingPathComponent("seed.realm")
    #expect(try Realm(configuration: configuration).objects(Person.self).count == 3)
    try fill(configuration)
    #expect(try Realm(configuration: configuration).objects(Person.self).count == 4)
    var missing = folder.configuration("other.realm")
    missing.seedFilePath = folder.url.appendingPathComponent("no seed")
    #expect(throws: Realm.Error(.fileNotFound)) { try Realm(configuration: missing) }
  }

  @Test("writing stops the program when more versions than allowed are kept")
  func versionLimit() async throws {
    let folder = try TemporaryFolder()
    var configuration = folder.configuration()
    configuration.maximumNumberOfActiveVersions = 3
    try fill(configuration)
    let realm = try Realm(configuration: configuration)
    let frozen = realm.freeze()
    for number in 1...2 { try realm.write { realm.add(Person(value: ["id": number])) } }
    #expect(try realm.file.activeVersionCount() == 3)
    #expect(frozen.objects(Person.self).count == 1)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = Realm.Configuration(
        inMemoryIdentifier: "versions", objectTypes: [Person.self, Dog.self, Address.self])
      configuration.maximumNumberOfActiveVersions = 3
      let realm = try Realm(configuration: configuration)
      let frozen = realm.freeze()
      for number in 1...4 { try realm.write { realm.add(Person(value: ["id": number])) } }
      print(frozen.isFrozen)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Number of active versions (4) in the Realm exceeded the limit of 3"))
  }

  @Test("a file of a newer release, and a file that is no realm, are refused with what to do")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration()
    try fill(configuration)
    let url = try #require(configuration.fileURL)
    var bytes = try Data(contentsOf: url)
    bytes[63] = 99
    try bytes.write(to: url)
    #expect(throws: Realm.Error(.unsupportedFileFormatVersion)) { try Realm(configuration: configuration) }
    try Data("no realm, but long enough for a header of a database, which takes one hundred bytes at least, so".utf8)
      .write(to: url)
    #expect(throws: Realm.Error(.invalidDatabase)) { try Realm(configuration: configuration) }
  }
}
