import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

/// A transaction that no server would take.
@Suite struct LargeTransactionTests {
  private func open(_ folder: TemporaryFolder, records: Bool, limit: Int) throws -> (RealmFile, Realm) {
    var configuration = folder.configuration()
    configuration.recordsChangesets = records
    // The realm joins whoever has the file open, whose options stay.
    var options = RealmFile.Options(recordsChangesets: records)
    options.maximumChangesetBytes = limit
    let file = try RealmFile.open(configuration.location, options: options)
    return (file, try Realm(configuration: configuration))
  }

  @Test("it is refused when it is committed: nothing of it is written, and the realm goes on")
  func refused() throws {
    let folder = try TemporaryFolder()
    let (file, realm) = try open(folder, records: true, limit: 10_000)
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    let newest = try ClientHistory(file).newestVersion()
    do {
      try realm.write {
        for number in 2..<500 { realm.create(Person.self, value: ["id": number, "name": "A name of \(number)"]) }
      }
      Issue.record("the transaction was committed")
    } catch Realm.Error.invalidInput {
      #expect(!realm.isInWriteTransaction)
    }
    #expect(realm.objects(Person.self).count == 1)
    #expect(try ClientHistory(file).newestVersion() == newest)
    try realm.write { realm.create(Person.self, value: ["id": 2, "name": "Eve"]) }
    #expect(realm.objects(Person.self).count == 2)
    #expect(try ClientHistory(file).newestVersion() > newest)
  }

  @Test("the error says how much it is, how much may be, and what to do")
  func message() throws {
    do {
      try ChangesetLimit.check([UInt8](repeating: 0, count: 101), limit: 100)
      Issue.record("101 is more than 100")
    } catch let error as Realm.Error {
      #expect(error.message.contains("101 bytes"))
      #expect(error.message.contains("at most 100"))
      #expect(error.message.contains("write less in one transaction"))
    }
  }

  @Test("a realm that is not synchronized takes what its disk takes")
  func local() throws {
    let folder = try TemporaryFolder()
    let (_, realm) = try open(folder, records: false, limit: 10_000)
    try realm.write {
      for number in 2..<500 { realm.create(Person.self, value: ["id": number, "name": "A name of \(number)"]) }
    }
    #expect(realm.objects(Person.self).count == 498)
  }
}
