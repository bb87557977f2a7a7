import Foundation
import RealmSwift

/// Sync by queries between processes, beside full sync of the same.
let subscriptionSyncBenchmarks = Suite(prefix: "subscriptions.sync-") { report in
  if report.wants("subscriptions.sync-latency") { try reportLatency(report) }
  if report.wants("subscriptions.sync-bootstrap") { try reportBootstrap(report) }
}

/// A device that writes, and another that listens.
private struct BeatPair {
  let realm: Realm
  let beat: Beat
  let listener: ChildListener

  init(_ server: ServerProcess, _ folder: URL, byQueries: Bool) throws {
    let name = byQueries ? "queries" : "whole"
    let realm = try openBeats(
      port: server.port, data: folder.appendingPathComponent("\(name)-writer"), byQueries: byQueries)
    self.realm = realm
    try realm.write { realm.create(Beat.self, value: ["id": 1, "round": 0], update: .modified) }
    guard let beat = realm.object(ofType: Beat.self, forPrimaryKey: 1) else { throw BenchmarkFailure("no beat") }
    self.beat = beat
    listener = try ChildListener(
      port: server.port, data: folder.appendingPathComponent("\(name)-listener"), byQueries: byQueries)
    try listener.waitFor(round: 0)
  }

  /// The time from a commit here to its visibility there.
  func latency(of round: Int) throws -> Double {
    let start = monotonicSeconds()
    try realm.write { beat.round = round }
    return try listener.waitFor(round: round) - start
  }
}

private func reportLatency(_ report: BenchmarkReport) throws {
  let folder = try ScratchFolder("subscribed")
  defer { folder.remove() }
  let server = try ServerProcess(data: folder.url.appendingPathComponent("server"))
  defer { server.stop() }
  let whole = try BeatPair(server, folder.url, byQueries: false)
  defer { whole.listener.stop() }
  let queries = try BeatPair(server, folder.url, byQueries: true)
  defer { queries.listener.stop() }
  var times: (ours: [Double], rival: [Double]) = ([], [])
  // Both sides alternate, so that a disturbance of the machine or its disk hits both.
  for round in 1...300 {
    times.ours.append(try queries.latency(of: round))
    times.rival.append(try whole.latency(of: round))
  }
  report.row(
    "subscriptions.sync-latency", "commit here to visible there by queries, median, beside full sync",
    ours: median(times.ours), rival: median(times.rival), unit: "s", .costAtMost(1.5))
}

private func reportBootstrap(_ report: BenchmarkReport) throws {
  let folder = try ScratchFolder("subscribed-bootstrap")
  defer { folder.remove() }
  let count = Int(environment["OBJECTS"] ?? "") ?? 1_000_000
  let part = min(10_000, count)
  let server = try ServerProcess(data: folder.url.appendingPathComponent("server"))
  defer { server.stop() }
  for (path, size) in [("all", count), ("part", part)] {
    let writer = try openSynced(
      port: server.port, data: folder.url.appendingPathComponent("writer-\(path)"), path: path, types: [Person.self])
    for start in stride(from: 0, to: size, by: 10_000) {
      try writer.addPeople(PersonValues.make(min(10_000, size - start), from: start), perTransaction: 5_000)
      try writer.settle(.upload)
    }
    try writer.benchSession().suspend()
  }
  func check(_ realm: Realm) throws {
    let arrived = realm.objects(Person.self).count
    guard arrived == part else { throw BenchmarkFailure("\(arrived) of \(part) objects arrived") }
  }
  var times: (ours: [Double], rival: [Double]) = ([], [])
  for round in 0..<5 {
    times.ours.append(
      try seconds {
        try check(
          try openSubscribed(
            port: server.port, data: folder.url.appendingPathComponent("queries\(round)"), path: "all", Person.self,
            where: QuerySubscription { $0.id < part }))
      })
    times.rival.append(
      try seconds {
        let reader = try openSynced(
          port: server.port, data: folder.url.appendingPathComponent("whole\(round)"), path: "part",
          types: [Person.self])
        try reader.settle(.download)
        try check(reader)
      })
  }
  report.row(
    "subscriptions.sync-bootstrap", "\(part) of \(count) objects by a query, beside all of a realm of \(part)",
    ours: median(times.ours), rival: median(times.rival), unit: "s", .costAtMost(1.5))
}
