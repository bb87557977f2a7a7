import Foundation
import ObjectStore
import SQLiteDatabase

/// A thousand small transactions, opening, and a durable commit of one object in a small file; each in files of its own.
/// `SIDE=ours` or `SIDE=rival` leaves the other's small transactions and openings out, and `OPENINGS=` sets how many of
/// these there are, for a profiler.
func reportFiles(_ report: BenchmarkReport) throws {
  let environment = ProcessInfo.processInfo.environment
  let side = environment["SIDE"]
  let ids = ["store.small-transactions", "store.commit-one-10000", "store.open-first-read"]
  guard ids.contains(where: report.wants) else { return }
  let folder = try ScratchFolder("files")
  defer { folder.remove() }
  func configuration(_ name: String) -> Realm.Configuration {
    var configuration = Realm.Configuration(fileURL: folder.url.appendingPathComponent(name))
    configuration.objectTypes = [Person.self]
    return configuration
  }

  let table = try PeopleTable(path: folder.url.appendingPathComponent("small.sqlite").path)
  let small = try Realm(configuration: configuration("small.realm"))
  let people = PersonValues.make(100_000)
  var added: [Person] = []
  let first = people.prefix(10_000)
  try small.write { small.add(first, to: &added) }
  try table.connection.transaction { for person in first { try table.insert(person) } }

  if report.wants("store.commit-one-10000") {
    let update = try table.connection.prepare("UPDATE person SET age=? WHERE id=?")
    var next = 0
    let commits = try medians(
      of: 300,
      ours: {
        next += 1
        try small.write { added[next].age = next }
      }, rival: { try update.bind(1, next).bind(2, next).run() })
    report.row(
      "store.commit-one-10000", "durable commit of one of 10,000 objects", ours: commits.ours, rival: commits.rival,
      unit: "s", .costAtMost(1.5))
  }

  if report.wants("store.open-first-read") {
    let openings = Int(environment["OPENINGS"] ?? "") ?? 30
    // File names are prepared outside the timing. Every file was opened and closed once, which leaves the lock file on our
    // side and only the journal mode on the rival's. Companion files that closing removes are created again by both.
    var copies: [(ours: Realm.Configuration, rival: String)] = []
    for number in 0..<openings {
      let copy = (ours: configuration("copy\(number).realm"), rival: folder.url.path + "/copy\(number).sqlite")
      try small.writeCopy(configuration: copy.ours)
      _ = try Realm(configuration: copy.ours)
      try table.connection.execute("VACUUM INTO '\(copy.rival)'")
      _ = try SQLiteConnection(path: copy.rival).text("PRAGMA journal_mode=WAL")
      copies.append(copy)
    }
    var number = -1
    var ages = (0, 0)
    let opens = try medians(
      of: openings,
      ours: {
        number += 1
        guard side != "rival" else { return }
        ages.0 = try Realm(configuration: copies[number].ours).object(ofType: Person.self, forPrimaryKey: 7)?.age ?? -1
      },
      rival: {
        guard side != "ours" else { return }
        let connection = try SQLiteConnection(path: copies[number].rival)
        let select = try connection.prepare("SELECT age FROM person WHERE id=7")
        ages.1 = try select.step() ? Int(select.int(at: 0)) : -1
      })
    precondition(side != nil || ages.0 == ages.1, "both read the same")
    report.row(
      "store.open-first-read", "opening a file and reading one object", ours: opens.ours, rival: opens.rival, unit: "s",
      .costAtMost(1.5))
  }

  if report.wants("store.small-transactions") {
    var start = 10_000
    let ours = try seconds {
      for _ in 0..<(side == "rival" ? 0 : 900) {
        try small.write { small.add(people[start..<start + 100], to: &added) }
        start += 100
      }
    }
    start = 10_000
    let rival = try seconds {
      for _ in 0..<(side == "ours" ? 0 : 900) {
        try table.connection.transaction {
          for person in people[start..<start + 100] { try table.insert(person) }
        }
        start += 100
      }
    }
    report.row(
      "store.small-transactions", "900 durable transactions of 100 inserts", ours: ours, rival: rival, unit: "s",
      .gainAtLeast(1))
  }
}

/// Deletes every other object of the fixture, which is of no use to others afterwards.
func reportDeletion(_ fixture: PeopleFixture, _ report: BenchmarkReport) throws {
  guard report.wants("store.delete-half") else { return }
  let connection = fixture.table.connection
  let ours = try seconds {
    try fixture.realm.write { fixture.realm.delete(fixture.realm.objects(Person.self).filter("active == true")) }
  }
  let rival = try seconds {
    try connection.transaction {
      // Links to what is deleted become null, as they do with us.
      try connection.execute(
        "UPDATE person SET friend=NULL WHERE friend IN (SELECT id FROM person WHERE active=1)")
      try connection.execute("DELETE FROM person WHERE active=1")
    }
  }
  let rest = try connection.integer("SELECT count(*) FROM person") ?? -1
  precondition(fixture.realm.objects(Person.self).count == Int(rest), "both have as many left")
  report.row("store.delete-half", "deleting half of the objects", ours: ours, rival: rival, unit: "s", .gainAtLeast(1))
}
