import Cryptography
import Testing

@Suite("XAES-256-GCM")
struct XAES256GCMTests {
  private static let nonce = utf8("ABCDEFGHIJKLMNOPQRSTUVWX")

  // Both values of the first bit that the derivation branches on.
  @Test("it is that of the published vectors, also when reused")
  func known() throws {
    let first = try XAES256GCM(key: [UInt8](repeating: 1, count: 32))
    let second = try XAES256GCM(key: [UInt8](repeating: 3, count: 32))
    let place = utf8("c2sp.org/XAES-256-GCM")
    for _ in 0..<3 {
      let sealed = try first.seal(utf8("XAES-256-GCM"), nonce: Self.nonce)
      #expect(sealed == hex("ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271"))
      #expect(try first.open(sealed, nonce: Self.nonce) == utf8("XAES-256-GCM"))
      let other = try second.seal(utf8("XAES-256-GCM"), nonce: Self.nonce, associated: place)
      #expect(other == hex("986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d"))
      #expect(try second.open(other, nonce: Self.nonce, associated: place) == utf8("XAES-256-GCM"))
    }
  }

  @Test("every length comes back")
  func lengths() throws {
    let cipher = try XAES256GCM(key: [UInt8](repeating: 7, count: 32))
    for count in 0...100 {
      let plain = (0..<count).map { UInt8($0) }
      let sealed = try cipher.seal(plain, nonce: Self.nonce, associated: [1])
      #expect(sealed.count == count + XAES256GCM.tagByteCount)
      #expect(try cipher.open(sealed, nonce: Self.nonce, associated: [1]) == plain)
    }
  }

  @Test("no changed bit of message, nonce, associated bytes or key opens")
  func changes() throws {
    let key = [UInt8](repeating: 9, count: 32)
    let cipher = try XAES256GCM(key: key)
    let sealed = try cipher.seal(utf8("hello"), nonce: Self.nonce, associated: [1, 2])
    func refused(_ sealed: [UInt8], _ nonce: [UInt8], _ associated: [UInt8], _ cipher: XAES256GCM) {
      let error = #expect(throws: CryptographyError.self) {
        try cipher.open(sealed, nonce: nonce, associated: associated)
      }
      #expect(error?.code == .decryptionFailed)
    }
    func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
      var bytes = bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      return bytes
    }
    for bit in 0..<sealed.count * 8 { refused(flipped(sealed, bit), Self.nonce, [1, 2], cipher) }
    for bit in 0..<Self.nonce.count * 8 { refused(sealed, flipped(Self.nonce, bit), [1, 2], cipher) }
    for bit in 0..<16 { refused(sealed, Self.nonce, flipped([1, 2], bit), cipher) }
    for bit in 0..<256 { refused(sealed, Self.nonce, [1, 2], try XAES256GCM(key: flipped(key, bit))) }
    for count in 0..<sealed.count { refused(Array(sealed[..<count]), Self.nonce, [1, 2], cipher) }
    refused(sealed, Self.nonce, [], cipher)
    #expect(try cipher.open(sealed, nonce: Self.nonce, associated: [1, 2]) == utf8("hello"))
  }

  @Test("a key or nonce of the wrong size is refused")
  func sizes() throws {
    #expect(throws: CryptographyError.self) { try XAES256GCM(key: [1]) }
    let cipher = try XAES256GCM(key: [UInt8](repeating: 9, count: 32))
    #expect(throws: CryptographyError.self) { try cipher.seal([1], nonce: [1]) }
    #expect(throws: CryptographyError.self) { try cipher.open([1], nonce: [1]) }
  }
}
