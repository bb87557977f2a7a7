import DataModel
import Foundation
import ObjectServer
import Permissions
import PostgresClient
import RecordStore
import ServerCluster
import Telemetry
import TestKit

/// A node of a cluster beside an embedded server, both durable: commits of a realm, and realms that change hands.
let clusterBenchmarks = Suite(prefix: "cluster.") { report in
  guard report.wants("cluster.") else { return }
  let commits = 1_000
  let work = try ClusterWorkload()
  defer { work.remove() }
  if report.wants("cluster.commit") {
    let node = try work.secondsToCommit(commits, in: work.node.stores, of: "/ann/cluster")
    let alone = try work.secondsToCommit(commits, in: work.embedded, of: "/ann/embedded")
    let database = try work.secondsOfDatabase(commits)
    report.row(
      "cluster.commit-1k", "1,000 commits of a realm over PostgreSQL, beside those of an embedded server", ours: node,
      rival: alone, unit: "s", .gainAtLeast(0.7))
    report.row(
      "cluster.commit-limit", "the same beside as many commits of PostgreSQL alone, which is the limit", ours: node,
      rival: database, unit: "s", .gainAtLeast(0.7))
  }
  if report.wants("cluster.take") {
    let times = try work.secondsToTake(100)
    report.row(
      "cluster.take",
      "a realm of 1,000 objects whose owner left, until another node without files can write it, median",
      ours: median(times), rival: nil, unit: "s")
    report.row("cluster.take-worst", "the same, the worst of 100", ours: times.max() ?? 0, rival: nil, unit: "s")
    try work.record(realms: 100_000)
    report.row(
      "cluster.take-100k", "the same beside 100,000 realms on record, beside none",
      ours: median(try work.secondsToTake(100)), rival: median(times), unit: "s", .costAtMost(1.5))
  }
  if report.wants("cluster.place") {
    let paths = try (0..<100_000).map { try RealmPath("/user\($0)/private") }
    let time = seconds { for path in paths { _ = work.node.ownership.place(of: path) } } / 100_000
    report.row(
      "cluster.place-100k", "the place of a realm, of 100,000", ours: time, rival: nil, unit: "s", .atMost(20e-6))
  }
}

/// A PostgreSQL of this machine with a node of a cluster, and an embedded server.
private final class ClusterWorkload {
  struct Node {
    let ownership: ShardOwnership
    let stores: EmbeddedHistories
  }

  private let postgres: PostgreSQLServer
  private let folder: ScratchFolder
  private let address: String
  let node: Node
  let embedded: EmbeddedHistories
  private var series = 0
  private static let schema = Schema([
    ObjectSchema(
      className: "Note", primaryKey: "id",
      properties: [Property(name: "id", type: .int), Property(name: "text", type: .string)])
  ])

  init() throws {
    postgres = try PostgreSQLServer()
    folder = try ScratchFolder("cluster-\(UUID().uuidString)")
    let parameters = postgres.parameters
    address = "postgresql://bench@127.0.0.1:\(parameters["port"] ?? "5432")/postgres"
    for _ in 0..<500 where (try? PostgresConnection(parameters)) == nil { Thread.sleep(forTimeInterval: 0.02) }
    node = try Self.node("a", address, folder)
    embedded = EmbeddedHistories(
      .folder(folder.url.appendingPathComponent("embedded").path), random: RandomSource(SeededGenerator(seed: 1)))
  }

  func remove() {
    node.ownership.close()
    postgres.stop()
  }

  private static func node(_ name: String, _ address: String, _ folder: ScratchFolder) throws -> Node {
    let database = try ClusterDatabase(address)
    let ownership = try ShardOwnership(
      ClusterNode(name: name, address: "http://127.0.0.1:1"), database, peerKey: [UInt8](repeating: 1, count: 32))
    return Node(
      ownership: ownership,
      stores: EmbeddedHistories(
        .folder(folder.url.appendingPathComponent(name).path), random: RandomSource(SeededGenerator(seed: 1)),
        isDurable: false, record: PostgresRecord(database, ownership)))
  }

  private static func open(_ path: RealmPath, _ stores: EmbeddedHistories) throws -> ServerHistory {
    let store = try stores.open(path, isNew: true)
    defer { store.close() }
    guard let history = try stores.history(of: path) else { throw BenchmarkFailure("the realm is not there") }
    return history
  }

  private static func write(_ key: Int, _ history: ServerHistory) throws {
    try history.file.edit { editor in
      try editor.addClasses(schema)
      let note = ObjectReference(className: "Note", key: .int(Int64(key)))
      _ = try editor.create(note)
      try editor.set(["text": .value(.string("note \(key)"))], of: note)
    }
  }

  func secondsToCommit(_ count: Int, in stores: EmbeddedHistories, of path: String) throws -> Double {
    let history = try Self.open(try RealmPath(path), stores)
    try Self.write(0, history)
    return try seconds { for key in 1...count { try Self.write(key, history) } }
  }

  /// Commits of rows of a kilobyte and a half, about as long as the record of a small commit.
  func secondsOfDatabase(_ count: Int) throws -> Double {
    let connection = try PostgresConnection(postgres.parameters)
    try connection.query("CREATE TABLE plain(number bigint PRIMARY KEY, content bytea)")
    let content = [UInt8](repeating: 7, count: 1_500)
    return try seconds {
      for number in 0..<count {
        try connection.query(
          "INSERT INTO plain VALUES ($1, $2)", parameters: [.integer(Int64(number)), .bytes(content)])
      }
    }
  }

  /// Records realms that nobody has written to yet, in all shards.
  func record(realms count: Int) throws {
    let connection = try PostgresConnection(postgres.parameters)
    for start in stride(from: 0, to: count, by: 1_000) {
      let rows = try (start..<min(start + 1_000, count)).map { number in
        let path = try RealmPath("/user\(number)/private")
        return "('\(path)', \(ShardNumber(of: path).rawValue))"
      }
      try connection.query("INSERT INTO openrealm.realm(path, shard) VALUES \(rows.joined(separator: ","))")
    }
    try connection.query("ANALYZE openrealm.realm")
  }

  /// Nodes that come and go, each of which takes the realm of the one before and writes to it.
  func secondsToTake(_ count: Int) throws -> [Double] {
    series += 1
    let path = try RealmPath("/ann/taken\(series)")
    var times: [Double] = []
    // The first series ends the node of the other rows: one that stays would take what is left behind.
    var before = series == 1 ? node : try Self.node("taker\(series)", address, folder)
    let history = try Self.open(path, before.stores)
    for key in 0..<1_000 where key % 10 == 0 {
      try history.file.edit { editor in
        try editor.addClasses(Self.schema)
        for number in key..<key + 10 {
          _ = try editor.create(ObjectReference(className: "Note", key: .int(Int64(number))))
        }
      }
    }
    for number in 0..<count {
      let next = try Self.node("taker\(series)-\(number)", address, folder)
      before.ownership.close()
      times.append(try seconds { try Self.write(2_000 + number, try Self.open(path, next.stores)) })
      before = next
    }
    before.ownership.close()
    return times
  }
}
