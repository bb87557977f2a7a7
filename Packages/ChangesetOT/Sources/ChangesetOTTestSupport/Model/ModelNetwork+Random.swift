public import ChangesetOT
import TestKit

extension ModelNetwork {
  /// A network after random commits, uploads and downloads, in sync at the end.
  ///
  /// - Throws: an error when a changeset cannot be transformed or applied: a violation of the laws.
  public static func random(
    seed: UInt64, clients: Int = 3, steps: Int = 30, weights: EditGenerator.Weights = .forNetworks,
    transformer: Transformer = Transformer()
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
        // Clocks that differ by years and run backwards.
        let time = OriginTimestamp(UInt64(random.below(100)) + (random.oneIn(5) ? 100_000_000_000 : 0))
        try network.commit(ident, instructions, at: time)
      }
    }
    try network.settle()
    return network
  }
}
