import Foundation
import ObjectServer
import Permissions
import Telemetry

/// The list of realms of a server with 30,000 of them, as Studio asks for it over HTTP: the last 1,000 have files that are looked into.
let studioRealmsBenchmarks = Suite(prefix: "studio.realms") { report in
  guard report.wants("studio.realms") else { return }
  let folder = try ScratchFolder("studio-realms")
  defer { folder.remove() }
  let server = try RealmListServer(
    realms: Int(environment["REALMS"] ?? "") ?? 30_000, folder.url.appendingPathComponent("data"))
  defer { server.stop() }
  report.row(
    "studio.realms-first", "the first page, 40 of 30,000 realms",
    ours: try medianSeconds(of: 31) { try server.list("") }, rival: nil, unit: "s", .atMost(0.15))
  report.row(
    "studio.realms-anywhere", "40 realms with files, at any place of the list",
    ours: try medianSeconds(of: 51) {
      try server.list("&skip=\(server.count - .random(in: 100...RealmListServer.files))")
    }, rival: nil, unit: "s", .atMost(0.1))
  report.row(
    "studio.realms-search", "the 10 realms whose paths have a part",
    ours: try medianSeconds(of: 51) { try server.list("&search=" + server.part(.random(in: 1...100))) },
    rival: nil, unit: "s", .atMost(0.1))
}

/// A server with many realms, of which the last ones have files.
private final class RealmListServer {
  /// The realms that have files.
  static let files = 1_000
  let count: Int
  private let server: ServerProcess
  private let caller: HTTPCaller
  private let administrator: String

  init(realms: Int, _ data: URL) throws {
    count = realms
    try Self.makeDirectory(realms - Self.files, data)
    server = try ServerProcess(data: data, options: ["--connection-rate", "1000000"])
    caller = HTTPCaller(port: server.port)
    struct Content: Decodable { var ADMIN_TOKEN: String }
    let file = try Data(contentsOf: data.appendingPathComponent("keys/admin.json"))
    administrator = try JSONDecoder().decode(Content.self, from: file).ADMIN_TOKEN
    for number in realms - Self.files..<realms {
      consume(
        try caller.send(
          "POST", "/api/openrealm/v1/admin/realms", bearer: administrator, body: #"{"path":"\#(Self.path(number))"}"#))
    }
  }

  func stop() { server.stop() }

  /// The numbers grow in order of the paths.
  private static func path(_ number: Int) -> String { "/realm-\(10_000_000 + number)" }

  /// A directory with the realms. It is made in memory, so that it need not be flushed for each, and copied.
  private static func makeDirectory(_ count: Int, _ data: URL) throws {
    let place = URL(fileURLWithPath: "/dev/shm/openrealm-bench-realms-\(getpid())")
    defer { try? FileManager.default.removeItem(at: place) }
    try FileManager.default.createDirectory(
      at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let directory = try SQLiteDirectory(path: place.appendingPathComponent("directory.db").path)
    for number in 0..<count {
      _ = try directory.recordRealm(
        try RealmPath(path(number)), createdBy: "bench", at: WallTime(secondsSince1970: 1_700_000_000))
    }
    directory.close()
    try FileManager.default.copyItem(at: place, to: data)
  }

  /// A part of the paths of 10 realms that have files.
  func part(_ number: Int) -> String { "-\(1_000_000 + count / 10 - number)" }

  /// One page of the list.
  func list(_ query: String) throws {
    let body = try caller.send(
      "GET", "/api/openrealm/v1/admin/realms?limit=40\(query)", bearer: administrator)
    struct Page: Decodable {
      struct Realm: Decodable { var path: String }
      var realms: [Realm]
    }
    guard try !JSONDecoder().decode(Page.self, from: Data(body)).realms.isEmpty else {
      throw BenchmarkFailure("the list of realms is empty")
    }
  }
}
