/// A small, fast, repeatable random number generator: one seed, one sequence, on every machine.
///
///     var random = SeededGenerator(seed: 1)
///     Int.random(in: 0..<100, using: &random)      // the same number on every run
///
/// - SeeAlso: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014 (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator; equal seeds give equal sequences.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A generator for a part of the work, independent of how much of this one is used afterwards.
  public mutating func split() -> SeededGenerator { SeededGenerator(seed: next()) }
}

extension SeededGenerator {
  /// True once in `n` times on average.
  public mutating func oneIn(_ n: Int) -> Bool { Int.random(in: 0..<max(n, 1), using: &self) == 0 }

  /// One of several alternatives, each as likely as its weight.
  ///
  ///     random.pick([(8, "insert"), (1, "erase")])      // "insert" eight times out of nine
  ///
  /// - Precondition: at least one weight is above 0.
  public mutating func pick<T>(_ weighted: [(weight: Int, value: T)]) -> T {
    let total = weighted.reduce(0) { $0 + $1.weight }
    precondition(total > 0, "a weighted choice needs a weight above 0")
    var rest = Int.random(in: 0..<total, using: &self)
    var index = 0
    while rest >= weighted[index].weight {
      rest -= weighted[index].weight
      index += 1
    }
    return weighted[index].value
  }
}
