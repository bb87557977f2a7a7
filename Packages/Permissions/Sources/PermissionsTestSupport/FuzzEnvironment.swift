public import TestKit

/// SEED and RUNS from the environment, for random tests.
public struct FuzzEnvironment {
  /// SEED, or the usual one.
  public var seed: UInt64
  /// RUNS, or those of the test.
  public var runs: Int

  /// The environment's seed and runs; `runs` where it names none.
  public init(runs: Int) {
    seed = Seeds.seed ?? 20_261_120
    self.runs = Seeds.runs ?? runs
  }

  /// A generator that begins with the seed.
  public var generator: SeededGenerator { SeededGenerator(seed: seed) }
}
