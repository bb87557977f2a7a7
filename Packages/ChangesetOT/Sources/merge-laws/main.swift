import ChangesetOT
import ChangesetOTTestSupport
import Foundation
import TestKit

// merge-laws: the laws of merging on random edits.
//
//   RUNS=1000000 merge-laws      that many pairs of concurrent histories, and a network for every fifty of them
//   SKIP=1000000 merge-laws      the seeds after those; long runs in parts
//   SEED=17 merge-laws           one pair and one network again

/// Prints a line that appears at once, also in a pipe.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

let slip = Transformer(mode: .reference)
guard (UInt64(1)...1_500).contains(where: { MergeLaws.pair(seed: $0, transformer: slip) != nil }) else {
  say("merge-laws: known slips of the reference went unnoticed: the check itself is broken")
  exit(2)
}

/// Returns whether the law holds for all seeds.
func holds(_ name: String, _ seeds: [UInt64], _ law: (UInt64) -> String?) -> Bool {
  let start = ContinuousClock.now
  var violations = 0
  for (number, seed) in seeds.enumerated() {
    if number > 0, number % 50_000 == 0 { say("merge-laws: \(number) \(name), \(violations) violations") }
    guard let violation = law(seed) else { continue }
    violations += 1
    if violations <= 5 { say("merge-laws: \(name): \(violation)\nreplay with SEED=\(seed)") }
  }
  let seconds = (ContinuousClock.now - start) / .seconds(1)
  let rate = String(format: "%.0f", Double(seeds.count) / max(seconds, 0.001))
  say("merge-laws: \(seeds.count - violations) of \(seeds.count) \(name) hold, \(rate) per second")
  return violations == 0
}

let skipped = UInt64(ProcessInfo.processInfo.environment["SKIP"] ?? "") ?? 0
let seeds = Seeds.some(25_000).map { Seeds.seed == nil ? $0 + skipped : $0 }
let pairsHold = holds("pairs", seeds) { MergeLaws.pair(seed: $0) }
let networksHold = holds("networks", Array(seeds.prefix(max(1, seeds.count / 50)))) { MergeLaws.network(seed: $0) }
exit(pairsHold && networksHold ? 0 : 1)
