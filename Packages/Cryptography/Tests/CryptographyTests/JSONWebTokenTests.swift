import Cryptography
import TestKit
import Testing

@Suite("JSON Web Tokens")
struct JSONWebTokenTests {
  /// RFC 7515, A.1.
  private static let hs256 =
    "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
    + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  private static let hs256Key = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"

  @Test("the HS256 token of RFC 7515, A.1 is verified")
  func rfcHS256() throws {
    let key = try VerificationKey.sharedSecret(Base64.url.decode(Self.hs256Key))
    let token = try JSONWebToken.verify(Self.hs256, with: [key], at: 1_300_819_379)
    #expect(token.registered.issuer == "joe")
    #expect(token.registered.expiresAt == 1_300_819_380)
    #expect(throws: JSONWebTokenError.expired(at: 1_300_819_380)) {
      try JSONWebToken.verify(Self.hs256, with: [key], at: 1_300_819_380)
    }
    #expect(throws: Never.self) { try JSONWebToken.verify(Self.hs256, with: [key], at: 1_300_819_380, leeway: 1) }
  }

  /// RFC 7515, A.2 and A.3: the public keys, written as PEM.
  @Test("the RS256 and ES256 tokens of RFC 7515, A.2 and A.3 are verified")
  func rfcPublicKeys() throws {
    let payload = ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
    let rs256 =
      "eyJhbGciOiJSUzI1NiJ9" + payload
      + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
    let es256 =
      "eyJhbGciOiJFUzI1NiJ9" + payload
      + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    let modulus =
      "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
    // SubjectPublicKeyInfo around the numbers of the RFC.
    let n = try Base64.url.decode(modulus)
    let rsaKey = hex("02820101 00") + n + hex("0203 010001")
    let rsaSequence = hex("3082010a") + rsaKey
    let rsaPEM = Self.pem(hex("30820122 300d06092a864886f70d0101010500 0382010f00") + rsaSequence)
    let x = try Base64.url.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
    let y = try Base64.url.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
    let ecPEM = Self.pem(hex("3059301306072a8648ce3d020106082a8648ce3d030107034200 04") + x + y)
    let keys = [try VerificationKey(pem: rsaPEM), try VerificationKey(pem: ecPEM)]
    #expect(try JSONWebToken.verify(rs256, with: keys, at: 0).header.algorithm == "RS256")
    #expect(try JSONWebToken.verify(es256, with: keys, at: 0).header.algorithm == "ES256")
    #expect(throws: JSONWebTokenError.badSignature) {
      try JSONWebToken.verify(String(es256.dropLast(2)) + "1A", with: keys, at: 0)
    }
  }

  private static func pem(_ der: [UInt8]) -> String {
    "-----BEGIN PUBLIC KEY-----\n\(Base64.standard.encode(der))\n-----END PUBLIC KEY-----\n".replacingLongLines
  }

  struct Claims: Codable, Equatable {
    var sub: String
    var aud: [String]
    var exp: Int64
    var nbf: Int64?
    var user_data: [String: String]?
  }

  @Test("signing and verifying agree for every algorithm, and keys survive PEM", arguments: SignatureAlgorithm.allCases)
  func roundTrip(algorithm: SignatureAlgorithm) throws {
    let key: SigningKey =
      switch algorithm {
      case .hs256: try .sharedSecret([UInt8](repeating: 7, count: 32))
      case .rs256: try SigningKey(pem: SigningKey.generateRSA().privateKeyPEM())
      case .es256: try SigningKey(pem: SigningKey.generateP256().privateKeyPEM())
      }
    #expect(key.algorithm == algorithm)
    let verification =
      algorithm == .hs256 ? key.verificationKey : try VerificationKey(pem: key.verificationKey.publicKeyPEM())
    let claims = Claims(sub: "u1", aud: ["app", "other"], exp: 2_000, nbf: 1_000, user_data: ["a": "b/c"])
    let text = try JSONWebToken.sign(claims, with: key, keyIdentifier: "k1")
    let token = try JSONWebToken.verify(
      text, with: [verification.identified(by: "k0"), verification.identified(by: "k1")], at: 1_500)
    #expect(try token.claims(as: Claims.self) == claims)
    #expect(token.registered.subject == "u1")
    #expect(token.registered.audience == ["app", "other"])
    #expect(token.header.keyIdentifier == "k1")
    #expect(throws: JSONWebTokenError.expired(at: 2_000)) {
      try JSONWebToken.verify(text, with: [verification], at: 2_000)
    }
    #expect(throws: JSONWebTokenError.notYetValid(until: 1_000)) {
      try JSONWebToken.verify(text, with: [verification], at: 999)
    }
    #expect(throws: JSONWebTokenError.unknownKey(algorithm: algorithm.rawValue, keyIdentifier: "k1")) {
      try JSONWebToken.verify(text, with: [verification.identified(by: "k0")], at: 1_500)
    }
  }

  @Test("a public key cannot be used as an HMAC secret, nor is no signature accepted")
  func confusion() throws {
    let rsa = try SigningKey.generateRSA()
    let secret = try SigningKey.sharedSecret(utf8(rsa.verificationKey.publicKeyPEM()))
    let forged = try JSONWebToken.sign(payload: utf8("{}"), with: secret)
    #expect(throws: JSONWebTokenError.unknownKey(algorithm: "HS256", keyIdentifier: nil)) {
      try JSONWebToken.verify(forged, with: [rsa.verificationKey], at: 0)
    }
    let unsigned = Base64.url.encode(utf8(#"{"alg":"none"}"#)) + "." + Base64.url.encode(utf8("{}")) + "."
    #expect(throws: JSONWebTokenError.unsupportedAlgorithm("none")) {
      try JSONWebToken.verify(unsigned, with: [rsa.verificationKey], at: 0)
    }
  }

  @Test(
    "a text that is not a token is refused where it breaks",
    arguments: [
      ("", 0), ("a.b", 3), ("a.b.c.d", 5), ("!!.e30.AA", 0), ("e30.e30.AA", 0), ("eyJhbGciOiJIUzI1NiJ9.e3!.AA", 23),
      ("eyJhbGciOiJIUzI1NiJ9.e30.A", 26),
    ] as [(String, Int)])
  func malformed(text: String, offset: Int) {
    let error = #expect(throws: JSONWebTokenError.self) { try JSONWebToken.parseWithoutVerification(text) }
    guard case .malformed(let found, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found == offset)
  }

  @Test(
    "claims that are not JSON, or have times that are not numbers, are refused",
    arguments: [
      "[]", "{", #"{"exp":"1"}"#, #"{"exp":1e300}"#, "nonsense", "{\"a\":\(String(repeating: "[", count: 5_000))",
    ])
  func malformedClaims(payload: String) {
    let text = Base64.url.encode(utf8(#"{"alg":"HS256"}"#)) + "." + Base64.url.encode(utf8(payload)) + ".AA"
    let error = #expect(throws: JSONWebTokenError.self) { try JSONWebToken.parseWithoutVerification(text) }
    guard case .malformedClaims = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a token with one changed character is never accepted, and never traps", arguments: Seeds.some(300))
  func changed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let key = try VerificationKey.sharedSecret(Base64.url.decode(Self.hs256Key))
    var bytes = utf8(Self.hs256)
    let index = Int.random(in: bytes.indices, using: &random)
    let byte = UInt8.random(in: 0x20...0x7E, using: &random)
    guard bytes[index] != byte else { return }
    bytes[index] = byte
    #expect(throws: JSONWebTokenError.self, "SEED=\(seed)") {
      try JSONWebToken.verify(String(decoding: bytes, as: UTF8.self), with: [key], at: 0)
    }
  }

  @Test("keys that are too weak or not keys are refused")
  func weakKeys() {
    #expect(throws: CryptographyError.self) { try SigningKey.sharedSecret([1]) }
    #expect(throws: CryptographyError.self) { try SigningKey(pem: "") }
    #expect(throws: CryptographyError.self) {
      try VerificationKey(pem: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n")
    }
    #expect(throws: CryptographyError.self) { try SigningKey.generateRSA(bits: 512) }
  }

  @Test("a certificate is made for names and addresses only")
  func certificates() throws {
    let own = try SelfSignedCertificate.make(hosts: ["localhost", "::1"])
    #expect(own.certificatePEM.hasPrefix("-----BEGIN CERTIFICATE-----"))
    #expect(own.digest.count == 32)
    #expect(throws: CryptographyError.self) { try SelfSignedCertificate.make(hosts: []) }
    #expect(throws: CryptographyError.self) { try SelfSignedCertificate.make(hosts: ["a,DNS:evil"]) }
  }
}

extension String {
  /// PEM lines have at most 64 characters.
  fileprivate var replacingLongLines: String {
    split(separator: "\n").flatMap { line in
      stride(from: 0, to: line.count, by: 64).map { String(line.dropFirst($0).prefix(64)) }
    }.joined(separator: "\n") + "\n"
  }
}
