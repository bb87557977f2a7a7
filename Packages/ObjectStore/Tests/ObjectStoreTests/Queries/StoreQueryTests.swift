import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import StorageEngine
import TestKit
import Testing

@testable import ObjectStore

/// Queries over realm files: the conformance vectors, and random queries against the oracle of the language.
@Suite("Queries over files") struct StoreQueryTests {
  @Test("the vectors hold in a file") func vectors() throws {
    for url in RepositoryFiles.vectors("query", variable: "OPENREALM_QUERY_VECTORS") {
      let vectors = try VectorFile(url)
      let memory = vectors.source()
      let file = try memoryFile()
      _ = try StoreFiller.fill(file, from: memory)
      let source = FrameQuerySource(try file.latestFrame(), schema: vectors.schema.schema)
      for vector in vectors.vectors {
        guard let expect = vector.expect else { continue }
        let plan = try QueryPlan(
          vector.parsed(), className: vector.className, schema: vectors.schema, arguments: vector.arguments)
        let table = try #require(try source.table(vector.className))
        let found = try plan.rows(in: source).compactMap { try table.objectKey(of: $0)?.value }
        if vector.isOrdered {
          #expect(found == expect, "\(vector)")
        } else {
          #expect(Set(found) == Set(expect) && found.count == expect.count, "\(vector): \(found) not \(expect)")
        }
        #expect(try plan.count(in: source) == expect.count, "\(vector)")
      }
    }
  }

  @Test("random queries find in a file what the oracle finds in memory") func oracle() throws {
    let url = try #require(RepositoryFiles.vectors("query", variable: "OPENREALM_QUERY_VECTORS").first)
    let schema = try VectorFile(url).schema
    var accepted = 0
    for seed in Seeds.some(6) {
      var random = SeededGenerator(seed: seed)
      let memory = MemorySource(schema: schema.schema)
      DataGenerator.fill(memory, count: 7, using: &random)
      let file = try memoryFile()
      let rows = try StoreFiller.fill(file, from: memory)
      let source = FrameQuerySource(try file.latestFrame(), schema: schema.schema)
      let oracle = Oracle(memory, schema: schema)
      var generator = QueryGenerator(schema.schema, random: random)
      for number in 0..<100 {
        let className = ["Person", "Dog", "Clinic", "Product", "Line", "Order"][number % 6]
        let query = generator.query(className)
        guard let plan = try? QueryPlan(query, className: className, schema: schema) else { continue }
        accepted += 1
        let wanted = oracle.positions(query, className).compactMap { rows[className]?[$0].rawValue }
        let found = try plan.rows(in: source)
        #expect(found == wanted, "SEED=\(seed) \(className): \(query)")
        if found != wanted { return }
      }
    }
    #expect(accepted > 300 || Seeds.seed != nil)
  }
}
