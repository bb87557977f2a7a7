import DataExchange
import DataModel
import Foundation
import RecordStore
import TestKit
import Testing

@Suite("Import in batches") struct BatchedImportTests {
  private static let schema = Schema([
    ObjectSchema(
      className: "Dog", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int, isIndexed: true), Property(name: "name", type: .string),
        Property(name: "mother", type: .object, objectClassName: "Dog", isOptional: true),
      ])
  ])

  private func recordingFile() throws -> RealmFile {
    let file = try RealmFile.open(
      .inMemory(name: UUID().uuidString), options: RealmFile.Options(recordsChangesets: true))
    try file.edit { try $0.addClasses(Self.schema) }
    return file
  }

  @Test("an import in batches brings what one in one transaction brings", arguments: ExchangeFormat.allCases)
  func equality(_ format: ExchangeFormat) throws {
    for seed in Seeds.some(4) {
      let folder = try Folder()
      var generator = RandomRealm(random: SeededGenerator(seed: seed))
      let source = try RealmFile.open(.inMemory(name: "batched source \(format) \(seed)"))
      try generator.fill(source)
      let path = folder.path + "/export"
      try RealmExport(source.contents()).write(to: path, format: format)
      let target = try RealmFile.open(.inMemory(name: "batched target \(format) \(seed)"))
      let batches = try BatchedImport(RealmImport(path: path, format: format), into: target.contents().schema)
      while try target.edit({ try batches.writeBatch(in: $0) }) {}
      #expect(try target.dump() == source.dump(), "seed \(seed)")
      #expect(try target.contents().schema == source.contents().schema, "seed \(seed)")
    }
  }

  @Test("batches are bounded, others write between them, and links lead to objects of later batches")
  func between() throws {
    let folder = try Folder()
    let count = 2 * BatchedImport.mostObjects + 10
    // Each dog's mother stands on the next line.
    let lines = (0..<count).map { "\($0),dog-\($0),\($0 + 1 < count ? "\($0 + 1)" : "")\n" }
    let path = try folder.write("id,name,mother\n" + lines.joined(), "Dog.csv")
    let file = try recordingFile()
    let batches = try BatchedImport(RealmImport(path: path), into: file.contents().schema)
    var transactions = 0
    var hasMore = true
    while hasMore {
      let before = try file.contents().count(of: "Dog")
      hasMore = try file.edit { try batches.writeBatch(in: $0) }
      transactions += 1
      #expect(try file.contents().count(of: "Dog") - before <= BatchedImport.mostObjects)
      // Another writer erases an object between two batches: its links are not set, and it does not come back.
      if transactions == 1 { try file.edit { _ = try $0.erase(ObjectReference(className: "Dog", key: .int(7))) } }
    }
    #expect(transactions >= 5)
    #expect(batches.report.created == count)
    #expect(try file.contents().count(of: "Dog") == count - 1)
    let last = BatchedImport.mostObjects - 1
    let dog = try file.contents().object(ObjectReference(className: "Dog", key: .int(Int64(last))))
    #expect(dog?["mother"] == .value(.link(ObjectReference(className: "Dog", key: .int(Int64(last) + 1)))))
  }

  @Test("a batch ends behind its bytes of changes, too")
  func bytes() throws {
    let folder = try Folder()
    let text = String(repeating: "x", count: BatchedImport.mostBytes / 4)
    let path = try folder.write("id,name\n" + (0..<10).map { "\($0),\(text)\n" }.joined(), "Dog.csv")
    let file = try recordingFile()
    let batches = try BatchedImport(RealmImport(path: path), into: file.contents().schema)
    var counts: [Int] = []
    var hasMore = true
    while hasMore {
      hasMore = try file.edit { try batches.writeBatch(in: $0) }
      counts.append(try file.contents().count(of: "Dog"))
    }
    #expect(counts.first.map { $0 <= 5 } == true)
    #expect(counts.contains(10))
  }

  @Test("a file whose last object does not fit changes nothing")
  func check() throws {
    let folder = try Folder()
    let count = BatchedImport.mostObjects + 1
    let path = try folder.write(
      "id,name\n" + (0..<count).map { "\($0),dog\n" }.joined() + "none,dog\n", "Dog.csv")
    let file = try recordingFile()
    let schema = try file.contents().schema
    let error = try #require(throws: ExchangeError.self) {
      _ = try BatchedImport(RealmImport(path: path), into: schema)
    }
    #expect(error.line == count + 2)
    // Left out if asked, and counted once.
    let batches = try BatchedImport(RealmImport(path: path, skipsBadObjects: true), into: schema)
    while try file.edit({ try batches.writeBatch(in: $0) }) {}
    #expect(batches.report.created == count)
    #expect(batches.report.skipped == 1)
  }
}
