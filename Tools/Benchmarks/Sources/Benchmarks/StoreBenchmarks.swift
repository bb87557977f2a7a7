import Foundation
import ObjectStore
import SQLiteDatabase
import TestKit

/// Live objects beside one SQLite row per object.
let storeBenchmarks = Suite(prefix: "store.") { report in
  let fixture = try PeopleFixture.loaded()
  try reportBulk(fixture, report)
  try reportFileSizes(fixture, report)
  try reportLiveObjects(fixture, report)
  try reportProperties(fixture, report)
  try reportCommits(fixture, report)
  try reportFiles(report)
  try reportDeletion(fixture, report)
}

/// Loading, and reading at random.
private func reportBulk(_ fixture: PeopleFixture, _ report: BenchmarkReport) throws {
  let (count, people, realm, table) = (
    fixture.count, fixture.people, fixture.realm, fixture.table
  )
  report.row(
    "store.insert-1m", "insert \(count) objects in one transaction", ours: fixture.ourInsert,
    rival: fixture.rivalInsert, unit: "s", .gainAtLeast(0.8))
  report.row(
    "store.bulk-insert", "the same, with key, link and backlinks", ours: fixture.ourInsert, rival: fixture.rivalInsert,
    unit: "s", .gainAtLeast(1.2))
  guard report.wants("store.read-live") || report.wants("store.scan-two-conditions") else { return }

  let results = realm.objects(Person.self)
  let live = Array(results)
  var random = SeededGenerator(seed: 7)
  let picks = (0..<100_000).map { _ in Int.random(in: 0..<count, using: &random) }
  var ourSum = 0
  var rivalSum = 0
  let reads = try medians(
    of: 7, ours: { ourSum = picks.reduce(0) { $0 &+ live[$1].age } },
    rival: { rivalSum = try picks.reduce(0) { try $0 &+ table.age(of: people[$1].id) } })
  precondition(ourSum == rivalSum, "both read the same ages")
  report.row(
    "store.read-live", "100,000 random reads of one field, live object", ours: reads.ours, rival: reads.rival,
    unit: "s", .gainAtLeast(15))

  let scan = try table.connection.prepare("SELECT count(*) FROM person WHERE age > 40 AND name GLOB 'A*'")
  var ourCount = 0
  var rivalCount = 0
  let filtered = results.filter("age > 40 AND name BEGINSWITH 'A'")
  let scans = try medians(
    of: 9, ours: { ourCount = results.filter("age > 40 AND name BEGINSWITH 'A'").count },
    rival: {
      scan.reset()
      _ = try scan.step()
      rivalCount = Int(scan.int(at: 0))
      scan.reset()
    })
  precondition(ourCount == rivalCount && filtered.count == ourCount, "both find the same people")
  report.row(
    "store.scan-two-conditions", "count where age > 40 and name begins with A", ours: scans.ours, rival: scans.rival,
    unit: "s", .gainAtLeast(8))
}

/// The sizes of both files after a checkpoint.
private func reportFileSizes(_ fixture: PeopleFixture, _ report: BenchmarkReport) throws {
  guard report.wants("store.file-size") else { return }
  func size(_ name: String) throws -> Double {
    let path = fixture.folder.url.appendingPathComponent(name).path
    _ = try SQLiteConnection(path: path, mode: .readWrite).integer("PRAGMA wal_checkpoint(TRUNCATE)")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return Double((attributes[.size] as? NSNumber)?.intValue ?? 0) / 1e6
  }
  report.row(
    "store.file-size", "file after loading", ours: try size("people.realm"), rival: try size("people.sqlite"),
    unit: "MB", .costAtMost(1.2))
}
