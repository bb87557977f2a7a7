import Foundation
import RealmSwift
import SQLiteDatabase

/// The object that the two processes of the latency measurement exchange.
final class Beat: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var round: Int
}

/// From a commit in one process to its visibility in another, through the server in a third.
let syncLatencyBenchmark = Suite(prefix: "sync.commit-to-visible") { report in
  for isSlowSender in [false, true] {
    let suffix = isSlowSender ? "-nagle" : ""
    guard report.wants("sync.commit-to-visible" + suffix) else { continue }
    let (latencies, commits) = try measureLatency(throughNagle: isSlowSender)
    let commit = median(commits)
    let who = isSlowSender ? ", client with Nagle's algorithm" : ""
    report.row(
      "sync.commit-to-visible" + suffix, "commit here to visible there, median, in durable commits\(who)",
      ours: median(latencies), rival: commit, unit: "s", .costAtMost(7))
    report.row(
      "sync.commit-to-visible\(suffix)-p99", "the same, 99 of 100", ours: percentile(latencies, 99), rival: commit,
      unit: "s", .costAtMost(15))
    // A busy machine slows several commits in a row, so both sides are compared at the same percentile.
    report.row(
      "sync.commit-to-visible\(suffix)-p99s", "the same, beside 99 of 100 of SQLite's commits",
      ours: percentile(latencies, 99),
      rival: percentile(commits, 99), unit: "s")
  }
}

private func measureLatency(throughNagle isSlowSender: Bool) throws -> (latencies: [Double], commits: [Double]) {
  let folder = try ScratchFolder("sync")
  defer { folder.remove() }
  let server = try ServerProcess(data: folder.url.appendingPathComponent("server"))
  defer { server.stop() }
  let listener = try ChildListener(port: server.port, data: folder.url.appendingPathComponent("listener"))
  defer { listener.stop() }
  let relay = isSlowSender ? try NagleRelay(to: server.port) : nil
  defer { relay?.stop() }
  let realm = try openBeats(port: relay?.port ?? server.port, data: folder.url.appendingPathComponent("writer"))
  try realm.write { realm.create(Beat.self, value: ["id": 1, "round": 0], update: .modified) }
  guard let beat = realm.object(ofType: Beat.self, forPrimaryKey: 1) else { throw BenchmarkFailure("no beat") }

  let table = try SQLiteConnection(path: folder.url.appendingPathComponent("rival.sqlite").path)
  _ = try table.text("PRAGMA journal_mode=WAL")
  try table.execute(
    """
    PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=1000;
    CREATE TABLE beat(id INTEGER PRIMARY KEY, round INTEGER); INSERT INTO beat VALUES(1,0)
    """)
  let update = try table.prepare("UPDATE beat SET round=? WHERE id=1")
  var latencies: [Double] = []
  var commits: [Double] = []
  try listener.waitFor(round: 0)
  // Both sides alternate, so that a disturbance of the machine or its disk hits both.
  for round in 1...300 {
    let start = monotonicSeconds()
    try realm.write { beat.round = round }
    latencies.append(try listener.waitFor(round: round) - start)
    commits.append(
      try seconds {
        update.reset()
        try update.bind(1, Int64(round))
        _ = try update.step()
        update.reset()
      })
  }
  return (latencies, commits)
}

/// The value below which `percent` of the values are.
private func percentile(_ values: [Double], _ percent: Int) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
}

/// Seconds on the clock that all processes of the machine share.
func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Opens the shared realm of the measurement.
func openBeats(port: Int, data: URL, byQueries: Bool = false) throws -> Realm {
  byQueries
    ? try openSubscribed(port: port, data: data, path: "queried-beats", Beat.self)
    : try openSynced(port: port, data: data, path: "beats", types: [Beat.self])
}

/// The listening process: prints each round with the time at which its own realm showed it.
func listenForBeats(port: Int, data: String, byQueries: Bool) throws -> Never {
  let realm = try openBeats(port: port, data: URL(fileURLWithPath: data), byQueries: byQueries)
  var last = -1
  let beats = realm.objects(Beat.self)
  let token = beats.observe { _ in
    guard let round = beats.first?.round, round != last else { return }
    last = round
    say("\(round) \(monotonicSeconds())")
  }
  say("ready")
  withExtendedLifetime(token) { RunLoop.main.run() }
  exit(0)
}
