import Foundation
import RealmSwift

/// First downloads: memory of a server that sends a large state, and time for a small state with a long past.
let syncBootstrapBenchmarks = Suite(prefix: "sync.bootstrap") { report in
  if report.wants("sync.bootstrap-memory") { try reportMemory(report) }
  if report.wants("sync.bootstrap-year") { try reportYear(report) }
}

private func reportMemory(_ report: BenchmarkReport) throws {
  let folder = try ScratchFolder("bootstrap")
  defer { folder.remove() }
  let count = Int(environment["OBJECTS"] ?? "") ?? 1_000_000
  let data = folder.url.appendingPathComponent("server")
  let filling = try ServerProcess(data: data)
  let writer = try openSynced(
    port: filling.port, data: folder.url.appendingPathComponent("writer"), path: "people", types: [Person.self])
  for start in stride(from: 0, to: count, by: 10_000) {
    try writer.addPeople(PersonValues.make(min(10_000, count - start), from: start), perTransaction: 5_000)
    try writer.settle(.upload)
  }
  try writer.benchSession().suspend()
  let fill = try memoryBytes("VmHWM:", of: filling.process.processIdentifier)
  filling.stop()
  let server = try ServerProcess(data: data)
  defer { server.stop() }
  var arrived = 0
  let time = try seconds {
    let reader = try openSynced(
      port: server.port, data: folder.url.appendingPathComponent("reader"), path: "people", types: [Person.self])
    try reader.settle(.download)
    arrived = reader.objects(Person.self).count
  }
  guard arrived == count else { throw BenchmarkFailure("\(arrived) of \(count) objects arrived") }
  report.row(
    "sync.bootstrap-memory", "\(count) objects to a fresh client, the server's peak memory, of the 300 MB allowed",
    ours: try memoryBytes("VmHWM:", of: server.process.processIdentifier), rival: 300e6, unit: "B", .costAtMost(1))
  report.row("sync.bootstrap-memory-fill", "peak memory while they were uploaded", ours: fill, rival: 300e6, unit: "B")
  report.row("sync.bootstrap-memory-time", "time of that first download", ours: time, rival: nil, unit: "s")
}

private func reportYear(_ report: BenchmarkReport) throws {
  let folder = try ScratchFolder("year")
  defer { folder.remove() }
  let (days, count) = (365, 2_000)
  let server = try ServerProcess(data: folder.url.appendingPathComponent("server"))
  defer { server.stop() }
  let people = PersonValues.make(count)
  var times: [String: [Double]] = [:]
  for (name, changes) in [("young", 0), ("old", days * 10)] {
    let realm = try openSynced(
      port: server.port, data: folder.url.appendingPathComponent(name), path: name, types: [Person.self])
    try realm.addPeople(people, perTransaction: count)
    for change in 0..<changes {
      try realm.write {
        for id in 0..<20 {
          let person = realm.object(ofType: Person.self, forPrimaryKey: (change * 20 + id) % count)
          person?.name = "person \(id) as of change \(change)"
        }
      }
    }
    try realm.settle(.upload)
  }
  // The two sides alternate over several rounds, because one round is short.
  for round in 0..<5 {
    for name in ["young", "old"] {
      let time = try seconds {
        let reader = try openSynced(
          port: server.port, data: folder.url.appendingPathComponent("\(name)\(round)"), path: name,
          types: [Person.self])
        try reader.settle(.download)
        guard reader.objects(Person.self).count == count else { throw BenchmarkFailure("objects are missing") }
      }
      times[name, default: []].append(time)
    }
  }
  report.row(
    "sync.bootstrap-year",
    "first sync of \(count) objects changed \(days * 200) times in a year, the same without a past",
    ours: median(times["old"] ?? []), rival: median(times["young"] ?? []), unit: "s", .costAtMost(2))
}
