import Foundation
import ObjectServer
import Permissions
import Telemetry
import Transport

/// Memory of a server per idle client. The rival is the allowed amount.
let serverLoadBenchmarks = Suite(prefix: "sync.idle") { report in
  let folder = try ScratchFolder("idle")
  defer { folder.remove() }
  let sessions = Int(environment["SESSIONS"] ?? "") ?? 500
  let connections = Int(environment["CONNECTIONS"] ?? "") ?? 5_000
  if report.wants("sync.idle-session") {
    let bytes = try memoryPerClient(folder, "one", first: "/~/warm", paths: (0..<sessions).map { _ in "/~/one" })
    report.row(
      "sync.idle-session", "\(sessions) idle sessions on one realm, bytes each, of the 8 kB allowed", ours: bytes,
      rival: 8_192, unit: "B", .costAtMost(1))
  }
  if report.wants("sync.idle-realm") {
    let bytes = try memoryPerClient(folder, "many", first: "/~/warm", paths: (0..<sessions).map { "/~/realm\($0)" })
    report.row(
      "sync.idle-realm", "\(sessions) idle sessions on as many realms, bytes each, of the 30 kB allowed", ours: bytes,
      rival: 30_720, unit: "B", .costAtMost(1))
  }
  if report.wants("sync.idle-connections") {
    let server = try ServerProcess(data: folder.url.appendingPathComponent("held"), options: unlimited)
    defer { server.stop() }
    let crowd = try Crowd(port: server.port)
    defer { crowd.leave() }
    try crowd.add(Array(repeating: nil, count: connections), until: .connected)
    sleep(2)
    report.row(
      "sync.idle-connections", "idle connections held, of \(connections)", ours: Double(connections),
      rival: Double(crowd.held), unit: "", .costAtMost(1))
  }
}

/// Start of a server with many realms on disk, of which it opens none. The rival is the allowed time.
let serverStartBenchmark = Suite(prefix: "sync.start") { report in
  let folder = try ScratchFolder("start")
  defer { folder.remove() }
  let count = Int(environment["REALMS"] ?? "") ?? 30_000
  let data = folder.url.appendingPathComponent("data")
  try makeRealms(count, data)
  let start = monotonicSeconds()
  let server = try ServerProcess(data: data)
  let crowd = try Crowd(port: server.port)
  let elapsed = monotonicSeconds() - start
  crowd.leave()
  server.stop()
  report.row(
    "sync.start", "a server with \(count) realms on disk, from its start to the first login, of the 2 s allowed",
    ours: elapsed, rival: 2, unit: "s", .costAtMost(1))
}

private let unlimited = ["--connection-rate", "1000000", "--account-rate", "1000000"]

/// Growth of the server's memory per client, measured after one client made the server allocate what is shared.
private func memoryPerClient(_ folder: ScratchFolder, _ name: String, first: String, paths: [String]) throws -> Double {
  let server = try ServerProcess(data: folder.url.appendingPathComponent(name), options: unlimited)
  defer { server.stop() }
  let crowd = try Crowd(port: server.port)
  defer { crowd.leave() }
  try crowd.add(Array(repeating: first, count: 20), until: .idle)
  sleep(1)
  let before = try residentBytes(of: server.process.processIdentifier)
  try crowd.add(paths, until: .idle)
  sleep(8)
  let after = try residentBytes(of: server.process.processIdentifier)
  return Double(max(0, after - before)) / Double(max(1, paths.count))
}

/// A data directory as a server leaves it, with one real realm and `count` more of the same content.
private func makeRealms(_ count: Int, _ data: URL) throws {
  let server = try ServerProcess(data: data)
  let crowd = try Crowd(port: server.port)
  try crowd.add(["/~/seed"], until: .idle)
  crowd.leave()
  server.stop()
  let named = data.appendingPathComponent("realms/named")
  let owner = try FileManager.default.contentsOfDirectory(atPath: named.path).first { $0.hasSuffix(".d") } ?? ""
  let user = String(owner.dropLast(2))
  let seed = named.appendingPathComponent(owner).appendingPathComponent("seed.realm").path
  for number in 0..<count {
    let name = "r\(number)"
    guard link(seed, named.appendingPathComponent(owner).appendingPathComponent(name + ".realm").path) == 0 else {
      throw BenchmarkFailure("a realm file cannot be made")
    }
  }
  let directory = try SQLiteDirectory(path: data.appendingPathComponent("directory.db").path)
  defer { directory.close() }
  try directory.recordRealms(
    (0..<count).map { try RealmPath("/\(user)/r\($0)") }, createdBy: UserId(user), at: WallTime(secondsSince1970: 0))
}
