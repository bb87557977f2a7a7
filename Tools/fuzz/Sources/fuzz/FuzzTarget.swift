import TestKit

/// A decoder under attack: inputs to damage, and what is done with each damaged one.
struct FuzzTarget: Sendable {
  var name: String
  /// Well-formed inputs; damage starts from them.
  var corpus: @Sendable () -> [[UInt8]]
  /// Decodes the bytes; traps or hangs when the decoder is wrong.
  var feed: @Sendable ([UInt8]) -> Void

  /// True when each seed names one damage of the one input and all are tried: a flipped bit in each byte, then a cut at
  /// each length.
  var isExhaustive = false
  /// Makes and feeds the inputs of a child where each follows from those before it, in place of the corpus: prints what it
  /// finds and returns whether it found nothing.
  var search: (@Sendable (Range<UInt64>) -> Bool)?
  /// Called when a child has fed its inputs.
  var endOfChild: @Sendable () -> Void = {}
  /// A line about the results of the children of a run.
  var summary: @Sendable () -> String = { "" }

  /// The number of inputs of a run: those that exist, or those that were asked for.
  func inputCount(runs: Int?, of corpus: [[UInt8]]) -> UInt64 {
    isExhaustive ? UInt64(corpus.reduce(0) { $0 + $1.count * 2 }) : UInt64(runs ?? 200_000)
  }

  /// The number of inputs that one child is given; nil for the usual one.
  var batch: UInt64?

  /// The number of inputs that one child is given.
  var batchSize: UInt64 { batch ?? (isExhaustive ? 1_000 : search == nil ? 50_000 : 5_000) }

  private func damage(_ bytes: [UInt8], _ number: Int, using random: inout SeededGenerator) -> [UInt8] {
    guard number < bytes.count else { return Array(bytes.prefix(number - bytes.count)) }
    var copy = bytes
    copy[number] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    return copy
  }

  /// The input of one seed: a damaged well-formed input, a mixture of two, or bytes out of nowhere.
  func input(seed: UInt64, from corpus: [[UInt8]]) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    if isExhaustive, let whole = corpus.first, seed > 0, seed <= whole.count * 2 {
      return damage(whole, Int(seed) - 1, using: &random)
    }
    guard !corpus.isEmpty, !random.oneIn(16) else {
      return (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    let first = corpus[Int.random(in: 0..<corpus.count, using: &random)]
    guard random.oneIn(4) else { return Damage.random(of: first, using: &random) }
    let second = corpus[Int.random(in: 0..<corpus.count, using: &random)]
    let head = first.prefix(Int.random(in: 0...first.count, using: &random))
    let tail = second.suffix(Int.random(in: 0...second.count, using: &random))
    return Damage.random(of: Array(head + tail), using: &random)
  }
}
