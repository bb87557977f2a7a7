import Foundation
import Simulation
import TestKit

// simulate: whole systems under one seed each.
//
//   RUNS=500 simulate      that many seeds
//   SEED=17 simulate       one seed again, with its trace digest

do {
  _ = try Simulation.run(seed: 1, isSabotaged: true)
  print("simulate: a sabotaged run passed: the check itself is broken")
  exit(2)
} catch is Simulation.Failure {}

var failures = 0
let seeds = Seeds.some(500)
var commits = 0
for seed in seeds {
  do {
    let outcome = try Simulation.run(seed: seed)
    commits += outcome.commits
    if seeds.count == 1 { print("simulate: seed \(seed): \(outcome)") }
  } catch {
    failures += 1
    print("simulate: \(error)\nsimulate: replay with 'make simulate SEED=\(seed)'")
  }
}
print("simulate: \(seeds.count - failures) of \(seeds.count) runs equal, \(commits) commits")
exit(failures == 0 ? 0 : 1)
