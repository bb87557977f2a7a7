import Foundation
import TestKit

// fuzz: damaged bytes against every decoder.
//
//   fuzz                       every target, RUNS inputs each (200,000 by itself); a realm file, each byte
//   TARGET=changeset fuzz      one target
//   TARGET=… SEED=17 fuzz      one input again, printed first
//   TARGET=cost INPUT=2a… fuzz what an input that the search for costs printed takes
//
// Inputs run in child processes, a batch each: a trap, a hang or a child above its memory limit ends the child, and
// the parent narrows the batch down to the seed that did it.

let environment = ProcessInfo.processInfo.environment
let memoryLimitInMegabytes = 64

/// Feeds the inputs of `seeds` and ends the process. A loop without end is ended by the limit of processor time, which a busy machine
/// does not use up, and a wait without end by the alarm.
func runChild(_ target: FuzzTarget, seeds: Range<UInt64>) -> Never {
  var limit = rlimit(rlim_cur: 120, rlim_max: 130)
  setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
  alarm(3_600)
  if let search = target.search { exit(search(seeds) ? 0 : 5) }
  let corpus = target.corpus()
  var before = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &before)
  for seed in seeds { target.feed(target.input(seed: seed, from: corpus)) }
  target.endOfChild()
  var after = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &after)
  let grown = (after.ru_maxrss - before.ru_maxrss) / 1024
  if grown > memoryLimitInMegabytes {
    FileHandle.standardError.write(Data("fuzz: \(target.name) took \(grown) MiB\n".utf8))
    exit(3)
  }
  exit(0)
}

/// Whether a child survives the inputs of `seeds`.
func survives(_ target: FuzzTarget, seeds: Range<UInt64>, quietly: Bool = false) throws -> Bool {
  let child = Process()
  child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  child.arguments = ["--child", target.name, "\(seeds.lowerBound)", "\(seeds.upperBound)"]
  child.environment = environment.merging([
    "SWIFT_BACKTRACE": "enable=no", "OPENREALM_FUZZ_RUN": "\(getpid())",
  ]) { $1 }
  if quietly { child.standardError = FileHandle.nullDevice }
  try child.run()
  child.waitUntilExit()
  return child.terminationReason == .exit && child.terminationStatus == 0
}

/// The first seed of `seeds` whose input alone ends a child; nil when only the whole batch does.
func culprit(_ target: FuzzTarget, seeds: Range<UInt64>) throws -> UInt64? {
  var range = seeds
  while range.count > 1 {
    let middle = range.lowerBound + UInt64(range.count / 2)
    if try !survives(target, seeds: range.lowerBound..<middle) {
      range = range.lowerBound..<middle
    } else if try !survives(target, seeds: middle..<range.upperBound) {
      range = middle..<range.upperBound
    } else {
      return nil
    }
  }
  return range.lowerBound
}

if CommandLine.arguments.count == 5, CommandLine.arguments[1] == "--child",
  let target = (targets + [canary]).first(where: { $0.name == CommandLine.arguments[2] }),
  let first = UInt64(CommandLine.arguments[3]), let end = UInt64(CommandLine.arguments[4]), first <= end
{
  runChild(target, seeds: first..<end)
}

if let text = environment["INPUT"] {
  print(CostSearch.replay(text))
  exit(0)
}
let wanted = environment["TARGET"] ?? ""
let chosen = targets.filter { wanted.isEmpty || $0.name == wanted }
guard !chosen.isEmpty else {
  print("fuzz: no target '\(wanted)'; there are \(targets.map(\.name).joined(separator: ", "))")
  exit(2)
}
guard try !survives(canary, seeds: 1..<5_000, quietly: true) else {
  print("fuzz: the canary was fed and nothing was noticed: the fuzzing itself is broken")
  exit(2)
}
var failures = 0
for target in chosen {
  if let seed = Seeds.seed {
    print(target.name, target.input(seed: seed, from: target.corpus()))
    failures += try survives(target, seeds: seed..<seed + 1) ? 0 : 1
    continue
  }
  let corpus = target.corpus()
  let runs = target.inputCount(runs: Seeds.runs, of: corpus)
  var start: UInt64 = 1
  while start <= runs {
    let seeds = start..<min(start + target.batchSize, runs + 1)
    if try !survives(target, seeds: seeds) {
      failures += 1
      let seed = target.search == nil ? try culprit(target, seeds: seeds) : nil
      print(
        "fuzz: \(target.name) fails: "
          + (seed.map { "TARGET=\(target.name) SEED=\($0) make fuzz" } ?? "inputs \(seeds) together"))
    }
    start = seeds.upperBound
    if start % 1_000_000 < target.batchSize, !target.isExhaustive {
      print("fuzz: \(target.name): \(start - 1) inputs so far")
    }
    fflush(nil)
  }
  print("fuzz: \(target.name): \(runs) inputs, \(corpus.count) in the corpus\(target.summary())")
}
FileFolder.remove()
exit(failures == 0 ? 0 : 1)
