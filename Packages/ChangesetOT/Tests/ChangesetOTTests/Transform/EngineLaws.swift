import ChangesetOT
import ChangesetOTTestSupport
import TestKit
import DataModel
import Testing

@Suite("the fast engine gives the plain engine's result")
struct EngineLaws {
  @Test("on edits of every kind, instruction by instruction")
  func everyKind() throws {
    for seed in Seeds.some(400) {
      let pair = try ConcurrentPair(seed: seed, edits: 10)
      guard try agree(pair.a, pair.b, seed) else { return }
    }
  }

  @Test("on long runs of edits of lists")
  func lists() throws {
    for seed in Seeds.some(150) {
      let pair = try ConcurrentPair(seed: seed, weights: .listsOnly, edits: 60)
      guard try agree(pair.a, pair.b, seed) else { return }
    }
  }

  @Test("on two long concurrent histories of one list of any starting size")
  func oneList() throws {
    for seed in Seeds.some(150) {
      var random = SeededGenerator(seed: seed)
      let size = random.below(6)
      let a = Self.listHistory(seed, FileIdent(2), size: size, count: random.below(40) + 1, &random)
      let b = Self.listHistory(seed, FileIdent(3), size: size, count: random.below(40) + 1, &random)
      guard try agree(a, b, seed) else { return }
    }
  }

  @Test("on histories of one list that fall into segments")
  func segments() throws {
    for seed in Seeds.some(15) {
      var random = SeededGenerator(seed: seed)
      let size = 10 + random.below(random.oneIn(2) ? 60 : 600)
      let a = Self.listHistory(seed, FileIdent(2), size: size, count: random.below(80) + 60, &random)
      let b = Self.listHistory(seed, FileIdent(3), size: size, count: random.below(80) + 80, &random)
      guard try agree(a, b, seed) else { return }
    }
  }

  @Test("on long histories of one long list")
  func longLists() throws {
    for seed in Seeds.some(2) {
      let work = MergeWorkload.make(.listMix, count: 500, incomingCount: 400, seed: seed)
      guard try agree(work.local, work.incoming, seed) else { return }
    }
  }

  @Test("on two long histories of insertions only")
  func insertions() throws {
    for seed in Seeds.some(100) {
      var random = SeededGenerator(seed: seed)
      let size = random.oneIn(3) ? 0 : random.below(20)
      let a = Self.insertions(FileIdent(2), size: size, count: random.below(60) + 20, &random)
      let b = Self.insertions(FileIdent(3), size: size, count: random.below(60) + 50, &random)
      guard try agree(a, b, seed) else { return }
    }
  }

  @Test("on every kind of heavy workload", arguments: MergeWorkload.Shape.allCases)
  func workloads(shape: MergeWorkload.Shape) throws {
    for seed in Seeds.some(2) {
      let work = MergeWorkload.make(shape, count: 120, incomingCount: 90, seed: seed)
      guard try agree(work.local, work.incoming, seed) else { return }
    }
  }

  /// Insertions at the front, at the end, at one index or anywhere: one habit for each author.
  private static func insertions(
    _ author: FileIdent, size start: Int, count: Int, _ random: inout SeededGenerator
  ) -> [Changeset] {
    let list = Target(object: ObjectReference(className: "Item", key: .int(1)), field: "tags")
    let habit = random.below(5)
    let clock = random.oneIn(2)
    return (0..<count).map { number in
      let size = start + number
      let index: Int =
        switch habit {
        case 0: 0
        case 1: size
        case 2: min(3, size)
        case 3: random.below(3) * size / 2
        default: random.below(size + 1)
        }
      var target = list
      target.path = [.index(UInt32(index))]
      let insert = ArrayInsert(target: target, payload: .int(Int64(number)), priorSize: UInt32(size))
      let time = OriginTimestamp(UInt64(clock ? number : random.below(30)))
      return Changeset(
        instructions: [.arrayInsert(insert)], origin: ChangesetOrigin(timestamp: time, file: author))
    }
  }

  @Test("networks under both engines end in the same histories")
  func networks() throws {
    for seed in Seeds.some(60) {
      let plain = try ModelNetwork.random(seed: seed, transformer: Transformer(engine: .plain))
      let fast = try ModelNetwork.random(seed: seed, transformer: Transformer(engine: .fast))
      #expect(plain.server.history.map(\.changeset) == fast.server.history.map(\.changeset), "SEED=\(seed)")
      #expect(plain.allStates == fast.allStates, "SEED=\(seed)")
    }
  }

  /// Compares both engines on both orders of the sides; records a violation with the seed and the edits.
  private func agree(_ a: [Changeset], _ b: [Changeset], _ seed: UInt64) throws -> Bool {
    for (left, right) in [(a, b), (b, a)] {
      var (plainLocal, plainIncoming) = (left, right)
      var (fastLocal, fastIncoming) = (left, right)
      let plain = try Transformer(engine: .plain).transform(local: &plainLocal, incoming: &plainIncoming)
      let fast = try Transformer(engine: .fast).transform(local: &fastLocal, incoming: &fastIncoming)
      guard plain == fast, plainLocal == fastLocal, plainIncoming == fastIncoming else {
        Issue.record("SEED=\(seed)\na\n\(a.map(\.description))\nb\n\(b.map(\.description))")
        return false
      }
    }
    return true
  }

  /// Random edits of one list, a few to a changeset, with random clocks.
  static func listHistory(
    _ seed: UInt64, _ author: FileIdent, size start: Int, count: Int, _ random: inout SeededGenerator
  ) -> [Changeset] {
    let list = Target(object: ObjectReference(className: "Item", key: .int(1)), field: "tags")
    var size = start
    var changesets: [Changeset] = []
    for number in 0..<count {
      func at(_ index: Int) -> Target {
        var target = list
        target.path = [.index(UInt32(index))]
        return target
      }
      let instruction: Instruction
      let prior = UInt32(size)
      switch random.below(size < 2 ? 1 : 8) {
      case 0...3:
        let index = random.oneIn(3) ? size : random.below(size + 1)
        instruction = .arrayInsert(ArrayInsert(target: at(index), payload: .int(Int64(number)), priorSize: prior))
        size += 1
      case 4:
        let payload = random.pick([Payload.int(Int64(number)), .list, .dictionary, .objectValue]) ?? .null
        instruction = .update(Update(target: at(random.below(size)), payload: payload, priorSize: prior))
      case 5:
        instruction = .arrayErase(ArrayErase(target: at(random.below(size)), priorSize: prior))
        size -= 1
      default:
        let from = random.below(size)
        let to = (from + 1 + random.below(size - 1)) % size
        instruction = .arrayMove(ArrayMove(target: at(from), destination: UInt32(to), priorSize: prior))
      }
      if changesets.isEmpty || random.oneIn(2) {
        let time = OriginTimestamp(UInt64(random.below(12)))
        changesets.append(Changeset(origin: ChangesetOrigin(timestamp: time, file: author)))
      }
      changesets[changesets.count - 1].instructions.append(instruction)
    }
    return changesets
  }
}
