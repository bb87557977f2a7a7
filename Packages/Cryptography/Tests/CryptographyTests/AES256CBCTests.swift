import Cryptography
import Testing

@Suite("AES-256-CBC")
struct AES256CBCTests {
  private static let key = hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
  private static let vector = hex("000102030405060708090a0b0c0d0e0f")
  private static let plain = hex(
    "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51 30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710"
  )
  private static let sealed = hex(
    "f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d 39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b"
  )

  @Test("it is that of NIST SP 800-38A, F.2.5 and F.2.6, also when reused")
  func known() throws {
    let cipher = try AES256CBC(key: Self.key)
    for _ in 0..<3 {
      #expect(try cipher.encrypt(Self.plain, vector: Self.vector, padding: .none) == Self.sealed)
      #expect(try cipher.decrypt(Self.sealed, vector: Self.vector, padding: .none) == Self.plain)
      #expect(try cipher.encrypt(Self.plain, vector: Self.vector).count == Self.plain.count + 16)
    }
  }

  @Test("every length comes back, and the output has the announced size")
  func lengths() throws {
    let cipher = try AES256CBC(key: Self.key)
    for count in 0...100 {
      let plain = (0..<count).map { UInt8($0) }
      let sealed = try cipher.encrypt(plain, vector: Self.vector)
      #expect(sealed.count == AES256CBC.encryptedByteCount(for: count))
      #expect(try cipher.decrypt(sealed, vector: Self.vector) == plain)
    }
    #expect(try cipher.encrypt([], vector: Self.vector, padding: .none).isEmpty)
    #expect(try cipher.decrypt([], vector: Self.vector, padding: .none).isEmpty)
  }

  @Test("it works in place")
  func inPlace() throws {
    let cipher = try AES256CBC(key: Self.key)
    var bytes = Self.plain
    let count = try bytes.withUnsafeMutableBytes { buffer in
      try Self.vector.withUnsafeBytes {
        try cipher.encrypt(UnsafeRawBufferPointer(buffer), vector: $0, into: buffer, padding: .none)
      }
    }
    #expect(count == bytes.count)
    #expect(bytes == Self.sealed)
  }

  @Test("wrong keys, vectors and lengths are typed errors, and the cipher can still be used")
  func refusals() throws {
    #expect(throws: CryptographyError.self) { try AES256CBC(key: [1, 2, 3]) }
    let cipher = try AES256CBC(key: Self.key)
    func code(_ body: () throws -> [UInt8]) -> CryptographyError.Code? {
      do {
        _ = try body()
        return nil
      } catch {
        return (error as? CryptographyError)?.code
      }
    }
    #expect(code { try cipher.encrypt([1], vector: [1]) } == .invalidArgument)
    #expect(code { try cipher.encrypt([1], vector: Self.vector, padding: .none) } == .invalidArgument)
    #expect(code { try cipher.decrypt([1], vector: Self.vector) } == .decryptionFailed)
    #expect(code { try cipher.decrypt([], vector: Self.vector) } == .decryptionFailed)
    #expect(code { try cipher.decrypt(Array(Self.sealed.prefix(32)), vector: Self.vector) } == .decryptionFailed)
    #expect(try cipher.encrypt(Self.plain, vector: Self.vector, padding: .none) == Self.sealed)
  }
}
