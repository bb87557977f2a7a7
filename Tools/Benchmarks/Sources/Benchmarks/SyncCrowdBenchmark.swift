import Foundation
import RealmSwift
import Synchronization

/// Many clients that are logged in and write to one realm at the same time, until all of them have everything: the median
/// of several rounds, each with new clients and another realm, and SQLite's commits before, between and after them.
let syncCrowdBenchmark = Suite(prefix: "sync.crowd") { report in
  let folder = try ScratchFolder("crowd")
  defer { folder.remove() }
  let (clients, transactions) = (Int(environment["CLIENTS"] ?? "") ?? 20, Int(environment["TRANSACTIONS"] ?? "") ?? 500)
  let server = try ServerProcess(data: folder.url.appendingPathComponent("server"))
  defer { server.stop() }
  let table = try PeopleTable(path: folder.url.appendingPathComponent("rival.sqlite").path)
  var commits: [Double] = []
  func measureCommits() throws {
    for person in PersonValues.make(100, from: commits.count) {
      commits.append(try seconds { try table.insert(person) })
    }
  }
  // The values are prepared outside the timing, as the rival's are.
  let people = (0..<clients).map { PersonValues.make(transactions, from: $0 * transactions) }
  var times: [Double] = []
  try measureCommits()
  for round in 1...5 {
    let crowd = try SyncedCrowd(clients, ports: [server.port], path: "people\(round)", in: folder.url)
    times.append(try crowd.secondsToConverge(writing: people))
    try measureCommits()
  }
  report.row(
    "sync.crowd", "\(clients) clients of \(transactions) transactions each, converged; as many durable commits",
    ours: median(times), rival: median(commits) * Double(clients * transactions), unit: "s", .costAtMost(0.6))
}

/// Clients that have a realm open, each on a device of its own.
struct SyncedCrowd {
  private let devices: [(configuration: Realm.Configuration, session: SyncSession)]
  private let isShared: Bool

  /// - Parameters:
  ///   - ports: of the servers, which the clients use in turn.
  ///   - isShared: whether all have one realm; else each has one of its own.
  init(_ count: Int, ports: [Int], path: String, isShared: Bool = true, in folder: URL) throws {
    self.isShared = isShared
    let devices = Mutex<[Int: (Realm.Configuration, SyncSession)]>([:])
    try inThreads(count) { number in
      let data = folder.appendingPathComponent("\(path)-\(number)")
      let realm = try openSynced(
        port: ports[number % ports.count], data: data, path: isShared ? path : "\(path)-\(number)",
        types: [Person.self])
      let device = (realm.configuration, try realm.benchSession())
      devices.withLock { $0[number] = device }
    }
    self.devices = devices.withLock { devices in (0..<count).compactMap { devices[$0] } }
  }

  private func onEach(_ body: @escaping @Sendable (Int, Realm) throws -> Void) throws {
    let configurations = devices.map(\.configuration)
    try inThreads(configurations.count) { try body($0, try Realm(configuration: configurations[$0])) }
  }

  /// Seconds until all clients have everything, when each writes its part with one object per transaction.
  func secondsToConverge(writing people: [[PersonValues]]) throws -> Double {
    let all = people.reduce(0) { $0 + $1.count }
    return try seconds {
      try onEach { number, realm in
        try realm.addPeople(people[number], perTransaction: 1)
        try realm.settle(.upload)
      }
      try onEach { number, realm in
        try realm.settle(.download)
        let (count, total) = (realm.objects(Person.self).count, isShared ? all : people[number].count)
        guard count == total else { throw BenchmarkFailure("client \(number) has \(count) objects") }
      }
    }
  }
}

/// Runs `body` on `count` threads at the same time.
///
/// - Throws: the error of one of the threads that threw.
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
