import FoundationEssentials

/// The seeds of a random test: SEED names a single one, RUNS says how many there are.
enum Seeds {
  static func some(_ count: Int) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["SEED"].flatMap(UInt64.init) { return [seed] }
    let runs = environment["RUNS"].flatMap(Int.init) ?? count
    return (0..<max(runs, 1)).map { UInt64($0) + 1 }
  }
}
