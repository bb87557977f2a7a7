import Foundation
import TestKit

/// Runs over one cluster: in each, devices of a new user write one realm through the balancer, while nodes are killed, stopped and cut
/// off, their clocks set apart, and databases replaced. At the end of a run all is mended, and nothing acknowledged may be missing,
/// nothing there twice, all devices equal; the tables say that no node wrote after another one had taken its shard.
///
///     make cluster-faults RUNS=20 SEED=7       the seeds 7 to 26
///     make cluster-faults CANARY=1             fail-overs to a standby that commits did not wait for: a loss must be found
///     make cluster-faults FORMER=folder        begins with the release in the folder, and upgrades node after node in the first run
///     make cluster-faults FENCE=off            nodes that were cut off write what others own: it must fail, and say which rule
final class ClusterDriver {
  private let script: ClusterScript
  private let isCanary: Bool
  private let isFenced: Bool
  /// Whether the nodes run another release until the first run upgrades them.
  private var isUpgradeDue: Bool
  private let runs: Int
  private let seed: UInt64
  private let devices: Int
  private var counts: [String: Int] = [:]
  private var made = 0
  private var acknowledged = 0
  /// Commits of nodes that did not own the realm, and epochs out of order, as the tables have them.
  private var violations = 0

  init() {
    let environment = ProcessInfo.processInfo.environment
    runs = environment["RUNS"].flatMap { Int($0) } ?? 10
    seed = environment["SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...9_999)
    devices = environment["CLIENTS"].flatMap { Int($0) } ?? 3
    isCanary = environment["CANARY"].map { $0 != "0" && !$0.isEmpty } ?? false
    isFenced = environment["FENCE"] != "off"
    isUpgradeDue = !(environment["FORMER"] ?? "").isEmpty
    script = ClusterScript(lease: 2, isSynchronous: !isCanary)
  }

  /// - Returns: whether everything held in all runs.
  func run() throws -> Bool {
    if isCanary, !script.hasNetworks {
      throw Driver.Failure(description: "CANARY=1 cuts databases off, which takes root")
    }
    try script.run(["start"])
    if !isFenced { try script.run(["unfence"]) }
    if !script.hasNetworks { say("cluster-faults: without root nothing is cut off: kills, stops and fail-overs only") }
    var failed: UInt64?
    for number in 0..<UInt64(runs) {
      do {
        guard try !run(seed: seed + number) else { continue }
      } catch {
        // A run that ends early shows no loss, and says nothing about the fence.
        guard isFenced, !isCanary else { throw error }
        say("cluster-faults: SEED=\(seed + number) ended early: \(error)")
      }
      failed = seed + number
      break
    }
    let list = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    say("cluster-faults: \(made) transactions made, \(acknowledged) seen acknowledged; \(list)")
    guard !isCanary else {
      try script.run(["stop"])
      say(
        "cluster-faults: the loss of commits that did not wait for the standby was \(failed == nil ? "NOT " : "")found")
      return failed != nil
    }
    guard isFenced else {
      try script.run(["stop"])
      say("cluster-faults: that the fence was off was \(violations == 0 ? "NOT " : "")found")
      return failed == nil
    }
    if let failed {
      say("cluster-faults: failed: RUNS=1 SEED=\(failed); the cluster still runs in \(script.folder), with its logs")
      return false
    }
    try script.run(["stop"])
    say("cluster-faults: \(runs) runs from SEED=\(seed): nothing lost, nothing twice, all equal, one owner at a time")
    return true
  }

  private func run(seed: UInt64) throws -> Bool {
    var random = SeededGenerator(seed: seed)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cluster-faults-\(UUID().uuidString)")
    let user = "user-\(UUID().uuidString.prefix(8))"
    var apps: [Child] = []
    defer {
      for app in apps { app.kill() }
      try? FileManager.default.removeItem(at: folder)
    }
    for node in ClusterFault.nodes { try begin(.clockSet(of: node, using: &random)) }
    for number in 0..<devices {
      let own = folder.appendingPathComponent("app-\(number)").path
      apps.append(try Child(["app", own, script.server, "app-\(number)", user]))
    }
    for (number, app) in apps.enumerated() { try expect(app, "acknowledged", "app \(number) does not begin") }
    if isUpgradeDue { try upgrade() } else { try injectFaults(using: &random) }
    for app in apps { app.say("settle") }
    for (number, app) in apps.enumerated() { try expect(app, "settled", "app \(number) cannot upload") }
    for app in apps { app.say("dump") }
    for (number, app) in apps.enumerated() { try expect(app, "end", "app \(number) does not end") }
    let outcome = Outcome(said: apps.flatMap(\.lines), apps: apps.map(\.lines))
    made += outcome.made
    acknowledged += outcome.acknowledged
    // Devices bring back after a reset what a server forgot, as long as one of them has it: a reset is a loss all the same.
    let resets = apps.flatMap(\.lines).compactMap { $0.hasPrefix("resets ") ? Int($0.dropFirst(7)) : nil }.reduce(0, +)
    if resets > 0 {
      say("cluster-faults: SEED=\(seed): devices were reset \(resets) times: the servers forgot what they had")
    }
    if !outcome.holds { say("cluster-faults: SEED=\(seed): \(outcome.work); \(outcome.faults)") }
    let complaints = try script.run(["verify"]).split(separator: "\n")
    violations += complaints.count { $0.contains("epoch") }
    for complaint in complaints { say("cluster-faults: SEED=\(seed): \(complaint)") }
    return outcome.holds && complaints.isEmpty && resets == 0
  }

  /// A rolling upgrade, with time between two nodes in which both releases serve. There are no faults beside it: a node of the former
  /// release does not start again on tables that the new one has changed.
  private func upgrade() throws {
    for node in ClusterFault.nodes {
      Thread.sleep(forTimeInterval: 3)
      try script.run(["upgrade", node])
      counts["node upgraded", default: 0] += 1
    }
    isUpgradeDue = false
  }

  /// Some faults, of which two may last at the same time. At the end there is none.
  private func injectFaults(using random: inout SeededGenerator) throws {
    var open: [ClusterFault] = []
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      let fault = try fault(using: &random)
      if open.count > 1 || fault.isAlone || open.contains(where: { $0.meets(fault) }) { try end(&open) }
      try begin(fault)
      if !fault.endsItself { open.append(fault) }
      // Without a fence each is long enough for the realm to get another owner, and too short for a commit under way to be given up.
      let milliseconds = Int.random(in: isFenced ? 100...4_000 : 4_500...6_000, using: &random)
      Thread.sleep(forTimeInterval: Double(milliseconds) / 1_000)
      if !isFenced { try end(&open) }
    }
    try end(&open)
  }

  private func fault(using random: inout SeededGenerator) throws -> ClusterFault {
    if isCanary { return .failover }
    if isFenced { return ClusterFault.random(hasNetworks: script.hasNetworks, using: &random) }
    let owner = try script.run(["owner"]).trimmingCharacters(in: .whitespacesAndNewlines)
    return script.hasNetworks ? .cutOff(owner) : .paused(owner)
  }

  private func begin(_ fault: ClusterFault) throws {
    counts[fault.name, default: 0] += 1
    try script.run(fault.beginning)
  }

  /// Networks first: a node that starts waits for its database.
  private func end(_ open: inout [ClusterFault]) throws {
    for fault in open.sorted(by: { $0.rank < $1.rank }) { try script.run(fault.end) }
    open = []
  }

  private func expect(_ app: Child, _ line: String, _ complaint: String) throws {
    guard app.line(line) == nil else { return }
    throw Driver.Failure(description: "\(complaint): \(app.lines.suffix(3))")
  }
}
