import Cryptography
import Testing

@Suite("Digests")
struct DigestTests {
  @Test("SHA-256 of abc is that of FIPS 180-4")
  func sha256() {
    let digest = Digest.sha256.hash(Array("abc".utf8))
    #expect(digest.prefix(4).elementsEqual([0xba, 0x78, 0x16, 0xbf]))
  }
}
