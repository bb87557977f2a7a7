import Cryptography
import Foundation
@testable import ObjectServer
import Permissions
import Telemetry
import Testing
import Transport

@Suite("tokens of other systems")
struct ForeignTokenTests {
  static let key = Result { try SigningKey.generateP256() }
  static let otherKey = Result { try SigningKey.generateP256() }

  private static func logIn(_ stage: Stage, _ token: String) throws -> (status: Int, error: String) {
    let response = try stage.send(
      "POST", HTTPTests.app + "/auth/providers/custom-token/login", body: #"{"token":"\#(token)"}"#)
    return (response.status, try HTTPTests.json(response)["error"] as? String ?? "")
  }

  private static func sign(_ claims: String, kid: String? = nil, with key: SigningKey? = nil) throws -> String {
    try JSONWebToken.sign(payload: Array(claims.utf8), with: try key ?? Self.key.get(), keyIdentifier: kid)
  }

  /// The claims of a token; NOW+n becomes a time.
  private static func claims(_ text: String, _ stage: Stage) throws -> String {
    let now = stage.loop.wallTime.secondsSince1970
    return text.replacing(try Regex("NOW([+-][0-9]+)", as: (Substring, Substring).self)) { match in
      "\(now + (Int64(match.output.1) ?? 0))"
    }
  }

  @Test(
    "a token logs in only if it ends, is in force, and is for this server by a maker that counts",
    arguments: [
      // audiences, issuers, claims, the rule that is broken
      ([], [], #"{"sub":"u1","exp":NOW+60}"#, nil),
      ([], [], #"{"sub":"u1"}"#, "no exp"),
      ([], [], #"{"sub":"u1","exp":NOW-1}"#, "expired"),
      ([], [], #"{"sub":"u1","exp":NOW-30}"#, "expired"),
      ([], [], #"{"sub":"u1","exp":NOW+60,"nbf":NOW+30,"iat":NOW+30}"#, nil),
      ([], [], #"{"sub":"u1","exp":NOW+600,"nbf":NOW+300}"#, "from"),
      ([], [], #"{"sub":"u1","exp":NOW+600,"iat":NOW+300}"#, "iat"),
      ([], [], #"{"sub":"u1","exp":NOW+60,"aud":"todo"}"#, "jwt-audience"),
      (["todo"], [], #"{"sub":"u1","exp":NOW+60,"aud":"todo"}"#, nil),
      (["todo", "list"], [], #"{"sub":"u1","exp":NOW+60,"aud":["x","list"]}"#, nil),
      (["todo"], [], #"{"sub":"u1","exp":NOW+60,"aud":"other"}"#, "another audience"),
      (["todo"], [], #"{"sub":"u1","exp":NOW+60,"aud":[]}"#, "another audience"),
      (["todo"], [], #"{"sub":"u1","exp":NOW+60}"#, "another audience"),
      ([], ["https://a/"], #"{"sub":"u1","exp":NOW+60,"iss":"https://a/"}"#, nil),
      ([], ["https://a/"], #"{"sub":"u1","exp":NOW+60,"iss":"https://b/"}"#, "another issuer"),
      ([], ["https://a/"], #"{"sub":"u1","exp":NOW+60}"#, "another issuer"),
      ([], [], #"{"exp":NOW+60}"#, "names no user"),
      ([], [], #"{"sub":"","exp":NOW+60}"#, "names no user"),
      ([], [], #"{"sub":"a\u001b[2J","exp":NOW+60}"#, "names no user"),
      ([], [], #"{"userId":"u2","sub":"u1","exp":NOW+60,"isAdmin":"yes"}"#, nil),
    ] as [([String], [String], String, String?)])
  func rules(audiences: [String], issuers: [String], text: String, flaw: String?) throws {
    let stage = try Stage(foreignKeys: [try Self.key.get().verificationKey]) {
      $0.accounts.foreignTokens.audiences = Set(audiences)
      $0.accounts.foreignTokens.issuers = Set(issuers)
    }
    let (status, error) = try Self.logIn(stage, try Self.sign(try Self.claims(text, stage)))
    #expect(status == (flaw == nil ? 200 : 401), "\(error)")
    #expect(flaw.map { error.contains($0) } ?? error.isEmpty, "\(error)")
  }

  @Test("kid selects the key; a key without one is for every token")
  func keys() throws {
    let (key, other) = (try Self.key.get(), try Self.otherKey.get())
    let named = [key.verificationKey.identified(by: "k1"), other.verificationKey.identified(by: "k2")]
    let rows: [([VerificationKey], String?, SigningKey, Int)] = [
      (named, "k1", key, 200), (named, "k2", other, 200), (named, "k2", key, 401), (named, "k3", key, 401),
      (named, nil, key, 401), ([key.verificationKey], "any", key, 200), ([key.verificationKey], nil, other, 401),
      ([key.verificationKey, other.verificationKey], nil, other, 200),
    ]
    for (index, (keys, kid, signer, status)) in rows.enumerated() {
      let stage = try Stage(foreignKeys: keys)
      let claims = try Self.claims(#"{"sub":"u1","exp":NOW+60}"#, stage)
      #expect(try Self.logIn(stage, try Self.sign(claims, kid: kid, with: signer)).status == status, "row \(index)")
    }
  }

  @Test("the claim userId, else sub, is the identity; the same one is the same user, by the older API as well")
  func identity() throws {
    let stage = try Stage(foreignKeys: [try Self.key.get().verificationKey])
    func user(_ text: String) throws -> String? {
      let token = try Self.sign(try Self.claims(text, stage))
      let response = try stage.send(
        "POST", HTTPTests.app + "/auth/providers/custom-token/login", body: #"{"token":"\#(token)"}"#)
      return try HTTPTests.json(response)["user_id"] as? String
    }
    let ann = try #require(try user(#"{"sub":"ann","exp":NOW+60}"#))
    #expect(ann == "ann", "the identity is the user's id")
    #expect(try user(#"{"sub":"other","userId":"ann","exp":NOW+60}"#) == ann)
    #expect(try user(#"{"sub":"ann","exp":NOW+90,"name":"x"}"#) == ann)
    #expect(try user(#"{"sub":"ben","exp":NOW+60}"#) != ann)
    for (claims, status) in [(#"{"sub":"ann","exp":NOW+60}"#, 200), (#"{"sub":"ann"}"#, 401)] {
      let token = try Self.sign(try Self.claims(claims, stage))
      #expect(try stage.send("POST", "/auth", body: #"{"provider":"jwt","data":"\#(token)"}"#).status == status)
      let bearer = try stage.user("linker\(status)").token
      let link = try stage.send(
        "POST", HTTPTests.app + "/auth/providers/custom-token/login?link=true", bearer: bearer,
        body: #"{"token":"\#(token)"}"#)
      // A good token's identity belongs to ann already.
      #expect(link.status == (status == 200 ? 409 : 400))
    }
  }
}
