import DataExchange
import DataModel
import Foundation
import RecordStore
import TestKit
import Testing

@Suite("Export and import") struct RoundTripTests {
  @Test(
    "an exported realm is imported equal", arguments: ExchangeFormat.allCases)
  func roundTrip(_ format: ExchangeFormat) throws {
    for seed in Seeds.some(6) {
      let folder = try Folder()
      var generator = RandomRealm(random: SeededGenerator(seed: seed))
      let source = try RealmFile.open(.inMemory(name: "source \(format) \(seed)"))
      try generator.fill(source)
      let path = folder.path + "/export"
      try RealmExport(source.contents()).write(to: path, format: format)
      let target = try RealmFile.open(.inMemory(name: "target \(format) \(seed)"))
      let report = try RealmImport(path: path, format: format).run(into: target)
      #expect(try target.dump() == source.dump(), "seed \(seed)")
      #expect(try target.contents().schema == source.contents().schema, "seed \(seed)")
      #expect(try target.contents().schemaVersion == 3)
      #expect(report.updated == 0)
      // Again: nothing is made, nothing changes.
      let again = try RealmImport(path: path, format: format).run(into: target)
      #expect(again.created == 0)
      #expect(try target.dump() == source.dump(), "seed \(seed)")
      #expect(try RealmDifference(source.contents(), target.contents()).forEach { Issue.record("\($0)") } == 0)
    }
  }

  @Test("a synchronized realm records its import for upload")
  func recording() throws {
    for seed in Seeds.some(3) {
      let folder = try Folder()
      var generator = RandomRealm(random: SeededGenerator(seed: seed))
      let source = try RealmFile.open(.inMemory(name: "recorded source \(seed)"))
      try generator.fill(source)
      try RealmExport(source.contents()).write(to: folder.path + "/all.json")
      let target = try RealmFile.open(
        .inMemory(name: "recorded target \(seed)"), options: RealmFile.Options(recordsChangesets: true))
      _ = try RealmImport(path: folder.path + "/all.json").run(into: target)
      #expect(try target.dump() == source.dump(), "seed \(seed)")
      #expect(try ClientHistory(target).pendingCount() > 0)
    }
  }

  @Test("mixed values keep their type")
  func mixedTypes() throws {
    let folder = try Folder()
    let file = try RealmFile.open(.inMemory(name: "nan"))
    let schema = Schema([
      ObjectSchema(
        className: "N", primaryKey: "id",
        properties: [
          Property(name: "id", type: .int, isIndexed: true), Property(name: "d", type: .double),
          Property(name: "f", type: .float), Property(name: "m", type: .any, isOptional: true),
        ])
    ])
    try file.edit { editor in
      try editor.addClasses(schema)
      let object = ObjectReference(className: "N", key: .int(1))
      try editor.create(object)
      try editor.set(["d": .value(.double(.nan)), "f": .value(.float(.nan)), "m": .value(.float(1))], of: object)
    }
    for format in ExchangeFormat.allCases {
      let path = folder.path + "/\(format)"
      try RealmExport(file.contents()).write(to: path, format: format)
      let copy = try RealmFile.open(.inMemory(name: "nan \(format)"))
      _ = try RealmImport(path: path, format: format).run(into: copy)
      #expect(try copy.dump().description == file.dump().description)
    }
  }
}
