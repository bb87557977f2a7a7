import Foundation
import ObjectStore
import TestKit

/// An encrypted realm beside the same realm in clear.
let encryptionBenchmarks = Suite(prefix: "store.encrypted-") { report in
  let folder = try ScratchFolder("encryption")
  defer { folder.remove() }
  let count = 20_000
  let values = PersonValues.make(count)
  func realm(_ name: String, _ key: Data?) throws -> Realm {
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: folder.url.appendingPathComponent(name), encryptionKey: key, objectTypes: [Person.self]))
    try realm.write {
      for value in values { realm.add(Person(value)) }
    }
    return realm
  }
  let sealed = try realm("sealed.realm", Data((0..<64).map { UInt8($0) }))
  let clear = try realm("clear.realm", nil)
  let sealedPeople = Array(sealed.objects(Person.self))
  let clearPeople = Array(clear.objects(Person.self))

  var next = 0
  let commits = try medians(
    of: 300,
    ours: {
      next += 1
      try sealed.write { sealedPeople[next % count].age = next }
    }, rival: { try clear.write { clearPeople[next % count].age = next } })
  report.row(
    "store.encrypted-commit-one", "durable commit of one changed object, beside the same in clear", ours: commits.ours,
    rival: commits.rival, unit: "s", .costAtMost(2))

  var random = SeededGenerator(seed: 7)
  let picks = (0..<100_000).map { _ in Int.random(in: 0..<count, using: &random) }
  var sums = (0, 0)
  let reads = medians(
    of: 9, ours: { sums.0 = picks.reduce(0) { $0 &+ sealedPeople[$1].age } },
    rival: { sums.1 = picks.reduce(0) { $0 &+ clearPeople[$1].age } })
  precondition(sums.0 == sums.1, "both read the same ages")
  report.row(
    "store.encrypted-read-live", "100,000 random reads of one field, beside the same in clear", ours: reads.ours,
    rival: reads.rival, unit: "s", .costAtMost(1.1))
}
