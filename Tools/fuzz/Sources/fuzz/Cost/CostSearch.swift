import Foundation
import ObjectStore
import TestKit

/// An evolutionary search for inputs of few bytes that take much processor time or memory: the worst ones of each kind
/// survive and are mutated, and the worst of all are tried at full length.
///
///     make fuzz TARGET=cost RUNS=1000000
///     TARGET=cost INPUT=00… fuzz          // the cost of one input, measured again
///
/// A finding counts only after three more measurements by the thread's own clock, so that a busy machine causes none.
enum CostSearch {
  static let target = FuzzTarget(
    name: "cost", corpus: { [] }, feed: { _ in },
    search: { seeds in
      RealmLogger.shared?.level = .off
      var search = Population(seed: seeds.lowerBound)
      for _ in seeds {
        guard search.step() else { return false }
      }
      return true
    })

  /// The cost of a printed input, as a line of text.
  static func replay(_ text: String) -> String {
    guard let genome = CostGenome(text) else { return "fuzz: no input of the search for costs: \(text)" }
    let subject = CostSubject()
    return [CostSubject.usualSteps, CostSubject.mostSteps].map { steps in
      let measure = worst(genome, steps, subject)
      return "\(genome.kind), \(steps) steps: \(describe(measure))"
    }.joined(separator: "\n")
  }

  static func describe(_ measure: CostMeasure) -> String {
    let each = measure.seconds / Double(max(measure.bytes, 1)) * 1e6
    return
      "\(measure.bytes) bytes took \(Int(measure.seconds * 1000)) ms, \(String(format: "%.2f", each)) µs each, and \(measure.grown >> 20) MiB"
      + (measure.isWithinBound ? "" : ": above the bound")
  }

  /// The least of three measurements.
  static func worst(_ genome: CostGenome, _ steps: Int, _ subject: CostSubject) -> CostMeasure {
    var least: CostMeasure?
    for _ in 0..<3 {
      guard let next = try? subject.feed(genome, steps: steps) else { continue }
      least = least.map { $0.seconds < next.seconds ? $0 : next } ?? next
    }
    return least ?? CostMeasure(seconds: 0, grown: 0, bytes: 0)
  }
}

/// The inputs that were worst so far.
private struct Population {
  /// The number of inputs kept of each kind.
  private static let size = 12
  /// Steps from one trial at full length to the next.
  private static let trial = 500

  private var random: SeededGenerator
  private let subject = CostSubject()
  private var members: [CostGenome.Kind: [(genome: CostGenome, badness: Double)]] = [:]
  private var count = 0
  private var tried: Set<CostGenome> = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Tries one input; returns false when it, or one at full length, is above the bound.
  mutating func step() -> Bool {
    count += 1
    let kind = CostGenome.Kind.allCases[count % CostGenome.Kind.allCases.count]
    let genome = next(kind)
    guard let measure = try? subject.feed(genome, steps: CostSubject.usualSteps) else { return true }
    if !measure.isWithinBound, isFinding(genome, CostSubject.usualSteps, measure) { return false }
    keep(genome, measure.badness)
    return count % Self.trial == 0 ? tryAtFullLength() : true
  }

  private mutating func next(_ kind: CostGenome.Kind) -> CostGenome {
    guard let members = members[kind], members.count >= Self.size / 2, !random.oneIn(8) else {
      return CostGenome(kind: kind, genes: CostGenome.random(using: &random).genes)
    }
    let (one, other) = (members[random.below(members.count)], members[random.below(members.count)])
    return one.genome.mutated(with: other.genome, using: &random)
  }

  private mutating func keep(_ genome: CostGenome, _ badness: Double) {
    var list = members[genome.kind] ?? []
    // Ages the whole population, so that a cost measured during a hiccup of the machine does not last.
    for number in list.indices { list[number].badness *= 0.999 }
    guard !list.contains(where: { $0.genome == genome }) else { return }
    if list.count < Self.size {
      list.append((genome, badness))
    } else if let least = list.indices.min(by: { list[$0].badness < list[$1].badness }), list[least].badness < badness {
      list[least] = (genome, badness)
    }
    members[genome.kind] = list
  }

  private mutating func tryAtFullLength() -> Bool {
    for kind in CostGenome.Kind.allCases {
      guard let worst = members[kind]?.max(by: { $0.badness < $1.badness })?.genome, tried.insert(worst).inserted,
        let measure = try? subject.feed(worst, steps: CostSubject.mostSteps)
      else { continue }
      if !measure.isWithinBound, isFinding(worst, CostSubject.mostSteps, measure) { return false }
    }
    return true
  }

  private func isFinding(_ genome: CostGenome, _ steps: Int, _ first: CostMeasure) -> Bool {
    let again = CostSearch.worst(genome, steps, subject)
    let isTooMuch = first.grown > CostMeasure.baseGrowth + first.bytes * CostMeasure.growthPerByte
    guard !again.isWithinBound || isTooMuch else { return false }
    print(
      "fuzz: cost: \(genome.kind), \(steps) steps: \(CostSearch.describe(isTooMuch ? first : again))\n"
        + "      TARGET=cost INPUT=\(genome.text) make fuzz")
    fflush(nil)
    return true
  }
}
