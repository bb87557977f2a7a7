import Foundation
import Simulation
import TestKit

// simulate: whole systems under one seed each.
//
//   RUNS=500 simulate      that many seeds
//   SEED=17 simulate       one seed again, with its trace digest
//   STEPS=300 simulate     runs of that many steps

do {
  _ = try Simulation.run(seed: 1, isSabotaged: true)
  print("simulate: a sabotaged run passed: the check itself is broken")
  exit(2)
} catch is Simulation.Failure {}

var failures = 0
let seeds = Seeds.some(500)
var commits = 0
let steps = ProcessInfo.processInfo.environment["STEPS"].flatMap { Int($0) }
let start = ContinuousClock.now
for seed in seeds {
  do {
    var scenario = Scenario.of(seed: seed)
    if let steps { scenario.steps = steps }
    let outcome = try Simulation.run(seed: seed, scenario: scenario)
    commits += outcome.commits
    if seeds.count == 1 { print("simulate: seed \(seed): \(outcome)") }
  } catch {
    failures += 1
    let length = steps.map { " STEPS=\($0)" } ?? ""
    print("simulate: \(error)\nsimulate: replay with 'make simulate SEED=\(seed)\(length)'")
  }
}
let seconds = (ContinuousClock.now - start) / .seconds(1)
let rate = String(format: "%.1f", Double(seeds.count) / max(seconds, 0.001))
print("simulate: \(seeds.count - failures) of \(seeds.count) runs equal, \(commits) commits, \(rate) runs per second")
exit(failures == 0 ? 0 : 1)
