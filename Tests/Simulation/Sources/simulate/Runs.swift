import Foundation
import Simulation

/// Runs seeds one after the other and prints their outcomes.
struct Runs {
  var table: [Scenario]
  /// The scenario of every seed; nil when the seed chooses.
  var chosen: Scenario?
  var steps: Int?
  /// Whether each step is printed.
  var tells = false

  private struct CheckIsBroken: Error, CustomStringConvertible {
    var sabotage: Simulation.Sabotage
    var description: String { "a run with sabotage (\(sabotage)) passed: the check itself is broken" }
  }

  /// Runs with sabotage, which must fail.
  ///
  /// - Throws: `CheckIsBroken` when one passes.
  func proveThatFailuresAreSeen() throws {
    for sabotage in Simulation.Sabotage.allCases {
      do {
        _ = try Simulation.run(seed: 1, scenario: table[0], sabotage: sabotage)
        throw CheckIsBroken(sabotage: sabotage)
      } catch is Simulation.Failure {}
    }
  }

  private func scenario(of seed: UInt64) -> Scenario {
    var scenario = chosen ?? Scenario.of(seed: seed, in: table)
    if let steps { scenario.steps = steps }
    return scenario
  }

  /// Runs the seeds, and shrinks those that fail.
  ///
  /// - Returns: whether all devices ended equal in all runs.
  func run(_ seeds: [UInt64]) -> Bool {
    var failures = 0
    var commits = 0
    var resets = 0
    var steps: [StepKind: Int] = [:]
    let tell: (@Sendable (String) -> Void)? = tells ? { @Sendable (line: String) in say(line) } : nil
    let start = ContinuousClock.now
    for (done, seed) in seeds.enumerated() {
      do {
        let outcome = try Simulation.run(seed: seed, scenario: scenario(of: seed), tell: tell)
        commits += outcome.commits
        resets += outcome.resets
        steps.merge(outcome.steps, uniquingKeysWith: +)
        if seeds.count == 1 { say("simulate: seed \(seed): \(outcome)") }
      } catch let failure as Simulation.Failure {
        failures += 1
        say("simulate: \(failure)")
        let smallest = Shrinking(failure)
        say("simulate: smallest: \(smallest.reason)\nsimulate: replay with: \(smallest.replayLine)")
      } catch {
        failures += 1
        say("simulate: SEED=\(seed) (\(scenario(of: seed).name)): \(error)")
      }
      if (done + 1) % 1_000 == 0 { say("simulate: \(done + 1) runs, \(failures) failures") }
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let rate = String(format: "%.1f", Double(seeds.count) / max(seconds, 0.001))
    let faults = steps.filter { ![.commit, .wait, .resume, .heal, .speedUp, .makeRoom].contains($0.key) }
    say(
      "simulate: \(seeds.count - failures) of \(seeds.count) runs equal, \(commits) commits, "
        + "\(faults.values.reduce(0, +)) faults, \(resets) resets, \(rate) runs per second")
    say(
      "simulate: \(faults.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
    )
    return failures == 0
  }
}
