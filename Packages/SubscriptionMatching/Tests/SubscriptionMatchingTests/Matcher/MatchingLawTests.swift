import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import SubscriptionMatching
import TestKit
import Testing

/// The answer of a matcher is that of evaluating every query before and after each commit.
@Suite("Matching law") struct MatchingLawTests {
  @Test("matches are those of evaluating each query before and after, at the edges of every type")
  func edges() throws {
    var found = 0
    for seed in Seeds.some(150) {
      var random = SeededGenerator(seed: seed)
      var world = MatcherWorld(ValuePool.schema, seed: seed)
      for number in 0..<24 {
        var arguments: [QueryArgument] = []
        let text = ValuePool.predicate(Int.random(in: 0...2, using: &random), &arguments, using: &random)
        world.add(try ParsedQuery(parsing: text), "Thing", arguments, id: number)
      }
      var objects = (0..<6).map { ValuePool.object(Int64($0), using: &random) }
      var source = Self.source(objects)
      for _ in 0..<4 {
        Self.edit(&objects, using: &random)
        let next = Self.source(objects)
        let problem = try world.check(Commit(from: source, to: next))
        #expect(problem == nil, "SEED=\(seed) \(problem ?? "")")
        if problem != nil { return }
        source = next
        world.removeSome(using: &random)
      }
      found += world.found
    }
    #expect(found > 0)
  }

  @Test("matches and concerns are right for random queries of every kind over linked classes") func linked() throws {
    let file = try #require(RepositoryFiles.vectors("query", variable: "OPENREALM_QUERY_VECTORS").first)
    let schema = try VectorFile(file).schema
    let classNames = ["Person", "Dog", "Clinic", "Product", "Line", "Order"]
    for seed in Seeds.some(60) {
      var random = SeededGenerator(seed: seed)
      var world = MatcherWorld(schema, seed: seed)
      var generator = QueryGenerator(schema.schema, random: random.split())
      for number in 0..<36 {
        let className = classNames[number % classNames.count]
        world.add(generator.query(className), className, [], id: number)
      }
      var source = MemorySource(schema: schema.schema)
      DataGenerator.fill(source, count: 5, using: &random)
      for _ in 0..<3 {
        let next = MemorySource(schema: schema.schema)
        Self.copy(source, to: next, using: &random)
        let problem = try world.check(Commit(from: source, to: next))
        #expect(problem == nil, "SEED=\(seed) \(problem ?? "")")
        if problem != nil { return }
        source = next
      }
    }
  }

  private static func source(_ objects: [[Value]]) -> MemorySource {
    let source = MemorySource(schema: ValuePool.schema.schema)
    for object in objects {
      let names = ValuePool.thing.properties.map(\.name)
      source.add("Thing", Dictionary(zip(names, object)) { first, _ in first })
    }
    return source
  }

  /// Changes a property or two, inserts and deletes.
  private static func edit(_ objects: inout [[Value]], using random: inout SeededGenerator) {
    let next = (objects.compactMap { if case .int(let id)? = $0.first { id } else { nil } }.max() ?? 0) + 1
    for at in objects.indices where !random.oneIn(3) {
      for _ in 0...1 {
        let property = Int.random(in: 1...ValuePool.types.count, using: &random)
        objects[at][property] = ValuePool.value(ValuePool.types[property - 1].type, using: &random)
      }
    }
    if random.oneIn(2) { objects.append(ValuePool.object(next, using: &random)) }
    if random.oneIn(2), !objects.isEmpty { objects.remove(at: Int.random(in: 0..<objects.count, using: &random)) }
  }

  /// Copies most objects, and gives some properties the values that another object of random data has.
  private static func copy(_ source: MemorySource, to next: MemorySource, using random: inout SeededGenerator) {
    let donor = MemorySource(schema: source.schema)
    DataGenerator.fill(donor, count: 6, using: &random)
    for objectSchema in source.schema.objectSchema where objectSchema.kind != .embedded {
      let rows = source.memoryTable(objectSchema.className)?.rows ?? []
      let donors = donor.memoryTable(objectSchema.className)?.rows ?? []
      let keys = Set(source.memoryTable(objectSchema.className)?.keys ?? [])
      let donorKeys = donor.memoryTable(objectSchema.className)?.keys ?? []
      let names = objectSchema.properties.map(\.name)
      for row in rows where !random.oneIn(8) {
        var row = row
        for (property, name) in names.enumerated() where name != objectSchema.primaryKey && random.oneIn(12) {
          row[property] = donors.randomElement(using: &random)?[property] ?? .null
        }
        next.add(objectSchema.className, Dictionary(zip(names, row)) { first, _ in first })
      }
      // Rows keep their order: an object that comes is one that was not there before.
      if random.oneIn(3), let row = donors.last, rows.count < 6, !keys.contains(donorKeys.last ?? .null) {
        next.add(objectSchema.className, Dictionary(zip(names, row)) { first, _ in first })
      }
    }
  }
}
