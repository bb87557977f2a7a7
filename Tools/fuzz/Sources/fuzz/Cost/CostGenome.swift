import TestKit

/// The genome of an input of the search for costs: a few genes, each a kind of step, a choice and a count.
///
/// A genome is bytes, so that it can be printed and replayed: the kind of input, then four bytes for each gene.
struct CostGenome: Hashable {
  /// Four bytes of a genome.
  struct Gene: Hashable {
    var code: UInt8
    var first: UInt8
    var second: UInt8
    /// The number of repetitions of the gene, or of the block that it repeats.
    var count: UInt8
  }

  /// The subject that the bytes are fed to.
  enum Kind: UInt8, CaseIterable { case changeset, merge, message, stream }

  var kind: Kind
  var genes: [Gene]

  static let geneLimit = 24

  init(kind: Kind, genes: [Gene]) { (self.kind, self.genes) = (kind, genes) }

  /// The genome that was printed; nil for other texts.
  init?(_ text: String) {
    var bytes: [UInt8] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    guard let first = bytes.first, let kind = Kind(rawValue: first), bytes.count % 4 == 1 else { return nil }
    self.kind = kind
    genes = stride(from: 1, to: bytes.count, by: 4).map {
      Gene(code: bytes[$0], first: bytes[$0 + 1], second: bytes[$0 + 2], count: bytes[$0 + 3])
    }
  }

  /// As ``init(_:)`` reads it.
  var text: String {
    let bytes = [kind.rawValue] + genes.flatMap { [$0.code, $0.first, $0.second, $0.count] }
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// A random genome.
  static func random(using random: inout SeededGenerator) -> CostGenome {
    let kind = Kind.allCases[random.below(Kind.allCases.count)]
    return CostGenome(kind: kind, genes: (0...random.below(6)).map { _ in .random(using: &random) })
  }

  /// A child: a gene or a block changed, doubled, taken out or brought in from a mate of the same kind.
  func mutated(with mate: CostGenome, using random: inout SeededGenerator) -> CostGenome {
    var child = self
    for _ in 0...random.below(3) {
      let at = random.below(child.genes.count)
      switch random.below(7) {
      case 0: child.genes.insert(.random(using: &random), at: at)
      case 1 where child.genes.count > 1: child.genes.remove(at: at)
      case 2:
        let block = child.genes[at...].prefix(random.below(4) + 1)
        child.genes.insert(contentsOf: block, at: random.below(child.genes.count + 1))
      case 3 where mate.kind == kind && !mate.genes.isEmpty:
        child.genes.insert(mate.genes[random.below(mate.genes.count)], at: at)
      case 4 where !child.genes.isEmpty: child.genes[at].count = UInt8.random(in: 0...255, using: &random)
      case 5 where !child.genes.isEmpty: child.genes[at].first = UInt8.random(in: 0...255, using: &random)
      default: if !child.genes.isEmpty { child.genes[at] = .random(using: &random) }
      }
    }
    child.genes = Array(child.genes.prefix(Self.geneLimit))
    return child
  }

  /// The genes one by one, blocks repeated; no more than `limit`.
  func steps(limit: Int) -> [Gene] {
    var steps: [Gene] = []
    for (number, gene) in genes.enumerated() {
      // A fourth of all codes repeats what stands before it.
      if gene.code >= 192 {
        let block = genes[max(0, number - Int(gene.first % 6) - 1)..<number].filter { $0.code < 192 }
        for _ in 0..<Int(gene.count) where steps.count < limit { steps += block }
      } else {
        for _ in 0..<Int(gene.count % 8) + 1 { steps.append(gene) }
      }
    }
    return Array(steps.prefix(limit))
  }
}

extension CostGenome.Gene {
  static func random(using random: inout SeededGenerator) -> CostGenome.Gene {
    func byte() -> UInt8 { UInt8.random(in: 0...255, using: &random) }
    return CostGenome.Gene(code: byte(), first: byte(), second: byte(), count: byte())
  }
}

extension SeededGenerator {
  mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(next() % UInt64(limit)) : 0 }
}
