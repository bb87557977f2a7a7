import Foundation
import ObjectStore
import SyncClient
import TestKit
import Testing

class Coupon: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted var status: String
}

class CouponCount: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var count: Int
}

/// A user's device with a wallet.
struct Device: Sendable {
  let configuration: Realm.Configuration

  /// Logs a new user in.
  init(_ name: String, _ server: URL, in folder: String) async throws {
    let manager = SyncManager(rootDirectory: URL(fileURLWithPath: folder + "/" + name))
    manager.logLevel = .off
    let user = try await SyncUser.logIn(
      with: .usernamePassword(username: name, password: "a long secret", register: true), server: server,
      manager: manager)
    var configuration = user.configuration(
      realmURL: URL(string: "realm://127.0.0.1:\(server.port ?? 0)/~/wallet"), fullSynchronization: true)
    configuration.objectTypes = [Coupon.self, CouponCount.self]
    self.configuration = configuration
  }

  /// Puts a coupon into the wallet.
  func add(_ code: String) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Coupon.self, value: ["code": code, "status": ""]) }
  }

  /// The coupons that are checked rightly, those that are not checked, and the count of the handlers.
  func state() throws -> (right: Int, unchecked: Int, count: Int) {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    let coupons = realm.objects(Coupon.self)
    let right = coupons.filter { $0.status == ($0.code.hasPrefix("WELCOME") ? "valid" : "unknown") }.count
    return (
      right, coupons.filter { $0.status.isEmpty }.count,
      realm.object(ofType: CouponCount.self, forPrimaryKey: 0)?.count ?? 0
    )
  }
}

@Suite("handlers in processes that are killed", .serialized)
struct KilledHandlersTests {
  @Test("killed again and again, handlers and server check every coupon, and count each once")
  func killed() async throws {
    let rounds = Int(ProcessInfo.processInfo.environment["RUNS"] ?? "") ?? 4
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coupons-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let secret = "a long secret"
    let rules = ["REALM_OBJECT_SERVER_MINIMUM_PASSWORD": "1", "REALM_OBJECT_SERVER_NO_FIRST_ADMINISTRATOR": "true"]
    let tool = Program("realm-object-server", ["users", "create"], environment: rules)
    let added = try await tool.run(["realm-admin", "--admin", "--data", folder + "/data"], input: secret + "\n")
    try #require(added == 0)
    func serve(_ port: Int) async throws -> (program: Program, port: Int) {
      let program = Program(
        "realm-object-server", ["--port", "\(port)", "--data", folder + "/data", "--log-level", "error"],
        environment: rules)
      let line = try await program.startAndRead()
      let url = try #require(line.firstMatch(of: /http:..[^,"]*:([0-9]+)/))
      return (program, try #require(Int(url.output.1)))
    }
    var (server, port) = try await serve(0)
    let address = try #require(URL(string: "http://127.0.0.1:\(port)"))
    let handlers = ["one", "two"].map { name in
      Program(
        "coupon-handler", ["--server", address.absoluteString, "--data", folder + "/" + name],
        environment: ["REALM_PASSWORD": secret])
    }
    // A handler of a new name begins with what comes.
    for handler in handlers { #expect(try await handler.startAndRead().hasPrefix("checking")) }
    defer { for program in handlers + [server] { program.killAtOnce() } }
    var devices: [Device] = []
    for name in ["ann", "bob"] { devices.append(try await Device(name, address, in: folder)) }

    var counts = [0, 0]
    for _ in 0..<rounds {
      for _ in 0..<Int.random(in: 4...12) {
        let owner = Int.random(in: 0..<devices.count)
        try devices[owner].add("\(Bool.random() ? "WELCOME" : "NEVER")-\(counts[owner])")
        counts[owner] += 1
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...20)))
      }
      let victim = Int.random(in: 0...2)
      if victim < handlers.count {
        try await handlers[victim].kill()
      } else {
        try await server.kill()
        (server, port) = try await serve(port)
      }
      // A handler that began while there was no server has ended.
      for handler in handlers where !handler.isRunning { try handler.start() }
    }
    for (device, count) in zip(devices, counts) {
      try await eventually("every coupon", within: .seconds(120)) {
        for handler in handlers where !handler.isRunning { try handler.start() }
        let state = try device.state()
        return state.right == count && state.count >= count
      }
      let state = try device.state()
      #expect(state.unchecked == 0)
      #expect(state.count == count, "each coupon is counted once")
    }
  }
}
