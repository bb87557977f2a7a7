import ChangesetOT
import ChangesetOTTestSupport
import TestKit
import DataModel
import Testing

@Suite("compaction of histories")
struct CompactionLaws {
  @Test("a compacted history leads to the same state from every version that is still needed")
  func replay() throws {
    for seed in Seeds.some(300) {
      var random = SeededGenerator(seed: seed)
      var states = [ModelState.sample()]
      var generator = EditGenerator(seed: seed, author: FileIdent(2))
      generator.keyLimit = 4
      var history: [Changeset] = []
      for number in 0..<(20 + random.below(40)) {
        var state = states[states.count - 1]
        let origin = ChangesetOrigin(timestamp: OriginTimestamp(UInt64(number)), file: FileIdent(2))
        history.append(Changeset(instructions: try generator.transaction(on: &state, edits: 3), origin: origin))
        states.append(state)
      }
      let needed = (0...history.count).filter { _ in random.oneIn(10) }
      let short = HistoryCompaction.compacted(history, neededFrom: needed)
      #expect(short.count == history.count)
      for start in needed {
        do {
          let end = try states[start].applying(Array(short[start...]))
          #expect(end == states.last, "SEED=\(seed) from \(start)\n\(end)\n---\n\(states[states.count - 1])")
        } catch {
          Issue.record("SEED=\(seed) from \(start): \(error)")
          return
        }
      }
    }
  }

  @Test("histories of a server with several authors compact to the same state")
  func serverHistories() throws {
    for seed in Seeds.some(60) {
      let network = try ModelNetwork.random(seed: seed, transformer: Transformer())
      let history = network.server.history.map(\.changeset)
      let short = HistoryCompaction.compacted(history, neededFrom: [0])
      #expect(try ModelState.sample().applying(short) == network.server.state, "SEED=\(seed)")
    }
  }

  @Test("a merge with a compacted history converges")
  func merging() throws {
    for seed in Seeds.some(300) {
      let pair = try ConcurrentPair(seed: seed, edits: 10)
      let short = HistoryCompaction.compacted(pair.a, neededFrom: [0])
      var (history, offline) = (short, pair.b)
      try Transformer().transform(local: &history, incoming: &offline)
      let server = try pair.base.applying(pair.a).applying(offline)
      let client = try pair.base.applying(pair.b).applying(history)
      #expect(server == client, "SEED=\(seed)\n\(pair.text)")
    }
  }

  @Test("sides that merge with the full and with the compacted history may diverge")
  func unequalPasts() throws {
    let base = ModelState.sample()
    let object = ObjectReference(className: "Item", key: .int(1))
    func update(_ value: Int64, at time: UInt64, by file: UInt64) -> Changeset {
      Changeset(
        instructions: [.update(Update(target: Target(object: object, field: "n"), payload: .int(value)))],
        origin: ChangesetOrigin(timestamp: OriginTimestamp(time), file: FileIdent(file)))
    }
    // The clock of the second changeset was set back.
    let full = [update(1, at: 10, by: 2), update(2, at: 5, by: 2)]
    let short = HistoryCompaction.compacted(full, neededFrom: [0])
    #expect(short.map(\.instructions.count) == [0, 1])
    func server(_ history: [Changeset]) throws -> ModelState {
      var (local, incoming) = (history, [update(3, at: 7, by: 3)])
      try Transformer().transform(local: &local, incoming: &incoming)
      return try base.applying(full).applying(incoming)
    }
    var (own, downloaded) = ([update(3, at: 7, by: 3)], full)
    try Transformer().transform(local: &own, incoming: &downloaded)
    let device = try base.applying([update(3, at: 7, by: 3)]).applying(downloaded)
    #expect(try server(full) == device)
    #expect(try server(short) != device)
  }

  @Test("eight objects written every few seconds shrink more than a thousandfold")
  func sensors() {
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: FileIdent(2))
    let history = (0..<40_000).map { number in
      let object = ObjectReference(className: "Sensor", key: .int(Int64(number % 8)))
      return Changeset(
        instructions: ["value", "at"].map {
          .update(Update(target: Target(object: object, field: $0), payload: .int(Int64(number))))
        } + [.addInteger(AddInteger(target: Target(object: object, field: "count"), amount: 1))], origin: origin)
    }
    let short = HistoryCompaction.compacted(history, neededFrom: [0])
    let count = short.reduce(0) { $0 + $1.instructions.count }
    #expect(count == 8 * 3)
    #expect(history.count * 3 / count >= 1_000)
  }

  @Test("without a needed version, every entry is empty")
  func unneeded() throws {
    let pair = try ConcurrentPair(seed: 1)
    #expect(HistoryCompaction.compacted(pair.a, neededFrom: []).allSatisfy { $0.isEmpty })
    #expect(HistoryCompaction.compacted(pair.a, neededFrom: [pair.a.count]).allSatisfy { $0.isEmpty })
  }
}
