import DataModel
import Foundation
import QueryLanguage
import QueryLanguageTestSupport
import StorageEngine
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Random queries over realm files against the oracle of the language: RUNS=2000 asks for 200,000 of them.
@Suite("Random queries over files") struct StoreOracleTests {
  /// One file with the same objects as the others.
  private struct Copy {
    let name: String
    let file: RealmFile
    let rows: [String: [RowKey]]
    let source: ReadViewQuerySource

    init(_ name: String, _ file: RealmFile, from memory: MemorySource, isIndexed: Bool) throws {
      self.name = name
      self.file = file
      rows = try StoreFiller.fill(file, from: memory, isIndexed: isIndexed)
      source = ReadViewQuerySource(try file.latestReadView(), schema: memory.schema)
    }
  }

  /// The objects in files indexed and not, in memory and encrypted on disk.
  private func copies(_ memory: MemorySource, _ folder: TemporaryFolder, _ seed: UInt64) throws -> [Copy] {
    func encrypted(_ name: String) throws -> RealmFile {
      let path = folder.url.appendingPathComponent("\(name)-\(seed).realm").path
      let key = (0..<64).map { UInt8(truncatingIfNeeded: seed &+ $0) }
      let options = RealmFile.Options(isDurable: false, encryptionKey: key)
      return try RealmFile.open(.file(path: path), options: options)
    }
    return [
      try Copy("indexed", memoryFile(), from: memory, isIndexed: true),
      try Copy("plain", memoryFile(), from: memory, isIndexed: false),
      try Copy("encrypted, indexed", encrypted("indexed"), from: memory, isIndexed: true),
      try Copy("encrypted, plain", encrypted("plain"), from: memory, isIndexed: false),
    ]
  }

  @Test("find what the oracle finds in memory, indexed or not, encrypted or not") func oracle() throws {
    let url = try #require(RepositoryFiles.vectors("query", variable: "OPENREALM_QUERY_VECTORS").first)
    let schema = try VectorFile(url).schema
    let folder = try TemporaryFolder()
    var accepted = 0
    var matched = 0
    for seed in Seeds.some(6) {
      var random = SeededGenerator(seed: seed)
      let memory = MemorySource(schema: schema.schema)
      DataGenerator.fill(memory, count: 7, using: &random)
      let copies = try copies(memory, folder, seed)
      let oracle = Oracle(memory, schema: schema)
      var generator = QueryGenerator(schema.schema, random: random)
      for number in 0..<100 {
        let className = ["Person", "Dog", "Clinic", "Product", "Line", "Order"][number % 6]
        let query = generator.query(className)
        guard let plan = try? QueryPlan(query, className: className, schema: schema) else { continue }
        accepted += 1
        let positions = oracle.positions(query, className)
        if !positions.isEmpty { matched += 1 }
        for copy in copies {
          let wanted = positions.compactMap { copy.rows[className]?[$0].rawValue }
          let found = try plan.rows(in: copy.source)
          let count = try plan.count(in: copy.source)
          #expect(found == wanted, "SEED=\(seed) \(copy.name) \(className): \(query)")
          #expect(count == wanted.count, "SEED=\(seed) \(copy.name) \(className): \(query)")
          if found != wanted || count != wanted.count { return }
        }
      }
      for file in try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil) {
        try? FileManager.default.removeItem(at: file)
      }
    }
    if Seeds.seed == nil {
      #expect(accepted > 50 * Seeds.some(6).count, "\(accepted) accepted")
      #expect(matched * 4 > accepted, "\(matched) of \(accepted) found something")
    }
  }
}
