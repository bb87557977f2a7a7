import Foundation

/// The seeds that a random test runs, from the environment.
///
/// `SEED=17` runs that one seed only: the way to replay a failure. `RUNS=5000` runs that many instead of the
/// test's own number. Tests print the seed of every failure.
public enum Seeds {
  /// The seeds of a random test that runs `count` of them by itself.
  public static func some(_ count: Int) -> [UInt64] {
    if let seed { return [seed] }
    return (0..<UInt64(runs ?? count)).map { $0 &+ 1 }
  }

  /// The one seed that the environment names, if any.
  public static var seed: UInt64? { ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } }

  /// The number of runs that the environment asks for, if any.
  public static var runs: Int? { ProcessInfo.processInfo.environment["RUNS"].flatMap { Int($0) } }
}
