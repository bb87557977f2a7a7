import Cryptography
import Foundation
import ObjectServer
import Permissions
import Telemetry
import TestKit

/// Logins, refreshes and pages of users of a real server over HTTP, with 100,000 users beside one with 100.
let authServerBenchmarks = Suite(prefix: "auth.server-") { report in
  let folder = try ScratchFolder("auth")
  defer { folder.remove() }
  let count = Int(environment["USERS"] ?? "") ?? 100_000
  let few = try UserServer(users: 100, folder.url.appendingPathComponent("few"))
  defer { few.stop() }
  if report.wants("auth.server-login-rate") || report.wants("auth.server-refresh") {
    let hash =
      try processorSeconds { for number in 0..<10 { _ = try PasswordHasher().hash("password \(number)") } } / 10
    let login = try few.processorSeconds(of: 30) { number in try few.logIn(number) }
    report.row(
      "auth.server-login-rate", "processor time of a login by password, beside its scrypt alone (ln=15)", ours: login,
      rival: hash, unit: "s", .costAtMost(1.25))
    report.row("auth.server-logins", "logins per second and core", ours: 1 / login, rival: nil, unit: "/s")
    let refresh = try few.refreshToken(1)
    let plain = try few.processorSeconds(of: 3_000) { _ in try few.refresh(refresh) }
    report.row("auth.server-refreshes", "refreshes per second and core", ours: 1 / plain, rival: nil, unit: "/s")
    var present = refresh
    let rotating = try few.processorSeconds(of: 1_000) { _ in present = try few.rotate(present) }
    report.row(
      "auth.server-rotations", "refreshes with a new refresh token, per second and core", ours: 1 / rotating,
      rival: nil,
      unit: "/s")
  }
  guard report.wants("auth.server-100k") else { return }
  let many = try UserServer(users: count, folder.url.appendingPathComponent("many"))
  defer { many.stop() }
  let logins = try medians(of: 31) {
    try many.logIn(.random(in: 0..<count))
  } rival: {
    try few.logIn(.random(in: 0..<100))
  }
  report.row(
    "auth.server-100k-login", "a login with 100,000 users, beside one with 100", ours: logins.ours, rival: logins.rival,
    unit: "s", .costAtMost(2))
  let pages = try medians(of: 201) {
    try many.page(after: .random(in: 0..<count - 50))
  } rival: {
    try few.page(after: .random(in: 0..<50))
  }
  report.row(
    "auth.server-100k-page", "a page of 50 users out of 100,000, beside one out of 100", ours: pages.ours,
    rival: pages.rival, unit: "s", .costAtMost(2))
  let searches = try medians(of: 15) {
    try many.search("user-\(Int.random(in: 0..<count))@")
  } rival: {
    try few.search("user-\(Int.random(in: 0..<100))@")
  }
  report.row(
    "auth.server-100k-search", "users whose name contains a text, out of 100,000, of the 0.1 s allowed",
    ours: searches.ours, rival: searches.rival, unit: "s", .atMost(0.1))
  report.row(
    "auth.server-100k-memory", "memory of the server with 100,000 users, beside one with 100",
    ours: try Double(residentBytes(of: many.process)) / 1_048_576,
    rival: try Double(residentBytes(of: few.process)) / 1_048_576, unit: "MiB", .costAtMost(2))
}

/// A server with users of one password.
private final class UserServer {
  private static let password = "bench-password"
  private let server: ServerProcess
  private let caller: HTTPCaller
  private let administrator: String

  var process: Int32 { server.process.processIdentifier }

  init(users: Int, _ data: URL) throws {
    try Self.makeUsers(users, data)
    server = try ServerProcess(data: data, options: ["--connection-rate", "1000000"])
    caller = HTTPCaller(port: server.port)
    struct Content: Decodable { var ADMIN_TOKEN: String }
    let file = try Data(contentsOf: data.appendingPathComponent("keys/admin.json"))
    administrator = try JSONDecoder().decode(Content.self, from: file).ADMIN_TOKEN
    // The memory of a first login and a first page is no user's.
    try logIn(0)
    try page(after: 0)
  }

  func stop() { server.stop() }

  private static func name(_ number: Int) -> String { "user-\(number)@example.org" }
  private static func id(_ number: Int) -> UserId { UserId("65a1b2c3d4e5f607" + String(number + 10_000_000)) }

  /// A directory with the users. It is made in memory, so that it need not be flushed for each user, and copied.
  private static func makeUsers(_ count: Int, _ data: URL) throws {
    let place = URL(fileURLWithPath: "/dev/shm/openrealm-bench-users-\(getpid())-\(count)")
    defer { try? FileManager.default.removeItem(at: place) }
    try FileManager.default.createDirectory(
      at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let directory = try SQLiteDirectory(path: place.appendingPathComponent("directory.db").path)
    let hash = try PasswordHasher().hash(password)
    for number in 0..<count {
      let user = UserRecord(id: id(number), createdAt: WallTime(secondsSince1970: 1_700_000_000))
      let identity = IdentityRecord(
        provider: "local-userpass", name: name(number), user: user.id, passwordHash: hash)
      guard try directory.createUser(user, identity: identity) else { throw BenchmarkFailure("a user is there twice") }
    }
    directory.close()
    try FileManager.default.copyItem(at: place, to: data)
  }

  private struct Tokens: Decodable {
    var access_token: String
    var refresh_token: String?
  }

  private func decoded(_ bytes: [UInt8]) throws -> Tokens { try JSONDecoder().decode(Tokens.self, from: Data(bytes)) }

  private func login(_ number: Int) throws -> [UInt8] {
    try caller.send(
      "POST", "/api/client/v2.0/app/bench/auth/providers/local-userpass/login",
      body: #"{"username":"\#(Self.name(number))","password":"\#(Self.password)"}"#)
  }

  func logIn(_ number: Int) throws { consume(try login(number)) }

  func refreshToken(_ number: Int) throws -> String {
    guard let token = try decoded(login(number)).refresh_token else { throw BenchmarkFailure("no refresh token") }
    return token
  }

  func refresh(_ token: String) throws {
    consume(try caller.send("POST", "/api/client/v2.0/auth/session", bearer: token))
  }

  /// The refresh token that replaces another one.
  func rotate(_ token: String) throws -> String {
    let body = try caller.send("POST", "/api/client/v2.0/auth/session", bearer: token, body: #"{"rotate":true}"#)
    guard let next = try decoded(body).refresh_token else { throw BenchmarkFailure("no refresh token") }
    return next
  }

  func page(after number: Int) throws {
    let path = "/api/openrealm/v1/admin/users?limit=50&after=\(Self.id(number).rawValue)"
    consume(try caller.send("GET", path, bearer: administrator))
  }

  func search(_ text: String) throws {
    let path = "/api/openrealm/v1/admin/users?limit=50&search=\(text.replacingOccurrences(of: "@", with: "%40"))"
    let found = String(decoding: try caller.send("GET", path, bearer: administrator), as: UTF8.self)
    guard found.contains(text) else { throw BenchmarkFailure("'\(text)' was not found") }
  }

  /// Processor time of the server for each of some calls.
  func processorSeconds(of calls: Int, _ call: (Int) throws -> Void) throws -> Double {
    let before = try Benchmarks.processorSeconds(of: process)
    for number in 0..<calls { try call(number % 100) }
    return (try Benchmarks.processorSeconds(of: process) - before) / Double(calls)
  }
}
