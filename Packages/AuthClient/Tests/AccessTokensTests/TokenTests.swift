import AccessTokens
import Cryptography
import Foundation
import Permissions
import Telemetry
import Testing

@Suite("tokens")
struct TokenTests {
  static let now = WallTime(secondsSince1970: 1_800_000_000)

  static func claims(_ kind: TokenKind = .access) -> TokenClaims {
    TokenClaims(
      kind: kind, user: "65a1", app: "todo", login: "s1", issuedAt: now, expiresAt: now + .seconds(1_800),
      isAdministrator: true, path: "/65a1/todo", level: .write)
  }

  static func keys() throws -> [SigningKey] {
    [try .sharedSecret(Array(repeating: 7, count: 32)), try .generateRSA()]
  }

  @Test("a token comes back as it was signed, with HS256 and with RS256")
  func roundTrip() throws {
    for key in try Self.keys() {
      for kind in [TokenKind.access, .refresh] {
        let issuer = TokenIssuer(key: key)
        let text = try issuer.sign(Self.claims(kind))
        #expect(try issuer.verifier.verify(text, kind: kind, at: Self.now) == Self.claims(kind))
        #expect(try TokenVerifier.readWithoutVerification(text) == Self.claims(kind))
      }
    }
  }

  @Test("the claims are those that stock clients and sync servers read")
  func wireNames() throws {
    let text = try TokenIssuer(key: try #require(try Self.keys().first)).sign(Self.claims())
    let payload = text.split(separator: ".")[1]
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(Base64.url.decode(payload))) as? [String: Any])
    #expect(json["typ"] as? String == "access")
    #expect(json["sub"] as? String == "65a1")
    #expect(json["aud"] as? String == "todo")
    #expect(json["exp"] as? Int == 1_800_001_800)
    #expect(json["iat"] as? Int == 1_800_000_000)
    #expect(json["isAdmin"] as? Bool == true)
    #expect(json["path"] as? String == "/65a1/todo")
    #expect(json["access"] as? [String] == ["download", "upload"])
  }

  @Test("a refused token gives the reason")
  func refusals() throws {
    let keys = try Self.keys()
    let issuer = TokenIssuer(key: keys[0])
    let access = try issuer.sign(Self.claims())
    func code(
      _ text: String, _ kind: TokenKind = .access, at time: WallTime = TokenTests.now, by key: SigningKey? = nil
    ) -> TokenError.Code? {
      do throws(TokenError) {
        _ = try TokenVerifier(keys: [(key ?? keys[0]).verificationKey]).verify(text, kind: kind, at: time)
        return nil
      } catch { return error.code }
    }
    #expect(code(access) == nil)
    #expect(code(access, at: Self.now + .seconds(1_800)) == .expired)
    #expect(code(access, at: Self.now + .seconds(1_799)) == nil)
    #expect(code(access, .refresh) == .wrongKind)
    #expect(code(access, by: keys[1]) == .invalid)
    #expect(code("") == .invalid)
    #expect(code("a.b.c") == .invalid)
    #expect(code(access + "x") == .invalid)
    let parts = access.split(separator: ".")
    let forged = Base64.url.encode(
      Array(#"{"sub":"root","iat":1,"exp":99999999999,"isAdmin":true,"typ":"access"}"#.utf8))
    #expect(code("\(parts[0]).\(forged).\(parts[2])") == .invalid)
    let none = Base64.url.encode(Array(#"{"alg":"none"}"#.utf8))
    #expect(code("\(none).\(forged).") == .invalid)
  }

  @Test("a token that claims no administrator is none, and one without rights is bounded by nothing else")
  func foreignTokens() throws {
    let key = try #require(try Self.keys().first)
    func claims(_ json: String) throws -> TokenClaims {
      let text = try JSONWebToken.sign(payload: Array(json.utf8), with: key)
      return try TokenIssuer(key: key).verifier.verify(text, kind: .access, at: Self.now)
    }
    let plain = try claims(#"{"sub":"ann","iat":1,"exp":1900000000}"#)
    #expect(!plain.isAdministrator)
    #expect(plain.level == .admin)
    #expect(plain.path == nil)
    #expect(try claims(#"{"sub":"ann","iat":1,"exp":1900000000,"access":[]}"#).level == .none)
    #expect(try claims(#"{"sub":"ann","iat":1,"exp":1900000000,"access":["upload","manage"]}"#).level == .none)
    #expect(
      try claims(#"{"sub":"ann","iat":1,"exp":1900000000,"access":["download","upload","manage"]}"#).level == .admin)
    #expect(throws: TokenError.self) { try claims(#"{"sub":"","iat":1,"exp":1900000000}"#) }
    #expect(throws: TokenError.self) { try claims(#"{"iat":1,"exp":1900000000}"#) }
  }
}
