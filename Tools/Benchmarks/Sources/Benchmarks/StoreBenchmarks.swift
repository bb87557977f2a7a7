import Foundation
import ObjectStore
import TestKit

/// Live objects beside one SQLite row per object.
let storeBenchmarks = Suite(prefix: "store.") { report in
  let fixture = try PeopleFixture.loaded()
  let (folder, count, people, realm, table) = (
    fixture.folder, fixture.count, fixture.people, fixture.realm, fixture.table
  )
  report.row(
    "store.insert-1m", "insert \(count) objects in one transaction", ours: fixture.ourInsert,
    rival: fixture.rivalInsert, unit: "s", .speedAtLeast(0.8))

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
    unit: "s", .speedAtLeast(15))

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
    unit: "s", .speedAtLeast(8))

  var next = count
  let commits = try medians(
    of: 300,
    ours: {
      next += 1
      try realm.write { live[next % count].age = next }
    },
    rival: { try table.connection.execute("UPDATE person SET age=\(next) WHERE id=\(next % count)") })
  report.row(
    "store.commit-one", "durable commit of one changed object", ours: commits.ours, rival: commits.rival, unit: "s",
    .costAtMost(1.5))

  var fresh = PersonValues.make(400, from: count)[...]
  var other = fresh
  let inserts = try medians(
    of: 300,
    ours: {
      guard let values = fresh.popFirst() else { return }
      try realm.write {
        let person = Person()
        person.id = values.id
        person.name = values.name
        person.friend = live[values.id % count]
        realm.add(person)
      }
    },
    rival: { if let values = other.popFirst() { try table.insert(values) } })
  report.row(
    "store.insert-one", "durable commit of one new object", ours: inserts.ours, rival: inserts.rival, unit: "s",
    .costAtMost(1.5))

  try reportFileSizes(folder, report)
}

/// The sizes of both files after a checkpoint.
private func reportFileSizes(_ folder: ScratchFolder, _ report: BenchmarkReport) throws {
  func size(_ name: String) throws -> Double {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.appendingPathComponent(name).path)
    return Double((attributes[.size] as? NSNumber)?.intValue ?? 0) / 1e6
  }
  report.row(
    "store.file-size", "file after all of it", ours: try size("people.realm"), rival: try size("people.sqlite"),
    unit: "MB", .none)
}
