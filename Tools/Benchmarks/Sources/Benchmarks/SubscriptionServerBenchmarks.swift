import ChangesetOT
import DataModel
import Foundation

/// A server's processor time for one write, from the upload in memory to the encoded messages, with many clients that have queries.
let subscriptionServerBenchmarks = Suite(prefix: "subscriptions.server-") { report in
  if report.wants("subscriptions.server-equality") {
    let few = try ownersFleet(10).secondsPerWrite()
    report.row(
      "subscriptions.server-equality-10k", "a write, 10,000 clients with equalities, beside 10",
      ours: try ownersFleet(10_000).secondsPerWrite(), rival: few, unit: "s", .costAtMost(2))
    report.row(
      "subscriptions.server-equality-100k", "a write, 100,000 clients with equalities, beside 10",
      ours: try ownersFleet(100_000).secondsPerWrite(), rival: few, unit: "s", .costAtMost(3))
  }
  if report.wants("subscriptions.server-shared") {
    let count = 10_000
    let fleet = try ViewFleet(tasks: 1_000, owners: 10)
    for _ in 0..<count { try fleet.add(#"{"Task":"done == false"}"#) }
    let time = try fleet.secondsPerWrite(rounds: 5, told: count)
    report.row(
      "subscriptions.server-shared-10k", "a write told to 10,000 clients with one query, for each",
      ours: time / Double(count), rival: nil, unit: "s", .atMost(20e-6))
  }
  if report.wants("subscriptions.server-contains") {
    let fleet = try ViewFleet(tasks: 1_000, owners: 10)
    for number in 0..<10_000 { try fleet.add(#"{"Task":"title CONTAINS 'word \#(number).'"}"#) }
    report.row(
      "subscriptions.server-contains-10k", "a write, 10,000 clients with CONTAINS",
      ours: try fleet.secondsPerWrite(rounds: 20, told: 0), rival: nil, unit: "s", .atMost(0.010))
  }
  if report.wants("subscriptions.server-idle") {
    let count = 20_000
    for (name, what) in [("shared", "one query"), ("own", "a query of its own")] {
      let fleet = try ViewFleet(tasks: 100, owners: 10)
      for number in 0..<count {
        try fleet.add(#"{"Task":"owner == 'user \#(name == "own" ? number : 0)'"}"#)
      }
      report.row(
        "subscriptions.server-idle-\(name)",
        "memory of the watch for an idle client with \(what), of the kilobyte allowed",
        ours: try fleet.watchBytes() / Double(count), rival: 1_000, unit: "B", .costAtMost(1))
    }
  }
  if report.wants("subscriptions.server-hot") {
    for isShared in [true, false] {
      let suffix = isShared ? "" : "-own"
      let time = try hotWrite(isShared)
      report.row(
        "subscriptions.server-hot\(suffix)",
        "a write, 100 users with 3 \(isShared ? "" : "personal ")queries, all are told", ours: time, rival: nil,
        unit: "s",
        .atMost(0.001))
    }
  }
}

/// Clients of which each has the tasks of one owner.
private func ownersFleet(_ count: Int) throws -> ViewFleet {
  let fleet = try ViewFleet(tasks: 2_000, owners: 2_000)
  for number in 0..<count { try fleet.add(#"{"Task":"owner == 'user \#(number)'"}"#) }
  return fleet
}

extension ViewFleet {
  /// The time of a write to one task, whose owner is told when there is such a client.
  fileprivate func secondsPerWrite(rounds: Int = 200, told: Int? = nil) throws -> Double {
    var round = 0
    func one() throws {
      round += 1
      let found = try write([touch(Int64(round % 10), round)])
      if let told, told != found { throw BenchmarkFailure("\(found) clients were told, not \(told)") }
      if told == nil, found != 1 { throw BenchmarkFailure("\(found) clients were told") }
    }
    for _ in 0..<5 { try one() }
    return try median((0..<7).map { _ in try processorSeconds { for _ in 0..<rounds { try one() } } }) / Double(rounds)
  }
}

/// The time of a write: 100 users whose three queries lie over one organisation write to tasks and notes that all of them
/// see, ten in a group commit.
private func hotWrite(_ isShared: Bool) throws -> Double {
  let fleet = try ViewFleet(tasks: 5_000, owners: 100)
  for user in 0..<100 {
    let own = isShared ? "" : " OR owner == 'user \(user)'"
    try fleet.add(
      #"{"Task":"project == 7\#(own)","Note":"project == 7\#(own)","Member":"age > 20\#(own)"}"#)
  }
  var round = 0
  let commits = 20
  func run() throws {
    for _ in 0..<commits {
      round += 1
      let writes = (0..<10).map { number in
        let key = Int64(7 + 20 * ((round * 10 + number) % 200))
        return (
          author: 1 + (round * 10 + number) % 100,
          instructions: [ViewFleet.set(key, "title", .string("round \(round) \(number)"))]
        )
      }
      let told = try fleet.write(writes)
      guard told == 90 else { throw BenchmarkFailure("\(told) clients were told, not 90") }
    }
  }
  try run()
  return median(try (0..<5).map { _ in try processorSeconds(run) }) / Double(commits * 10)
}
