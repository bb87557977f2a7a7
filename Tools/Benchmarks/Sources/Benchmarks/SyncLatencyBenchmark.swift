import Foundation
import RealmSwift
import SQLiteDatabase

/// What the two processes of the latency measurement exchange.
final class Beat: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var round: Int
}

/// From a commit in one process to its visibility in another, through the server in a third.
let syncLatencyBenchmark = Suite(prefix: "sync.") { report in
  let folder = try ScratchFolder("sync")
  defer { folder.remove() }
  let server = try ServerProcess(data: folder.url.appendingPathComponent("server"))
  defer { server.stop() }
  let listener = try ChildListener(port: server.port, data: folder.url.appendingPathComponent("listener"))
  defer { listener.stop() }
  let realm = try openBeats(port: server.port, data: folder.url.appendingPathComponent("writer"), register: true)
  try realm.write { realm.create(Beat.self, value: ["id": 1, "round": 0], update: .modified) }
  guard let beat = realm.object(ofType: Beat.self, forPrimaryKey: 1) else { return }

  let table = try SQLiteConnection(path: folder.url.appendingPathComponent("rival.sqlite").path)
  _ = try table.text("PRAGMA journal_mode=WAL")
  try table.execute(
    "PRAGMA synchronous=FULL; CREATE TABLE beat(id INTEGER PRIMARY KEY, round INTEGER); INSERT INTO beat VALUES(1,0)")
  let update = try table.prepare("UPDATE beat SET round=? WHERE id=1")
  var latencies: [Double] = []
  var commits: [Double] = []
  try listener.waitFor(round: 0)
  // In turn, so that whatever else the machine and its disk do meets both.
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
  report.row(
    "sync.commit-to-visible", "commit here to visible there, median, in durable commits", ours: median(latencies),
    rival: median(commits), unit: "s", .costAtMost(12))
}

/// Seconds on the clock that all processes of the machine share.
func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Opens the shared realm of the measurement; makes the user when asked.
func openBeats(port: Int, data: URL, register: Bool) throws -> Realm {
  let manager = SyncManager(rootDirectory: data)
  let opened = Handover<SyncUser>()
  let credentials = SyncCredentials.usernamePasswordCreatingIfMissing(username: "bench", password: "bench-password")
  guard let server = URL(string: "http://127.0.0.1:\(port)") else { throw BenchmarkFailure("no URL for port \(port)") }
  Task.detached {
    do {
      opened.set(.success(try await SyncUser.logIn(with: credentials, server: server, manager: manager)))
    } catch {
      opened.set(.failure(error))
    }
  }
  let user = try opened.wait()
  var configuration = user.configuration(
    realmURL: URL(string: "realm://127.0.0.1:\(port)/~/beats"), fullSynchronization: true)
  configuration.objectTypes = [Beat.self]
  return try Realm(configuration: configuration)
}

/// The listening process: prints each round with the time at which its own realm showed it.
func listenForBeats(port: Int, data: String) throws -> Never {
  let realm = try openBeats(port: port, data: URL(fileURLWithPath: data), register: false)
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
