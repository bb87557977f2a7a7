import ChangesetOT
import ChangesetOTTestSupport
import Testing

/// Two authors' changesets on one base, as honest recorders would have made them.
struct ConcurrentPair {
  var base: ModelState
  var a: [Changeset] = []
  var b: [Changeset] = []

  init(seed: UInt64, weights: EditGenerator.Weights = EditGenerator.Weights(), edits: Int = 4) throws {
    var random = SeededGenerator(seed: seed &+ 0x5EED)
    base = .sample()
    // A few shared edits first, so that bases differ.
    var before = EditGenerator(seed: seed, author: FileIdent(9), weights: weights)
    _ = try before.transaction(on: &base, edits: random.below(6))
    a = try Self.changesets(seed, FileIdent(2), base, &random, weights, edits)
    b = try Self.changesets(seed, FileIdent(3), base, &random, weights, edits)
  }

  private static func changesets(
    _ seed: UInt64, _ author: FileIdent, _ base: ModelState, _ random: inout SeededGenerator,
    _ weights: EditGenerator.Weights, _ edits: Int
  ) throws -> [Changeset] {
    var generator = EditGenerator(seed: seed, author: author, weights: weights)
    var state = base
    return try (0...random.below(3)).map { _ in
      let time = OriginTimestamp(UInt64(random.below(20)))
      return Changeset(
        instructions: try generator.transaction(on: &state, edits: random.below(edits) + 1),
        origin: ChangesetOrigin(timestamp: time, file: author))
    }
  }

  var text: String {
    "a at \(a.map(\.origin.timestamp.rawValue)):\n\(a.map(\.description).joined(separator: "\n--\n"))\n"
      + "b at \(b.map(\.origin.timestamp.rawValue)):\n\(b.map(\.description).joined(separator: "\n--\n"))"
  }
}

@Suite("laws of convergence (Docs/Algebra.md)")
struct ConvergenceLaws {
  @Test("TP1: A, then B over A, equals B, then A over B")
  func tp1() throws {
    for seed in Seeds.some(1_500) {
      let pair = try ConcurrentPair(seed: seed)
      var (a, b) = (pair.a, pair.b)
      do {
        try Transformer(engine: .plain).transform(local: &a, incoming: &b)
        var left = pair.base, right = pair.base
        try left.apply(pair.a)
        try left.apply(b)
        try right.apply(pair.b)
        try right.apply(a)
        #expect(left == right, "SEED=\(seed)\n\(pair.text)\nleft\n\(left)\nright\n\(right)")
        if left != right { return }
      } catch {
        Issue.record("SEED=\(seed): \(error)\n\(pair.text)\nb over a:\n\(b)\na over b:\n\(a)")
        return
      }
    }
  }

  @Test("canary: the law finds the slip of the reference's nested move")
  func canary() throws {
    var found = 0
    for seed in UInt64(1)...1_500 {
      let pair = try ConcurrentPair(seed: seed)
      var (a, b) = (pair.a, pair.b)
      do {
        try Transformer(mode: .reference, engine: .plain).transform(local: &a, incoming: &b)
        var left = pair.base, right = pair.base
        try left.apply(pair.a + b)
        try right.apply(pair.b + a)
        if left != right { found += 1 }
      } catch {
        found += 1
      }
    }
    #expect(found > 0)
  }

  @Test("neither side is special: exchanging the two gives the exchanged result")
  func symmetry() throws {
    for seed in Seeds.some(500) {
      let pair = try ConcurrentPair(seed: seed)
      var (a, b) = (pair.a, pair.b)
      var (b2, a2) = (pair.b, pair.a)
      try Transformer(engine: .plain).transform(local: &a, incoming: &b)
      try Transformer(engine: .plain).transform(local: &b2, incoming: &a2)
      #expect(a == a2 && b == b2, "SEED=\(seed)\n\(pair.text)")
      if a != a2 || b != b2 { return }
    }
  }

  @Test("a changeset is reported as changed exactly when it is")
  func changedReport() throws {
    for seed in Seeds.some(300) {
      let pair = try ConcurrentPair(seed: seed)
      var (a, b) = (pair.a, pair.b)
      let changed = try Transformer().transform(local: &a, incoming: &b)
      #expect(changed.local == a.indices.filter { a[$0] != pair.a[$0] }, "SEED=\(seed)")
      #expect(changed.incoming == b.indices.filter { b[$0] != pair.b[$0] }, "SEED=\(seed)")
    }
  }

  @Test("networks of three to six clients converge, whatever the order and the clocks")
  func networks() throws {
    for seed in Seeds.some(100) {
      do {
        let network = try randomNetwork(
          seed: seed, clients: 3 + Int(seed % 4), transformer: Transformer(engine: .plain))
        let states = network.allStates
        let areEqual = states.allSatisfy { $0 == states.first }
        #expect(areEqual, "SEED=\(seed)\n\(states.map(\.description).joined(separator: "\n---\n"))")
        if !areEqual { return }
      } catch {
        Issue.record("SEED=\(seed): \(error)")
        return
      }
    }
  }
}

/// A network after random commits, uploads and downloads, in sync at the end.
func randomNetwork(
  seed: UInt64, clients: Int = 3, steps: Int = 30, weights: EditGenerator.Weights = .forNetworks,
  transformer: Transformer
) throws -> ModelNetwork {
  var random = SeededGenerator(seed: seed &+ 0xFEED)
  let idents = (0..<clients).map { FileIdent(UInt64($0) + 2) }
  var network = ModelNetwork(state: .sample(), clients: idents, transformer: transformer)
  var generators: [FileIdent: EditGenerator] = [:]
  for ident in idents { generators[ident] = EditGenerator(seed: seed, author: ident, weights: weights) }
  for _ in 0..<steps {
    let ident = idents[random.below(clients)]
    switch random.below(5) {
    case 0: try network.upload(ident, limit: random.below(3) + 1)
    case 1: try network.download(ident)
    default:
      guard var state = network.clients[ident]?.state, var generator = generators[ident] else { continue }
      let instructions = try generator.transaction(on: &state, edits: random.below(3) + 1)
      generators[ident] = generator
      // Clocks are off by years and run backwards.
      let time = OriginTimestamp(UInt64(random.below(100)) + (random.oneIn(5) ? 100_000_000_000 : 0))
      try network.commit(ident, instructions, at: time)
    }
  }
  try network.settle()
  return network
}
