import Foundation
import RealmSwift

/// Nodes as programs over PostgreSQL beside one embedded server: uploads, processor time, and a client that stands still.
let clusterProgramBenchmarks = Suite(prefix: "cluster.") { report in
  let (clients, transactions) = (Int(environment["CLIENTS"] ?? "") ?? 12, Int(environment["TRANSACTIONS"] ?? "") ?? 250)
  let load = CrowdLoad(clients: clients, transactions: transactions)
  if report.wants("cluster.uploads") {
    let (node, alone) = try secondsOfUploads(load)
    report.row(
      "cluster.uploads",
      "\(clients) clients of \(transactions) transactions over PostgreSQL, beside an embedded server",
      ours: median(node), rival: median(alone), unit: "s", .gainAtLeast(0.7))
  }
  if report.wants("cluster.processor") {
    var one: Double?
    for count in 1...3 {
      let time = try processorSecondsPerCommit(load, nodes: count)
      report.row(
        "cluster.processor-\(count)", "processor time of a commit, PostgreSQL with it; nodes: \(count), beside one",
        ours: time,
        rival: one ?? time, unit: "s")
      one = one ?? time
    }
  }
  if report.wants("cluster.stopped") {
    let (beside, alone) = try secondsBesideStoppedFollower(load)
    report.row(
      "cluster.stopped", "uploads over two nodes, beside a follower that stands still", ours: median(beside),
      rival: median(alone), unit: "s", .costAtMost(1.05))
  }
}

/// Clients that write at the same time.
private struct CrowdLoad {
  var clients: Int
  var transactions: Int
  var commits: Int { clients * transactions }

  /// Seconds until all of a crowd's writes are everywhere.
  func seconds(ports: [Int], path: String, isShared: Bool, in folder: URL) throws -> Double {
    let people = (0..<clients).map { PersonValues.make(transactions, from: $0 * transactions) }
    return try SyncedCrowd(clients, ports: ports, path: path, isShared: isShared, in: folder)
      .secondsToConverge(writing: people)
  }
}

/// Rounds of one and the other in turn.
private func secondsOfUploads(_ load: CrowdLoad) throws -> (node: [Double], alone: [Double]) {
  let folder = try ScratchFolder("cluster-uploads")
  defer { folder.remove() }
  let fleet = try NodeFleet(1, in: folder.url.appendingPathComponent("cluster"))
  defer { fleet.stop() }
  let server = try ServerProcess(data: folder.url.appendingPathComponent("embedded"))
  defer { server.stop() }
  var (node, alone): ([Double], [Double]) = ([], [])
  for round in 1...5 {
    let path = "round\(round)"
    node.append(
      try load.seconds(
        ports: fleet.livePorts, path: path, isShared: true, in: folder.url.appendingPathComponent("over-\(round)")))
    alone.append(
      try load.seconds(
        ports: [server.port], path: path, isShared: true, in: folder.url.appendingPathComponent("beside-\(round)")))
  }
  return (node, alone)
}

/// Clients with a realm each, spread over the nodes: with more than one, some are passed on.
private func processorSecondsPerCommit(_ load: CrowdLoad, nodes: Int) throws -> Double {
  let folder = try ScratchFolder("cluster-processor")
  defer { folder.remove() }
  let fleet = try NodeFleet(nodes, in: folder.url.appendingPathComponent("cluster"))
  defer { fleet.stop() }
  // The realms are at other nodes than their clients: the first round opens them through the nodes in another order.
  let ports = fleet.livePorts
  let devices = folder.url.appendingPathComponent("devices")
  _ = try SyncedCrowd(
    load.clients, ports: Array(ports.dropFirst() + ports.prefix(1)), path: "own", isShared: false,
    in: folder.url.appendingPathComponent("first"))
  let before = try fleet.processorSeconds()
  _ = try load.seconds(ports: ports, path: "own", isShared: false, in: devices)
  return (try fleet.processorSeconds() - before) / Double(load.commits)
}

private func secondsBesideStoppedFollower(_ load: CrowdLoad) throws -> (beside: [Double], alone: [Double]) {
  let folder = try ScratchFolder("cluster-stopped")
  defer { folder.remove() }
  let fleet = try NodeFleet(2, in: folder.url.appendingPathComponent("cluster"))
  defer { fleet.stop() }
  var (beside, alone): ([Double], [Double]) = ([], [])
  for round in 1...10 {
    let path = "round\(round)"
    let isBeside = round.isMultiple(of: 2)
    let follower =
      isBeside
      ? try Follower(port: try fleet.port("b"), data: folder.url.appendingPathComponent("follower\(round)"), path: path)
      : nil
    if let follower { kill(follower.process.processIdentifier, SIGSTOP) }
    let time = try load.seconds(
      ports: fleet.livePorts, path: path, isShared: true, in: folder.url.appendingPathComponent("devices\(round)"))
    if let follower { kill(follower.process.processIdentifier, SIGKILL) }
    if isBeside { beside.append(time) } else { alone.append(time) }
  }
  return (beside, alone)
}

/// A second process of this program that has a realm open.
private final class Follower: LineProcess {
  init(port: Int, data: URL, path: String) throws {
    try super.init(LineProcess.sibling("Benchmarks"), ["--follow", "\(port)", data.path, path])
    guard try line() == "ready" else { throw BenchmarkFailure("the follower is not ready") }
  }
}

/// The process of a follower.
func follow(port: Int, data: String, path: String) throws -> Never {
  let realm = try openSynced(port: port, data: URL(fileURLWithPath: data), path: path, types: [Person.self])
  try realm.settle(.download)
  say("ready")
  withExtendedLifetime(realm) { RunLoop.main.run() }
  exit(0)
}
