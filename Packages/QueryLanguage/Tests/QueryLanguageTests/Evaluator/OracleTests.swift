import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import TestKit
import Testing

/// The evaluator against a second reading of the specification, over random data and random queries.
@Suite("Oracle") struct OracleTests {
  @Test("the evaluator agrees with the oracle, columns or not, indexed or not") func agreement() throws {
    let schema = try #require(VectorFile.all().first).schema
    var accepted = 0
    var refused = 0
    var matched = 0
    for seed in Seeds.some(40) {
      var random = SeededGenerator(seed: seed)
      var sources: [MemorySource] = []
      let dataSeed = random.next()
      for presentation in VectorTests.presentations {
        let source = MemorySource(schema: schema.schema, presentation: presentation)
        var data = SeededGenerator(seed: dataSeed)
        DataGenerator.fill(source, count: 7, using: &data)
        sources.append(source)
      }
      let oracle = Oracle(sources[0], schema: schema)
      var generator = QueryGenerator(schema.schema, random: random)
      for number in 0..<50 {
        let className = ["Person", "Dog", "Clinic", "Product", "Line", "Order"][number % 6]
        let query = generator.query(className)
        guard let plan = try? QueryPlan(query, className: className, schema: schema) else {
          refused += 1
          continue
        }
        accepted += 1
        let expected = oracle.positions(query, className)
        if !expected.isEmpty { matched += 1 }
        for source in sources {
          let table = try #require(source.memoryTable(className))
          let found = try plan.rows(in: source)
          let wanted = expected.map { table.rowKey($0) }
          let explanation = try found == wanted ? "" : plan.explain(in: source)
          #expect(found == wanted, "SEED=\(seed) \(className): \(query)\n\(explanation)")
          #expect(try plan.count(in: source) == expected.count, "SEED=\(seed) \(className): \(query)")
          if found != wanted { return }
        }
      }
    }
    #expect(accepted > refused, "\(accepted) accepted, \(refused) refused")
    #expect(matched * 4 > accepted, "\(matched) of \(accepted) found something")
  }

  @Test("canonical text of generated queries reads back as the same tree") func roundTrips() throws {
    let schema = try #require(VectorFile.all().first).schema.schema
    for seed in Seeds.some(3000) {
      var generator = QueryGenerator(schema, random: SeededGenerator(seed: seed))
      let query = generator.query(schema.objectSchema[Int(seed % 7)].className)
      let text = try query.canonical()
      let again = try ParsedQuery(parsing: text)
      let printed = try again.canonical()
      #expect(printed == text, "SEED=\(seed)")
      if printed != text { return }
      #expect(TreeNormalizer.normalized(again) == TreeNormalizer.normalized(query), "SEED=\(seed) \(text)")
    }
  }
}
