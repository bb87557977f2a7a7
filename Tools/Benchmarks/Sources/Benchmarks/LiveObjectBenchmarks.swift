import Foundation
import ObjectStore
import SQLiteDatabase
import TestKit

/// Everyday work with existing objects: look-ups by key, following links, reading and updating many.
func reportLiveObjects(_ fixture: PeopleFixture, _ report: BenchmarkReport) throws {
  let (count, realm, connection) = (fixture.count, fixture.realm, fixture.table.connection)
  let reads = min(100_000, count)
  var random = SeededGenerator(seed: 11)
  let picks = (0..<reads).map { _ in Int.random(in: 0..<count, using: &random) }

  if report.wants("store.key-lookups") {
    var sums = (0, 0)
    let times = try medians(
      of: 5,
      ours: {
        sums.0 = picks.reduce(0) { $0 &+ (realm.object(ofType: Person.self, forPrimaryKey: $1)?.age ?? 0) }
      }, rival: { sums.1 = try picks.reduce(0) { try $0 &+ fixture.table.age(of: $1) } })
    precondition(sums.0 == sums.1, "both find the same ages")
    report.row(
      "store.key-lookups", "\(reads) look-ups by key, one field read", ours: times.ours, rival: times.rival, unit: "s",
      .gainAtLeast(5))
  }

  if report.wants("store.follow-links") {
    let select = try connection.prepare("SELECT friend FROM person WHERE id=?")
    var ends = (0, 0)
    let times = try medians(
      of: 5,
      ours: {
        var at = realm.object(ofType: Person.self, forPrimaryKey: count - 1)
        for pick in picks { at = at?.friend ?? realm.object(ofType: Person.self, forPrimaryKey: pick) }
        ends.0 = at?.id ?? -1
      },
      rival: {
        var at = count - 1
        for pick in picks {
          select.reset()
          try select.bind(1, at)
          at = try select.step() && !select.isNull(at: 0) ? Int(select.int(at: 0)) : pick
        }
        ends.1 = at
      })
    precondition(ends.0 == ends.1, "both arrive at the same person")
    report.row(
      "store.follow-links", "following \(reads) links", ours: times.ours, rival: times.rival, unit: "s",
      .gainAtLeast(9))
  }

  let live = Array(realm.objects(Person.self))
  if report.wants("store.read-all") {
    let select = try connection.prepare("SELECT age, score, active FROM person")
    var sums = (0.0, 0.0)
    let times = try medians(
      of: 5,
      ours: {
        sums.0 = live.reduce(0) { $0 + Double($1.age) + $1.score + ($1.active ? 1 : 0) }
      },
      rival: {
        sums.1 = 0
        select.reset()
        while try select.step() {
          sums.1 += Double(select.int(at: 0)) + select.double(at: 1) + Double(select.int(at: 2))
        }
      })
    precondition(abs(sums.0 - sums.1) <= abs(sums.1) * 1e-9, "both read the same")
    report.row(
      "store.read-all", "three properties of all \(count) objects", ours: times.ours, rival: times.rival, unit: "s",
      .gainAtLeast(1.5))
  }

  if report.wants("store.update-100k") {
    let update = try connection.prepare("UPDATE person SET age=? WHERE id=?")
    var round = 0
    let times = try medians(
      of: 5,
      ours: {
        round += 1
        try realm.write { for pick in picks { live[pick].age = pick &+ round } }
      },
      rival: {
        try connection.transaction { for pick in picks { try update.bind(1, pick &+ round).bind(2, pick).run() } }
      })
    report.row(
      "store.update-100k", "updating \(reads) objects in one transaction", ours: times.ours, rival: times.rival,
      unit: "s", .gainAtLeast(3))
  }
}

/// One read and one write of a property, beside looking the value up in a dictionary.
func reportProperties(_ fixture: PeopleFixture, _ report: BenchmarkReport) throws {
  guard ["store.property-int", "store.property-string", "store.property-write"].contains(where: report.wants)
  else { return }
  let reads = min(100_000, fixture.count)
  // Keys without order, as programs have them.
  var numbers: [Int: Int] = [:]
  var names: [Int: String] = [:]
  for person in fixture.people.prefix(reads) {
    numbers[person.id] = person.age
    names[person.id] = person.name
  }
  guard let person = fixture.realm.object(ofType: Person.self, forPrimaryKey: 0) else { return }
  func nanoseconds(_ body: () -> Void) -> Double { median((0..<5).map { _ in seconds(body) }) / Double(reads) }
  var sum = 0
  report.row(
    "store.property-int", "reading an Int",
    ours: nanoseconds { for _ in 0..<reads { sum &+= person.age } },
    rival: nanoseconds { for id in 0..<reads { sum &+= numbers[id] ?? 0 } }, unit: "s", .atMost(10e-9))
  report.row(
    "store.property-string", "reading a short String",
    ours: nanoseconds { for _ in 0..<reads { sum &+= person.name.utf8.count } },
    rival: nanoseconds { for id in 0..<reads { sum &+= names[id]?.utf8.count ?? 0 } }, unit: "s", .atMost(40e-9))
  let writes = try fixture.realm.write {
    nanoseconds { for number in 0..<reads { person.age = number } }
  }
  report.row(
    "store.property-write", "writing an Int in a transaction", ours: writes,
    rival: nanoseconds { for id in 0..<reads { numbers[id] = id } }, unit: "s", .atMost(150e-9))
  consume(sum)
}
