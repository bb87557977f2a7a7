import Foundation
import PostgresClient
import RealmSwift

/// Two nodes as programs: from a commit at one to its visibility at the other, realms that are handed over or left
/// behind.
let clusterMovingBenchmarks = Suite(prefix: "cluster.") { report in
  if report.wants("cluster.latency") {
    let over = try medianLatency(overNodes: true)
    let alone = try medianLatency(overNodes: false)
    report.row(
      "cluster.latency", "commit at one node to visible at another, beside one server and a commit of PostgreSQL",
      ours: over.latency, rival: alone.latency + over.databaseCommit, unit: "s", .costAtMost(2))
  }
  if report.wants("cluster.hand-over") {
    let pauses = try secondsOfPause(rounds: 10) { fleet, path in try fleet.move(path, to: "a") }
    report.row(
      "cluster.hand-over", "longest wait of a write while its realm moves to another node, median",
      ours: median(pauses),
      rival: nil, unit: "s", .atMost(0.1))
    report.row(
      "cluster.hand-over-worst", "the same, the worst of 10", ours: pauses.max() ?? 0, rival: nil, unit: "s")
  }
  if report.wants("cluster.fail-over") {
    let pauses = try secondsOfPause(rounds: 5) { fleet, _ in try fleet.kill("b") }
    report.row(
      "cluster.fail-over", "a write while its realm's node is killed, until another node has it; lease 3 s, median",
      ours: median(pauses), rival: nil, unit: "s")
    report.row(
      "cluster.fail-over-worst", "the same, the worst of 5", ours: pauses.max() ?? 0, rival: nil, unit: "s")
  }
}

/// A writer and a listener in processes of their own, at one server, or at two nodes.
private func medianLatency(overNodes: Bool) throws -> (latency: Double, databaseCommit: Double) {
  let folder = try ScratchFolder("cluster-latency")
  defer { folder.remove() }
  let fleet = overNodes ? try NodeFleet(2, in: folder.url.appendingPathComponent("cluster")) : nil
  defer { fleet?.stop() }
  let server = overNodes ? nil : try ServerProcess(data: folder.url.appendingPathComponent("server"))
  defer { server?.stop() }
  let ports = fleet?.livePorts ?? [server?.port ?? 0]
  let realm = try openBeats(port: ports[0], data: folder.url.appendingPathComponent("writer"))
  try realm.write { realm.create(Beat.self, value: ["id": 1, "round": 0], update: .modified) }
  try realm.settle(.upload)
  let listener = try ChildListener(port: ports[ports.count - 1], data: folder.url.appendingPathComponent("listener"))
  defer { listener.stop() }
  guard let beat = realm.object(ofType: Beat.self, forPrimaryKey: 1) else { throw BenchmarkFailure("no beat") }
  try listener.waitFor(round: 0)
  let connection = try fleet.map { try PostgresConnection($0.postgres.parameters) }
  try connection?.query("CREATE TABLE beat(round bigint)")
  var (latencies, commits): ([Double], [Double]) = ([], [])
  for round in 1...300 {
    let start = monotonicSeconds()
    try realm.write { beat.round = round }
    latencies.append(try listener.waitFor(round: round) - start)
    if let connection { commits.append(try seconds { try connection.query("INSERT INTO beat VALUES (\(round))") }) }
  }
  return (median(latencies), median(commits))
}

/// A client at node a writes again and again to a realm of node b, which is taken from that node.
///
/// - Returns: of each round the longest time until a write was acknowledged.
private func secondsOfPause(
  rounds: Int, _ take: (_ fleet: NodeFleet, _ path: String) throws -> Void
) throws -> [Double] {
  let folder = try ScratchFolder("cluster-pause")
  defer { folder.remove() }
  let fleet = try NodeFleet(2, lease: 3, in: folder.url.appendingPathComponent("cluster"))
  defer { fleet.stop() }
  let realm = try openBeats(port: try fleet.port("a"), data: folder.url.appendingPathComponent("writer"))
  try realm.write { realm.create(Beat.self, value: ["id": 1, "round": 0], update: .modified) }
  try realm.settle(.upload)
  guard let beat = realm.object(ofType: Beat.self, forPrimaryKey: 1),
    let user = realm.configuration.syncConfiguration?.user.identity
  else { throw BenchmarkFailure("no beat") }
  let path = "/\(user)/beats"
  var pauses: [Double] = []
  for _ in 0..<rounds {
    try fleet.move(path, to: "b")
    try write(for: 4, beat, realm)
    try take(fleet, path)
    pauses.append(try write(for: 8, beat, realm))
    if (try? fleet.port("b")) == nil { try fleet.start("b") }
  }
  return pauses
}

/// - Returns: the longest time until a write was acknowledged.
@discardableResult
private func write(for time: Double, _ beat: Beat, _ realm: Realm) throws -> Double {
  let end = monotonicSeconds() + time
  var longest = 0.0
  while monotonicSeconds() < end {
    longest = max(
      longest,
      try seconds {
        try realm.write { beat.round += 1 }
        try realm.settle(.upload, seconds: 120)
      })
    usleep(5_000)
  }
  return longest
}
