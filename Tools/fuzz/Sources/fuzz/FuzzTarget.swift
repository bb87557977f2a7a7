import TestKit

/// A decoder under attack: inputs to damage, and what is done with each damaged one.
struct FuzzTarget: Sendable {
  var name: String
  /// Well-formed inputs; damage starts from them.
  var corpus: @Sendable () -> [[UInt8]]
  /// Decodes the bytes; traps or hangs when the decoder is wrong.
  var feed: @Sendable ([UInt8]) -> Void

  /// The input of one seed: a damaged well-formed input, a mixture of two, or bytes out of nowhere.
  func input(seed: UInt64, from corpus: [[UInt8]]) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
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
