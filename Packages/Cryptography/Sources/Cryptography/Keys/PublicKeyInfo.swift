/// The DER of a public key, RFC 5280, made of the numbers that a JSON Web Key holds.
enum PublicKeyInfo {
  /// The key of RSA with a modulus and an exponent, big-endian.
  static func rsa(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
    let key = element(0x30, integer(modulus) + integer(exponent))
    // rsaEncryption, with parameters null.
    let algorithm: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1, 5, 0]
    return element(0x30, element(0x30, algorithm) + element(0x03, [0] + key))
  }

  /// The key on the curve P-256 at a point with coordinates of 32 bytes.
  static func p256(x: [UInt8], y: [UInt8]) -> [UInt8] {
    // id-ecPublicKey, prime256v1.
    let algorithm: [UInt8] = [
      0x06, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1, 0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7,
    ]
    return element(0x30, element(0x30, algorithm) + element(0x03, [0, 4] + x + y))
  }

  private static func integer(_ bytes: [UInt8]) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return element(0x02, digits)
  }

  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
    var length: [UInt8] = []
    var rest = content.count
    while rest > 0 {
      length.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length + content
  }
}
