import Foundation

/// SEED and RUNS from the environment, for random tests.
public struct FuzzEnvironment {
  /// SEED, or the usual one.
  public var seed: UInt64
  /// RUNS, or those of the test.
  public var runs: Int

  /// The environment's seed and runs; `runs` where it names none.
  public init(runs: Int) {
    let environment = ProcessInfo.processInfo.environment
    seed = environment["SEED"].flatMap { UInt64($0) } ?? 20_261_120
    self.runs = environment["RUNS"].flatMap { Int($0) } ?? runs
  }

  /// A generator that begins with the seed.
  public var generator: SplitMix { SplitMix(state: seed) }
}

/// A small generator with a seed.
public struct SplitMix: RandomNumberGenerator {
  /// The state, which grows by a constant.
  public var state: UInt64

  /// A generator that begins with a state.
  public init(state: UInt64) { self.state = state }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
