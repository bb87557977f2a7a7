import Foundation
import RealmSwift
import Synchronization

/// Many clients that are logged in and write to one realm at the same time, until all of them have everything.
let syncCrowdBenchmark = Suite(prefix: "sync.crowd") { report in
  let folder = try ScratchFolder("crowd")
  defer { folder.remove() }
  let (clients, transactions) = (Int(environment["CLIENTS"] ?? "") ?? 20, Int(environment["TRANSACTIONS"] ?? "") ?? 500)
  let server = try ServerProcess(data: folder.url.appendingPathComponent("server"))
  defer { server.stop() }
  let port = server.port
  let table = try PeopleTable(path: folder.url.appendingPathComponent("rival.sqlite").path)
  var commits: [Double] = []
  func measureCommits(from first: Int) throws {
    for person in PersonValues.make(100, from: first) { commits.append(try seconds { try table.insert(person) }) }
  }
  try measureCommits(from: 0)
  let devices = Mutex<[Int: (Realm.Configuration, SyncSession)]>([:])
  let url = folder.url
  try inThreads(clients) { number in
    let realm = try openSynced(
      port: port, data: url.appendingPathComponent("client\(number)"), path: "people", types: [Person.self])
    let device = (realm.configuration, try realm.benchSession())
    devices.withLock { $0[number] = device }
  }
  func onEach(_ body: @escaping @Sendable (Int, Realm) throws -> Void) throws {
    try inThreads(clients) { number in
      guard let (configuration, _) = devices.withLock({ $0[number] }) else { return }
      try body(number, try Realm(configuration: configuration))
    }
  }
  // Made ahead, as those of the rival are.
  let people = (0..<clients).map { PersonValues.make(transactions, from: $0 * transactions) }
  let time = try seconds {
    try onEach { number, realm in
      try realm.addPeople(people[number], perTransaction: 1)
      try realm.settle(.upload)
    }
    try onEach { number, realm in
      try realm.settle(.download)
      let count = realm.objects(Person.self).count
      guard count == clients * transactions else { throw BenchmarkFailure("client \(number) has \(count) objects") }
    }
  }
  try measureCommits(from: 100)
  report.row(
    "sync.crowd", "\(clients) clients of \(transactions) transactions each, converged; as many durable commits",
    ours: time, rival: median(commits) * Double(clients * transactions), unit: "s", .costAtMost(0.6))
}

/// Runs `body` on as many threads at a time; throws what one of them threw.
private func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
  let failure = Mutex<(any Error)?>(nil)
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread {
      do { try body(number) } catch { failure.withLock { $0 = error } }
      group.leave()
    }.start()
  }
  group.wait()
  if let error = failure.withLock({ $0 }) { throw error }
}
