import Cryptography
import Testing

@Suite("Digests")
struct DigestTests {
  @Test(
    "digests are those of FIPS 180-4",
    arguments: [
      (Digest.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
      (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        .sha512, "abc",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
      ),
    ] as [(Digest, String, String)])
  func digests(digest: Digest, message: String, expected: String) {
    #expect(digest.hash(utf8(message)) == hex(expected))
    #expect(digest.byteCount * 2 == expected.count)
  }

  /// RFC 4231, test cases 1, 2, 3, 6.
  @Test(
    "tags are those of RFC 4231, also when the context is reused",
    arguments: [
      (
        [UInt8](repeating: 0x0b, count: 20), utf8("Hi There"),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        utf8("Jefe"), utf8("what do ya want for nothing?"),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        [UInt8](repeating: 0xaa, count: 131), utf8("Test Using Larger Than Block-Size Key - Hash Key First"),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ])
  func hmac(key: [UInt8], message: [UInt8], expected: String) throws {
    let mac = try HMACSHA256(key: key)
    #expect(mac.tag(for: message) == hex(expected))
    #expect(mac.tag(for: []) != hex(expected))
    #expect(mac.tag(for: message) == hex(expected))
    #expect(mac.isValid(hex(expected), for: message))
    #expect(!mac.isValid(hex(expected).dropLast() + [0], for: message))
    #expect(!mac.isValid([], for: message))
    mac.begin()
    message.withUnsafeBytes { bytes in
      let half = bytes.count / 2
      mac.update(UnsafeRawBufferPointer(rebasing: bytes[..<half]))
      mac.update(UnsafeRawBufferPointer(rebasing: bytes[half...]))
    }
    var tag = [UInt8](repeating: 0, count: 32)
    tag.withUnsafeMutableBytes { mac.finish(into: $0) }
    #expect(tag == hex(expected))
  }

  @Test("an empty key is the same as zeros")
  func emptyKey() throws {
    #expect(try HMACSHA256.tag(for: [1], key: []) == HMACSHA256.tag(for: [1], key: [0, 0]))
    #expect(
      try HMACSHA256.tag(for: [], key: []) == hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
  }

  @Test("comparison sees every difference")
  func comparison() {
    #expect(ConstantTime.areEqual([], []))
    #expect(ConstantTime.areEqual([1, 2], [1, 2]))
    #expect(!ConstantTime.areEqual([1, 2], [1, 3]))
    #expect(!ConstantTime.areEqual([1, 2], [1]))
  }

  @Test("random bytes differ")
  func random() throws {
    #expect(try SecureRandom.bytes(count: 0).isEmpty)
    #expect(try SecureRandom.bytes(count: 32) != SecureRandom.bytes(count: 32))
    var generator = SecureRandom()
    #expect(generator.next() != generator.next())
  }
}
