import Foundation
import ObjectStore
import SQLiteDatabase

/// Durable commits of one object, alternating with the rival's. `COMMITS=` sets how many of each; `SIDE=ours` or
/// `SIDE=rival` leaves the other out, for a profiler.
func reportCommits(_ fixture: PeopleFixture, _ report: BenchmarkReport) throws {
  let environment = ProcessInfo.processInfo.environment
  let runs = Int(environment["COMMITS"] ?? "") ?? 300
  let side = environment["SIDE"]
  let (count, realm, table) = (fixture.count, fixture.realm, fixture.table)
  let live = Array(realm.objects(Person.self))

  if report.wants("store.commit-one") {
    let update = try table.connection.prepare("UPDATE person SET age=? WHERE id=?")
    var next = count
    let commits = try medians(
      of: runs,
      ours: {
        next += 1
        guard side != "rival" else { return }
        try realm.write { live[next % count].age = next }
      },
      rival: {
        guard side != "ours" else { return }
        try update.bind(1, next).bind(2, next % count).run()
      })
    report.row(
      "store.commit-one", "durable commit of one changed object", ours: commits.ours, rival: commits.rival, unit: "s",
      .costAtMost(1.2))
  }

  if report.wants("store.insert-one") {
    var fresh = PersonValues.make(runs + 1, from: count)[...]
    var other = fresh
    let inserts = try medians(
      of: runs,
      ours: {
        guard side != "rival", let values = fresh.popFirst() else { return }
        try realm.write {
          let person = Person(values)
          person.friend = live[values.id % count]
          realm.add(person)
        }
      },
      rival: { if side != "ours", let values = other.popFirst() { try table.insert(values) } })
    report.row(
      "store.insert-one", "durable commit of one new object", ours: inserts.ours, rival: inserts.rival, unit: "s",
      .costAtMost(1.2))
  }
}
