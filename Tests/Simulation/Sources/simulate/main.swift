import Foundation
import Simulation
import TestKit

// simulate: whole systems under one seed each.
//
//   RUNS=500 simulate                that many seeds
//   FIRST=1001 RUNS=500 simulate     that many seeds from that one on
//   JOBS=2 RUNS=20000 simulate       in two processes
//   SEED=17 simulate                 one seed again, with its trace digest
//   TELL=1 SEED=17 simulate          that with each step and error
//   STEPS=300 simulate               runs of that many steps
//   SCENARIO='server killed' …       every seed with that scenario of Scenarios.json, or with one given as JSON

let environment = ProcessInfo.processInfo.environment
func number(_ name: String) -> Int? { environment[name].flatMap { Int($0) } }

let jobs = number("JOBS") ?? 1
let count = Seeds.runs ?? 500
if Seeds.seed == nil, jobs > 1 || (jobs == 1 && count > Jobs.share) {
  exit(Jobs.run(jobs, seeds: count, first: number("FIRST") ?? 1))
}

do {
  let table = try Scenario.table()
  var chosen = try environment["SCENARIO"].flatMap { $0.isEmpty ? nil : try Scenario.named($0, in: table) }
  if let steps = number("STEPS") { chosen?.steps = steps }
  let runs = Runs(table: table, chosen: chosen, steps: number("STEPS"), tells: number("TELL") == 1)
  try runs.proveThatFailuresAreSeen()
  let first = UInt64(max(0, (number("FIRST") ?? 1) - 1))
  let seeds = Seeds.seed.map { [$0] } ?? Seeds.some(500).map { $0 + first }
  exit(runs.run(seeds) ? 0 : 1)
} catch {
  say("simulate: \(error)")
  exit(2)
}
