import Cryptography
import Testing

@Suite("Passwords")
struct PasswordTests {
  /// RFC 7914, section 12.
  @Test("keys are those of RFC 7914")
  func vectors() throws {
    #expect(
      try PasswordHasher.derive(
        password: utf8("password"), salt: utf8("NaCl"),
        parameters: .init(logarithmicCost: 10, blockSize: 8, parallelization: 16), byteCount: 64)
        == hex(
          "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ))
    #expect(
      try PasswordHasher.derive(
        password: [], salt: [], parameters: .init(logarithmicCost: 4, blockSize: 1, parallelization: 1), byteCount: 64)
        == hex(
          "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ))
  }

  private static let quick = PasswordHasher(parameters: .init(logarithmicCost: 4, blockSize: 8, parallelization: 1))

  @Test("a password is recognised and another is not; salts differ")
  func verify() throws {
    let stored = try Self.quick.hash("correct horse")
    #expect(stored.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
    #expect(try Self.quick.verify("correct horse", against: stored))
    #expect(try !Self.quick.verify("correct horse ", against: stored))
    #expect(try !Self.quick.verify("", against: stored))
    #expect(try Self.quick.hash("correct horse") != stored)
    #expect(try Self.quick.verify("", against: Self.quick.hash("")))
    #expect(!Self.quick.needsRehash(stored))
    #expect(PasswordHasher().needsRehash(stored))
  }

  @Test(
    "a stored string that is broken or asks for too much is refused",
    arguments: [
      "", "secret", "$scrypt$", "$scrypt$ln=4,r=8,p=1$AAAA$AAAA",
      "$scrypt$ln=99,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=24,r=32,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=-4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=4,r=8$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$bcrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
    ])
  func broken(stored: String) {
    #expect(throws: CryptographyError.self) { try Self.quick.verify("x", against: stored) }
    #expect(Self.quick.needsRehash(stored))
  }

  @Test("parameters out of range are refused")
  func parameters() {
    for parameters in [
      PasswordHasher.Parameters(logarithmicCost: 0), .init(logarithmicCost: 25), .init(blockSize: 0),
      .init(parallelization: 17), .init(logarithmicCost: Int.max, blockSize: .max),
    ] {
      #expect(throws: CryptographyError.self) { try PasswordHasher(parameters: parameters).hash("x") }
    }
  }
}
