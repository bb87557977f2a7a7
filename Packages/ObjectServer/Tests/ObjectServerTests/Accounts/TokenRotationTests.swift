import AccessTokens
import Cryptography
import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import ServerClusterTestSupport
import Telemetry
import TestKit
import Testing
import Transport

@Suite("rotation of refresh tokens and of their key")
struct TokenRotationTests {
  private static func logIn(_ stage: Stage, _ name: String = "ann") throws -> (access: String, refresh: String) {
    let provider = HTTPTests.app + "/auth/providers/local-userpass"
    _ = try stage.send("POST", provider + "/register", body: #"{"email":"\#(name)","password":"old"}"#)
    let json = try HTTPTests.json(
      try stage.send("POST", provider + "/login", body: #"{"username":"\#(name)","password":"old"}"#))
    return (try #require(json["access_token"] as? String), try #require(json["refresh_token"] as? String))
  }

  /// The answer to a refresh that asks for rotation: the status, and the new refresh token.
  private static func rotate(_ stage: Stage, _ token: String) throws -> (status: Int, refresh: String?) {
    let response = try stage.send(
      "POST", HTTPTests.auth + "/session", bearer: token, body: #"{"rotate":true}"#)
    return (response.status, response.status == 201 ? try HTTPTests.json(response)["refresh_token"] as? String : nil)
  }

  private static func refresh(_ stage: Stage, _ token: String) throws -> Int {
    try stage.send("POST", HTTPTests.auth + "/session", bearer: token).status
  }

  private static func secret(_ token: String) throws -> String? {
    try TokenVerifier.readWithoutVerification(token).secret
  }

  @Test("a stock client goes on with its one refresh token, and is never given another")
  func stock() throws {
    let stage = try Stage()
    let ann = try Self.logIn(stage)
    for _ in 0..<5 {
      let response = try stage.send("POST", HTTPTests.auth + "/session", bearer: ann.refresh)
      #expect(response.status == 201)
      #expect(try HTTPTests.json(response)["refresh_token"] == nil)
      stage.run(.seconds(86_400))
    }
  }

  @Test("an answer that was lost is given again within the grace, and later another that displaces it")
  func lostAnswer() throws {
    let stage = try Stage()
    let first = try Self.logIn(stage).refresh
    let lost = try #require(try Self.rotate(stage, first).refresh)
    #expect(lost != first)
    let again = try #require(try Self.rotate(stage, first).refresh)
    #expect(try Self.secret(again) == Self.secret(lost))
    stage.run(.seconds(3_600))
    let second = try #require(try Self.rotate(stage, first).refresh)
    #expect(try Self.secret(second) != Self.secret(lost))
    #expect(try Self.refresh(stage, second) == 201)
  }

  @Test("a token that was replaced twice, or displaced, ends the login with all its tokens and connections")
  func reuse() throws {
    for isDisplaced in [true, false] {
      let stage = try Stage()
      let ann = try Self.logIn(stage)
      let connection = try stage.connect(ann.access)
      let second = try #require(try Self.rotate(stage, ann.refresh).refresh)
      stage.run(.seconds(120))
      let present = try #require(try Self.rotate(stage, isDisplaced ? ann.refresh : second).refresh)
      #expect(try Self.refresh(stage, isDisplaced ? second : ann.refresh) == 401)
      #expect(try Self.refresh(stage, present) == 401)
      #expect(connection.closeCode == 4001)
    }
  }

  @Test("a client whose answers are lost at any rate is never logged out, whatever it waits", arguments: Seeds.some(10))
  func faults(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let stage = try Stage(seed: seed)
    var held = try Self.logIn(stage).refresh
    for _ in 0..<40 {
      let (status, next) = try Self.rotate(stage, held)
      #expect(status == 201, "SEED=\(seed)")
      // Half of the answers do not arrive.
      if Bool.random(using: &random), let next { held = next }
      stage.run(.seconds(Int.random(in: 0..<200, using: &random)))
    }
  }

  @Test(
    "the directory's file has neither the secret of a refresh token nor one that follows from it",
    .enabled(if: TestStorage.isEmbedded, "reads the directory's own file; the columns are the same in PostgreSQL"))
  func atRest() throws {
    let path = try DirectoryTests.path()
    defer { DirectoryTests.remove(path) }
    let stage = try Stage(directory: try SQLiteDirectory(path: path))
    let first = try Self.logIn(stage).refresh, second = try #require(try Self.rotate(stage, first).refresh)
    stage.stop()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for token in [first, second] {
      let secret = try #require(try TokenVerifier.readWithoutVerification(token).secret)
      #expect(secret.count == 64)
      #expect(bytes.range(of: Data(secret.utf8)) == nil)
      #expect(bytes.range(of: Data(token.utf8)) == nil)
    }
  }

  @Test("after a rotation of the key, access tokens of the old one end with the overlap, and refresh tokens go on")
  func keyRotation() throws {
    let folder = NSTemporaryDirectory() + "openrealm-keys-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let random = RandomSource(SeededGenerator(seed: 1))
    let before = try ServerKeys.load(from: folder, random: random).issuer
    let now = WallTime(secondsSince1970: 1_000_000)
    var claims = TokenClaims(
      kind: .access, user: "ann", app: "", issuedAt: now, expiresAt: now + .seconds(86_400))
    let access = try before.sign(claims)
    claims.kind = .refresh
    let refresh = try before.sign(claims)
    try ServerKeys.rotate(in: folder, random: random, at: now, overlap: .seconds(1_800))
    let after = try ServerKeys.load(from: folder, random: random).issuer
    #expect(before.keyIdentifier != after.keyIdentifier)
    #expect(try JSONWebToken.parseWithoutVerification(after.sign(claims)).header.keyIdentifier == after.keyIdentifier)
    #expect(try after.verifier.verify(access, kind: .access, at: now + .seconds(1_799)).user == "ann")
    #expect(throws: TokenError.self) { try after.verifier.verify(access, kind: .access, at: now + .seconds(1_800)) }
    #expect(try after.verifier.verify(refresh, kind: .refresh, at: now + .seconds(80_000)).user == "ann")
    // Again and again, also within one second: every key that signed stays.
    for _ in 0..<3 { try ServerKeys.rotate(in: folder, random: random, at: now, overlap: .seconds(1_800)) }
    let last = try ServerKeys.load(from: folder, random: random).issuer
    #expect(last.retired.count == 4)
    #expect(try last.verifier.verify(refresh, kind: .refresh, at: now).user == "ann")
  }
}
