import ChangesetOT
import ChangesetOTTestSupport
import TestKit
import Testing

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

  @Test("canary: the law finds the error in the nested move of the reference")
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
      #expect(a == a2, "SEED=\(seed)\n\(pair.text)")
      #expect(b == b2, "SEED=\(seed)\n\(pair.text)")
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

  @Test("networks of three to six clients converge under any order and any clocks")
  func networks() throws {
    for seed in Seeds.some(100) {
      do {
        let network = try ModelNetwork.random(
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
