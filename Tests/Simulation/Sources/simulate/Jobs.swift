import Foundation
import Synchronization

/// Runs many seeds in several processes. Each process runs a few hundred seeds and ends, so that runs do not share
/// state.
enum Jobs {
  /// The seeds of one process.
  static let share = 500

  private struct State {
    var next = 0
    var status: Int32 = 0
  }

  /// Runs seeds.
  ///
  /// - Parameters:
  ///   - jobs: processes at a time.
  ///   - seeds: the number of seeds, from `first` on.
  /// - Returns: the status to exit with.
  static func run(_ jobs: Int, seeds: Int, first: Int) -> Int32 {
    let state = Mutex(State())
    let shares = (seeds + share - 1) / share
    DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
      while true {
        let number = state.withLock { state in
          defer { state.next += 1 }
          return state.next
        }
        guard number < shares else { return }
        let status = runShare(first: first + number * share, count: min(share, seeds - number * share))
        state.withLock { $0.status = max($0.status, status) }
      }
    }
    let status = state.withLock { $0.status }
    say("simulate: \(seeds) runs in \(shares) processes, \(status == 0 ? "all equal" : "NOT all equal: see above")")
    return status
  }

  private static func runShare(first: Int, count: Int) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    var environment = ProcessInfo.processInfo.environment
    environment["JOBS"] = "0"
    environment["FIRST"] = String(first)
    environment["RUNS"] = String(count)
    process.environment = environment
    do { try process.run() } catch {
      say("simulate: \(error)")
      return 2
    }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
