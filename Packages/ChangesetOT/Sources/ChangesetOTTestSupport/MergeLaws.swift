public import ChangesetOT

/// The laws of merging, one seed at a time: for runs of any length.
///
///     if let violation = MergeLaws.pair(seed: 17) { print(violation) }
public enum MergeLaws {
  /// Checks two concurrent histories of random edits: the fast engine gives the plain one's result, instruction by
  /// instruction, on both sides; and both orders of applying lead to one state.
  ///
  /// - Parameter transformer: the transformer that is compared with the plain engine.
  /// - Returns: the violation with the edits; nil when the law holds.
  public static func pair(seed: UInt64, transformer: Transformer = Transformer()) -> String? {
    do {
      let pair = try shape(of: seed)
      for (left, right) in [(pair.a, pair.b), (pair.b, pair.a)] {
        var (plainLocal, plainIncoming) = (left, right)
        var (local, incoming) = (left, right)
        let plain = try Transformer(engine: .plain).transform(local: &plainLocal, incoming: &plainIncoming)
        let fast = try transformer.transform(local: &local, incoming: &incoming)
        guard plain == fast, plainLocal == local, plainIncoming == incoming else {
          return "seed \(seed): the engines disagree\n\(pair.text)"
        }
      }
      var (a, b) = (pair.a, pair.b)
      try transformer.transform(local: &a, incoming: &b)
      var left = pair.base
      var right = pair.base
      try left.apply(pair.a + b)
      try right.apply(pair.b + a)
      return left == right ? nil : "seed \(seed): the orders lead to two states\n\(pair.text)\n\(left)\n---\n\(right)"
    } catch {
      return "seed \(seed): \(error)"
    }
  }

  /// Short mixed histories, longer ones, and long histories of lists.
  private static func shape(of seed: UInt64) throws -> ConcurrentPair {
    switch seed % 16 {
    case 0: try ConcurrentPair(seed: seed, weights: .listsOnly, edits: 40)
    case 1...3: try ConcurrentPair(seed: seed, edits: 10)
    default: try ConcurrentPair(seed: seed, edits: 4)
    }
  }

  /// Checks a network of a server and three to six clients with arbitrary order, batches and clocks: all end equal, and
  /// the server's history is the same with either engine.
  ///
  /// - Returns: the violation; nil when the law holds.
  public static func network(seed: UInt64, transformer: Transformer = Transformer()) -> String? {
    do {
      let clients = 3 + Int(seed % 4)
      let network = try ModelNetwork.random(seed: seed, clients: clients, transformer: transformer)
      let states = network.allStates
      guard states.allSatisfy({ $0 == states.first }) else {
        return "seed \(seed): not all end equal\n" + states.map(\.description).joined(separator: "\n---\n")
      }
      let plain = try ModelNetwork.random(seed: seed, clients: clients, transformer: Transformer(engine: .plain))
      guard plain.server.history.map(\.changeset) == network.server.history.map(\.changeset) else {
        return "seed \(seed): the engines make different histories"
      }
      return nil
    } catch {
      return "seed \(seed): \(error)"
    }
  }
}
