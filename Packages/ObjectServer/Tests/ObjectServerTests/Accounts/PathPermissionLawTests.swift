import AccessTokens
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import ServerClusterTestSupport
import Telemetry
import TestKit
import Testing

/// Permissions of paths: the directory and the rules together, against one plain function.
@Suite("permissions of paths")
struct PathPermissionLawTests {
  /// A server's users, realms and grants as texts; levels are 0 to 3.
  struct World {
    var administrators: Set<String> = []
    var realms: Set<String> = []
    var grants: [String: [String: Int]] = [:]
    var renamed: [String: String] = [:]
    var partitionLevel = 0
    var appLevel = 2
  }

  /// The documented rules, without any of the product's types.
  static func level(_ world: World, _ user: String, _ path: String, token: (path: String?, level: Int)) -> Int {
    if let only = token.path, only != path { return 0 }
    return min(token.level, untokened(world, user, path))
  }

  private static func untokened(_ world: World, _ user: String, _ path: String) -> Int {
    if world.administrators.contains(user) { return 3 }
    var place = path
    if let view = path.firstRange(of: "/__partial/") {
      guard path[view.upperBound...].hasPrefix(user + "/") else { return 0 }
      place = String(path[..<view.lowerBound])
    }
    if place.hasPrefix("/\(user)/") || place == "\"\(user)\"" { return 3 }
    let present = path == place ? place : world.renamed[place] ?? place
    for grantee in [user, "*"] {
      let levels = Set([path, present]).compactMap { world.grants[$0]?[grantee] }
      if let level = levels.max() { return level }
    }
    if place.hasPrefix("\"") || place == "null" { return world.partitionLevel }
    if place == "/default" { return world.appLevel }
    let isAtRoot = !place.dropFirst().contains("/") && !place.hasPrefix("/__")
    return isAtRoot && world.realms.contains(present) ? 1 : 0
  }

  private static let users = ["ann", "ben", "cid"]
  private static let places = [
    "/ann/a", "/ann/b", "/ben/a/deep", "/news", "/default", "/__system", "/__system/x", "\"ann\"", "\"team\"", "null",
  ]
  private static let views = ["/ann/a/__partial/ben/v", "/news/__partial/ann/v", "/default/__partial/ben/v"]

  @Test("directory and rules decide as the documented rules do, in every random world")
  func law() throws {
    let (seed, runs) = (Seeds.seed ?? 20_261_128, Seeds.runs ?? (TestStorage.isEmbedded ? 2_000 : 100))
    var random = SeededGenerator(seed: seed)
    for run in 0..<runs {
      var world = World()
      let directory = try TestStorage.directory()
      let now = WallTime(secondsSince1970: 1)
      for user in Self.users where Int.random(in: 0..<6, using: &random) == 0 { world.administrators.insert(user) }
      world.partitionLevel = Int.random(in: 0...2, using: &random)
      world.appLevel = Int.random(in: 0...2, using: &random)
      for path in Self.places + Self.views where Bool.random(using: &random) {
        world.realms.insert(path)
        _ = try directory.recordRealm(try RealmPath(path), createdBy: "ann", at: now)
      }
      for _ in 0..<Int.random(in: 0..<8, using: &random) {
        let path = (Self.places + Self.views).randomElement(using: &random) ?? "/news"
        let grantee = (Self.users + ["*"]).randomElement(using: &random) ?? "*"
        let level = Int.random(in: 0...3, using: &random)
        world.grants[path, default: [:]][grantee] = level == 0 ? nil : level
        try directory.setGrant(
          Grant(
            path: try RealmPath(path), grantee: Grantee(grantee), level: AccessLevel(rawValue: UInt(level)) ?? .none))
      }
      if Int.random(in: 0..<4, using: &random) == 0, world.realms.contains("/ann/a"), !world.realms.contains("/ann/b") {
        world.grants["/ann/b"] = world.grants["/ann/a"]
        world.grants["/ann/a"] = nil
        world.realms.insert("/ann/b")
        world.realms.remove("/ann/a")
        world.renamed["/ann/a"] = "/ann/b"
        _ = try directory.renameRealm(try RealmPath("/ann/a"), to: try RealmPath("/ann/b"))
      }
      let rules = AccessRules(
        partitionLevel: AccessLevel(rawValue: UInt(world.partitionLevel)) ?? .none,
        appLevel: AccessLevel(rawValue: UInt(world.appLevel)) ?? .none)
      let user = Self.users.randomElement(using: &random) ?? "ann"
      let path = (Self.places + Self.views).randomElement(using: &random) ?? "/news"
      let token = (
        path: Int.random(in: 0..<4, using: &random) == 0 ? Self.places.randomElement(using: &random) : nil,
        level: Bool.random(using: &random) ? 3 : Int.random(in: 0...3, using: &random)
      )
      let subject = AccessSubject(
        user: UserId(user), isAdministrator: world.administrators.contains(user),
        tokenPath: try token.path.map { try RealmPath($0) },
        tokenLevel: AccessLevel(rawValue: UInt(token.level)) ?? .none)
      let facts = try directory.facts(of: try RealmPath(path))
      let found = Int(rules.decide(subject, wants: .read, of: facts).level.rawValue)
      let expected = Self.level(world, user, path, token: token)
      #expect(found == expected, "SEED=\(seed) run \(run): \(user) at \(path) with \(token) in \(world)")
    }
  }
}
