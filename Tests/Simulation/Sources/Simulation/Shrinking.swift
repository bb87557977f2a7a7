import TestKit

/// Shrinks a failing run: fewer steps, devices and faults, as long as it still fails.
public struct Shrinking: Sendable {
  /// The smallest scenario that was found to fail.
  public private(set) var scenario: Scenario
  /// The reason of the smallest failure.
  public private(set) var reason: String
  /// The runs made so far.
  public private(set) var attempts = 0

  private let seed: UInt64
  private let limit: Int
  private let sabotage: Simulation.Sabotage?

  /// Shrinks a failure. Runs at most `limit` simulations, which takes seconds to minutes.
  ///
  /// - Parameters:
  ///   - limit: the most runs to make.
  ///   - sabotage: the sabotage of the failed run.
  public init(_ failure: Simulation.Failure, limit: Int = 120, sabotage: Simulation.Sabotage? = nil) {
    scenario = failure.scenario
    reason = failure.reason
    seed = failure.seed
    self.limit = limit
    self.sabotage = sabotage
    var before: Scenario
    repeat {
      before = scenario
      shrinkSteps()
      shrinkNumbers()
      shrinkWeights()
      tryFlags()
    } while scenario != before && attempts < limit
  }

  /// The command that replays the smallest failure.
  public var replayLine: String { "make simulate SEED=\(seed) SCENARIO='\(scenario.text)'" }

  /// Keeps a change when the run still fails with it.
  private mutating func attempt(_ change: (inout Scenario) -> Void) -> Bool {
    var smaller = scenario
    change(&smaller)
    guard smaller != scenario, attempts < limit else { return false }
    attempts += 1
    do {
      _ = try Simulation.run(seed: seed, scenario: smaller, sabotage: sabotage)
      return false
    } catch let failure as Simulation.Failure {
      scenario = smaller
      reason = failure.reason
      return true
    } catch {
      return false
    }
  }

  private mutating func shrinkSteps() {
    var cut = scenario.steps / 2
    while cut > 0 {
      while scenario.steps > cut, attempt({ $0.steps -= cut }) {}
      cut /= 2
    }
  }

  private mutating func shrinkNumbers() {
    while scenario.devices > 1, attempt({ $0.devices -= 1 }) {}
    while scenario.queried > 0, attempt({ $0.queried -= 1 }) {}
    while scenario.realms > 1, attempt({ $0.realms -= 1 }) {}
    while scenario.users > 1, attempt({ $0.users -= 1 }) {}
    while scenario.readers > 0, attempt({ $0.readers -= 1 }) {}
  }

  private mutating func shrinkWeights() {
    for kind in StepKind.allCases where scenario.weight(kind) > 0 && kind != .commit {
      _ = attempt { $0.weights[kind] = 0 }
    }
  }

  private mutating func tryFlags() {
    _ = attempt { $0.breakProbability = 0 }
    _ = attempt { $0.clocksAreWrong = false }
    _ = attempt { $0.usesEveryType = false }
    _ = attempt { $0.hasShortHistory = false }
  }
}
