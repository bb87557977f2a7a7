@testable import Cryptography
import TestKit
import Testing

@Suite("Base64")
struct Base64Tests {
  /// RFC 4648, section 10.
  @Test(
    "it is that of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(plain: String, encoded: String) throws {
    #expect(Base64.standard.encode(utf8(plain)) == encoded)
    #expect(try Base64.standard.decode(encoded) == utf8(plain))
    let unpadded = encoded.filter { $0 != "=" }
    #expect(Base64.url.encode(utf8(plain)) == unpadded)
    #expect(try Base64.url.decode(unpadded) == utf8(plain))
    #expect(try Base64.url.decode(encoded) == utf8(plain))
  }

  @Test(
    "a broken text is refused where it breaks",
    arguments: [
      ("Zg=", 3, Base64Error.Reason.truncated), ("Zg", 2, .truncated), ("Z", 1, .truncated),
      ("Zm9v!", 4, .unknownCharacter),
      ("Z g=", 1, .unknownCharacter), ("=", 0, .misplacedPadding), ("Zg==Zg==", 4, .misplacedPadding),
      ("Zg===", 4, .misplacedPadding),
      ("Zh==", 4, .unusedBits), ("-_-_", 0, .unknownCharacter), ("é", 0, .unknownCharacter),
    ] as [(String, Int, Base64Error.Reason)])
  func broken(text: String, offset: Int, reason: Base64Error.Reason) {
    let error = #expect(throws: Base64Error.self) { try Base64.standard.decode(text) }
    #expect(error == Base64Error(offset: offset, reason: reason))
  }

  @Test("all bytes come back", arguments: Seeds.some(200))
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(try Base64.standard.decode(Base64.standard.encode(bytes)) == bytes, "SEED=\(seed)")
    #expect(try Base64.url.decode(Base64.url.encode(bytes)) == bytes, "SEED=\(seed)")
  }
}
