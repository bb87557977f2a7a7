import Foundation
import RealmSwift
import SQLiteDatabase

/// Upload of transactions to the server and their download by a fresh client, beside SQLite's durable inserts of the same.
let syncTransferBenchmarks = Suite(prefix: "sync.transfer") { report in
  let folder = try ScratchFolder("transfer")
  defer { folder.remove() }
  let transactions = Int(environment["TRANSACTIONS"] ?? "") ?? 1_000
  let people = PersonValues.make(transactions * 100)
  let server = try ServerProcess(data: folder.url.appendingPathComponent("server"))
  defer { server.stop() }
  let realm = try openSynced(
    port: server.port, data: folder.url.appendingPathComponent("writer"), path: "people", types: [Person.self])
  try realm.settle(.upload)
  let session = try realm.benchSession()
  session.suspend()
  try realm.addPeople(people, perTransaction: 100)

  let table = try PeopleTable(path: folder.url.appendingPathComponent("rival.sqlite").path)
  let rival = try seconds {
    for start in stride(from: 0, to: people.count, by: 100) {
      try table.connection.transaction {
        for number in start..<start + 100 {
          var person = people[number]
          person.friend = nil
          try table.insert(person)
        }
      }
    }
  }
  let upload = try seconds {
    session.resume()
    try realm.settle(.upload)
  }
  report.row(
    "sync.transfer-upload",
    "\(transactions) transactions of 100 objects uploaded and acknowledged, SQLite's durable inserts",
    ours: upload, rival: rival, unit: "s", .costAtMost(6))
  var count = 0
  let download = try seconds {
    let reader = try openSynced(
      port: server.port, data: folder.url.appendingPathComponent("reader"), path: "people", types: [Person.self])
    try reader.settle(.download)
    count = reader.objects(Person.self).count
  }
  guard count == people.count else { throw BenchmarkFailure("\(count) of \(people.count) objects arrived") }
  report.row(
    "sync.transfer-download", "the same downloaded by a fresh client, SQLite's durable inserts", ours: download,
    rival: rival, unit: "s", .costAtMost(5))
}
