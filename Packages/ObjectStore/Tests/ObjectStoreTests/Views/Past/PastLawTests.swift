import ChangesetOT
import DataModel
import QueryLanguage
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("past states as sources of queries")
struct PastLawTests {
  @Test("a past state answers every query as a file whose history ends there")
  func law() throws {
    var plans: [(text: String, query: KeyOrderedQuery)] = []
    var matched = Set<String>()
    let seeds = Seeds.some(100)
    for seed in seeds {
      var world = try PastWorld(seed: seed, fillers: seed % 5 == 0 ? 300 : 2)
      try world.run(versions: Int(seed % 12) + 1)
      if plans.isEmpty { plans = PastQueryTexts.plans(QuerySchema(world.states[0].schema)) { Issue.record("\($0)") } }
      var random = world.random
      let version = Int.random(in: 0..<world.states.count, using: &random)
      let present = ReadViewQuerySource(try world.file.latestReadView())
      let past = try PastQuerySource(present, world.past, at: ServerVersion(UInt64(version)))
      var comparison = PastComparison(past, ReadViewQuerySource(world.states[version]))
      for (text, query) in plans.shuffled(using: &random).prefix(60) where try comparison.compare(query, text) {
        matched.insert(text)
      }
      try comparison.compareObjects()
      for _ in 0..<3 {
        try comparison.compareClosure(from: [
          PastWorld.item(Int64.random(in: 1...7, using: &random)),
          PastWorld.dog(Int64.random(in: 1...5, using: &random)),
        ])
      }
      if let complaint = comparison.complaint {
        let later = world.log[version...].map { "\($0)" }.joined(separator: "\n")
        Issue.record("SEED=\(seed), version \(version) of \(world.states.count - 1): \(complaint)\n--- later\n\(later)")
        return
      }
    }
    if Seeds.seed == nil, seeds.count >= 100 {
      let never = plans.map(\.text).filter { !matched.contains($0) }
      #expect(never.isEmpty, "queries that never found anything: \(never)")
    }
  }
}
