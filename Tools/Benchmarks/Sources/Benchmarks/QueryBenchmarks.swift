import Foundation
import ObjectStore
import SQLiteDatabase
import TestKit

/// Queries beside SQLite's over the same objects: statements prepared and pages cached there, texts parsed anew each
/// time here. No index on either side unless the row says so. Runs before the store suite, which changes the objects.
let queryBenchmarks = Suite(prefix: "query.") { report in
  let fixture = try PeopleFixture.loaded()
  let people = fixture.realm.objects(Person.self)
  let connection = fixture.table.connection

  func compare(
    _ id: String, _ title: String, _ limit: Double, runs: Int = 9, _ sql: String, _ ours: () -> Int
  ) throws {
    guard report.wants(id) else { return }
    let rival = RivalQuery(try connection.prepare(sql))
    var (found, expected) = (ours(), try rival.run())
    let times = try medians(of: runs, ours: { found = ours() }, rival: { expected = try rival.run() })
    precondition(found == expected, "\(id): both find the same, not \(found) and \(expected)")
    report.row(id, title, ours: times.ours, rival: times.rival, unit: "s", .gainAtLeast(limit))
  }

  try compare(
    "query.scan-two-conditions", "count where age > 40 and name begins with A", 12,
    "SELECT count(*) FROM person WHERE age > 40 AND name GLOB 'A*'"
  ) { people.filter("age > 40 AND name BEGINSWITH 'A'").count }
  try compare("query.count-bool", "count of a bool", 25, "SELECT count(*) FROM person WHERE active = 1") {
    people.filter("active == true").count
  }
  try compare("query.sum-int", "sum of an int", 20, "SELECT sum(age) FROM person") { people.sum(ofProperty: "age") }
  try compare(
    "query.string-contains", "count where name contains 999", 2,
    "SELECT count(*) FROM person WHERE instr(name, '999') > 0"
  ) { people.filter("name CONTAINS '999'").count }
  try compare(
    "query.sort-limit", "sum of the ids of the 100 least scores", 1.5,
    "SELECT sum(id) FROM (SELECT id FROM person ORDER BY score LIMIT 100)"
  ) { people.filter("TRUEPREDICATE SORT(score ASC) LIMIT(100)").reduce(0) { $0 + $1.id } }
  try compare(
    "query.link-hop", "count where friend.age > 40", 4,
    "SELECT count(*) FROM person JOIN person AS friend ON friend.id = person.friend WHERE friend.age > 40"
  ) { people.filter("friend.age > 40").count }

  if report.wants("query.in-100k") {
    var random = SeededGenerator(seed: 11)
    let names = (0..<min(100_000, fixture.count)).map { _ in
      fixture.people[Int.random(in: 0..<fixture.count, using: &random)].name
    }
    try connection.execute("CREATE TEMP TABLE wanted(name TEXT PRIMARY KEY) WITHOUT ROWID")
    let insertion = try connection.prepare("INSERT OR IGNORE INTO wanted VALUES(?)")
    try connection.transaction {
      for name in names {
        insertion.reset()
        try insertion.bind(1, name)
        _ = try insertion.step()
      }
      insertion.reset()
    }
    try compare(
      "query.in-100k", "count where name is in a list of 100,000", 1, runs: 5,
      "SELECT count(*) FROM person WHERE name IN (SELECT name FROM wanted)"
    ) { people.filter("name IN %@", names).count }
  }
  if report.wants("query.indexed-equality") { try indexedEquality(fixture, report) }
}

/// A prepared statement that answers with one number.
private struct RivalQuery {
  let statement: SQLiteStatement
  init(_ statement: SQLiteStatement) { self.statement = statement }

  func run() throws -> Int {
    statement.reset()
    defer { statement.reset() }
    return try statement.step() ? Int(statement.int(at: 0)) : 0
  }
}

/// An object with an index over a number that a thousand objects share.
final class Visit: Object {
  @Persisted(indexed: true) var place: Int
  @Persisted var minutes: Int
}

/// Counts the objects with one value of an indexed property, for a hundred values.
private func indexedEquality(_ fixture: PeopleFixture, _ report: BenchmarkReport) throws {
  let places = max(fixture.count / 1000, 1)
  var configuration = Realm.Configuration(fileURL: fixture.folder.url.appendingPathComponent("visits.realm"))
  configuration.objectTypes = [Visit.self]
  let realm = try Realm(configuration: configuration)
  try realm.write {
    for number in 0..<fixture.count {
      let visit = Visit()
      visit.place = number &* 7919 % places
      visit.minutes = number
      realm.add(visit)
    }
  }
  let connection = try SQLiteConnection(path: fixture.folder.url.appendingPathComponent("visits.sqlite").path)
  try connection.execute("CREATE TABLE visit(id INTEGER PRIMARY KEY, place INTEGER NOT NULL, minutes INTEGER NOT NULL)")
  try connection.execute("CREATE INDEX visit_place ON visit(place)")
  let insertion = try connection.prepare("INSERT INTO visit(place, minutes) VALUES(?, ?)")
  try connection.transaction {
    for number in 0..<fixture.count {
      insertion.reset()
      try insertion.bind(1, Int64(number &* 7919 % places))
      try insertion.bind(2, Int64(number))
      _ = try insertion.step()
    }
    insertion.reset()
  }
  let visits = realm.objects(Visit.self)
  let query = try connection.prepare("SELECT count(*) FROM visit WHERE place = ?")
  var (found, expected) = (0, 0)
  let times = try medians(
    of: 9, ours: { found = (0..<100).reduce(0) { $0 + visits.filter("place == %@", $1 % places).count } },
    rival: {
      expected = 0
      for place in 0..<100 {
        query.reset()
        try query.bind(1, Int64(place % places))
        if try query.step() { expected += Int(query.int(at: 0)) }
      }
      query.reset()
    })
  precondition(found == expected, "both count the same visits, not \(found) and \(expected)")
  report.row(
    "query.indexed-equality", "100 counts of an indexed value, 1000 objects each", ours: times.ours, rival: times.rival,
    unit: "s", .gainAtLeast(3))
}
