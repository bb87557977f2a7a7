import ChangesetOT
import TestKit
import Testing

@testable import RecordStore

@Suite("subscription sets")
struct SubscriptionSetsTests {
  private func dogs(_ query: String, name: String? = nil) -> SubscriptionRecord {
    SubscriptionRecord(name: name, className: "Dog", query: query)
  }

  @Test("a set goes through its states, and supersedes those before it when its objects are there")
  func states() {
    var sets = SubscriptionSets()
    let one = sets.append([dogs("a")], snapshot: ClientVersion(3))
    let two = sets.append([dogs("b")], snapshot: ClientVersion(4))
    #expect(sets.pending.map(\.version) == [one, two])
    sets.bootstrapBegan(of: one)
    #expect(sets[one]?.state == .bootstrapping)
    sets.bootstrapEnded(of: one)
    #expect(sets.sets.map(\.version) == [one, two])
    #expect(sets.active.version == one)
    let isFirst = sets.marked(one)
    let isSecond = sets.marked(one)
    #expect(isFirst)
    #expect(!isSecond)
    #expect(sets.active.state == .complete)
    sets.bootstrapEnded(of: two)
    #expect(sets[one] == nil)
  }

  @Test("a set in force is not refused, and a bootstrap of it changes nothing")
  func force() {
    var sets = SubscriptionSets()
    let one = sets.append([dogs("a")], snapshot: .zero)
    sets.bootstrapEnded(of: one)
    sets.marked(one)
    sets.refused(one, message: "no")
    #expect(sets.active.state == .complete)
    sets.bootstrapEnded(of: one)
    #expect(sets.active.state == .complete)
    sets.bootstrapBegan(of: one)
    #expect(sets.active.state == .complete)
  }

  @Test("queries are joined by OR in one text, and listed when one of them has clauses")
  func texts() {
    func json(_ subscriptions: [SubscriptionRecord]) -> String {
      SubscriptionSetRecord(version: .zero, snapshot: .zero, subscriptions: subscriptions).querySet.json
    }
    let first = SubscriptionRecord(className: "Dog", query: "TRUEPREDICATE LIMIT(2)", hasClauses: true)
    #expect(json([]) == "{}")
    #expect(json([dogs(#"n == "x""#)]) == #"{"Dog":"(n == \"x\")"}"#)
    #expect(json([dogs("b"), dogs("a", name: "n"), dogs("b", name: "m")]) == #"{"Dog":"(a) OR (b)"}"#)
    #expect(json([first]) == #"{"Dog":"TRUEPREDICATE LIMIT(2)"}"#)
    #expect(json([first, dogs("a")]) == #"{"Dog":["TRUEPREDICATE LIMIT(2)","a"]}"#)
  }

  @Test("after any events versions rise, the set in force never goes back, and the bytes read back")
  func laws() throws {
    for seed in Seeds.some(300) {
      var random = SeededGenerator(seed: seed)
      var sets = SubscriptionSets()
      for _ in 0..<40 {
        let before = sets
        let version = QueryVersion(UInt64.random(in: 0...before.latest.version.rawValue + 1, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1: sets.append([dogs("\(version)")], snapshot: ClientVersion(version.rawValue))
        case 2: sets.bootstrapBegan(of: version)
        case 3: sets.bootstrapEnded(of: version)
        case 4: sets.marked(version)
        case 5: sets.refused(version, message: "no")
        default: sets.bootstrapsDropped()
        }
        #expect(sets.active.version >= before.active.version, "SEED=\(seed)")
        #expect(sets.latest.version >= before.latest.version, "SEED=\(seed)")
        #expect(zip(sets.sets, sets.sets.dropFirst()).allSatisfy { $0.version < $1.version }, "SEED=\(seed)")
        #expect(sets.pending.allSatisfy { $0.version > sets.active.version || sets.active.version == .zero })
        #expect(try SubscriptionSets(decoding: sets.encoded()) == sets, "SEED=\(seed)")
      }
    }
  }

  @Test("damaged bytes are refused, and never trap")
  func damage() throws {
    var sets = SubscriptionSets()
    var subscription = dogs("a", name: "n")
    subscription.timeToLive = 7
    sets.append([subscription, dogs("b")], snapshot: ClientVersion(3))
    let bytes = sets.encoded()
    for length in 0..<bytes.count {
      #expect(throws: (any Error).self) { try SubscriptionSets(decoding: Array(bytes.prefix(length))) }
    }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      var damaged = bytes
      damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      _ = try? SubscriptionSets(decoding: damaged)
    }
  }
}
