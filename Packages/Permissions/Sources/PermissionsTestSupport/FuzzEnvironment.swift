import Foundation

/// SEED and RUNS from the environment, for random tests.
public struct FuzzEnvironment {
  public var seed: UInt64
  public var runs: Int

  /// The environment's seed and runs; `runs` where it names none.
  public init(runs: Int) {
    let environment = ProcessInfo.processInfo.environment
    seed = environment["SEED"].flatMap { UInt64($0) } ?? 20_261_120
    self.runs = environment["RUNS"].flatMap { Int($0) } ?? runs
  }

  public var generator: SplitMix { SplitMix(state: seed) }
}

/// A small generator with a seed.
public struct SplitMix: RandomNumberGenerator {
  public var state: UInt64

  /// A generator that begins with a state.
  public init(state: UInt64) { self.state = state }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
