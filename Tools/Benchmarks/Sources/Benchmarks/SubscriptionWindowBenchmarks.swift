import ChangesetOT
import DataModel
import Foundation

/// A server's processor time for views with SORT and LIMIT, and for clients beside one that does not read.
let subscriptionWindowBenchmarks = Suite(prefix: "subscriptions.window-") { report in
  if report.wants("subscriptions.window-limit") {
    report.row(
      "subscriptions.window-limit", "a new object at the head of LIMIT(50) over 200,000, commit included",
      ours: try secondsPerHead(), rival: nil, unit: "s", .atMost(0.0001))
  }
  if report.wants("subscriptions.window-stopped") {
    let (alone, beside) = try secondsBesideStoppedReader()
    report.row(
      "subscriptions.window-stopped", "a write told to 99 clients, beside one that stopped reading 2,000 writes ago",
      ours: beside, rival: alone, unit: "s", .costAtMost(1.05))
  }
}

/// The time of one object that comes to the head of a view: a hundred in a group commit, then the client's download.
private func secondsPerHead() throws -> Double {
  let fleet = try ViewFleet(tasks: 200_000, owners: 10)
  try fleet.add(#"{"Task":"TRUEPREDICATE SORT(views DESC) LIMIT(50)"}"#)
  var next: Int64 = 200_000
  let batch = 100
  func run() throws {
    var instructions: [Instruction] = []
    for _ in 0..<batch {
      next += 1
      instructions += ViewFleet.task(next, owner: 1)
      instructions.append(ViewFleet.set(next, "views", .int(next)))
    }
    guard try fleet.write([(author: 0, instructions: instructions)]) == 1 else {
      throw BenchmarkFailure("the client was not told")
    }
  }
  for _ in 0..<3 { try run() }
  return try median((0..<7).map { _ in try processorSeconds { for _ in 0..<10 { try run() } } }) / Double(10 * batch)
}

/// The times of a write that all clients see, without and with one among them that does not read any more.
private func secondsBesideStoppedReader() throws -> (alone: Double, beside: Double) {
  let fleets = try (0..<2).map { _ in
    let fleet = try ViewFleet(tasks: 2_000, owners: 10)
    for _ in 0..<100 { try fleet.add(#"{"Task":"owner == 'user 1'"}"#) }
    return fleet
  }
  fleets[1].stop(100)
  var round = 0
  func run(_ number: Int) throws {
    for _ in 0..<50 {
      round += 1
      guard try fleets[number].write([fleets[number].touch(1, round)]) == 100 - number else {
        throw BenchmarkFailure("not all clients were told")
      }
    }
  }
  for _ in 0..<40 { for number in 0..<2 { try run(number) } }
  // By turns, so that what else the machine does meets both.
  var times: [[Double]] = [[], []]
  for _ in 0..<21 { for number in 0..<2 { times[number].append(try processorSeconds { try run(number) } / 50) } }
  return (median(times[0]), median(times[1]) * 100 / 99)
}
