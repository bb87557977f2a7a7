import AccessTokens
import ByteCoding
import Cryptography
import Foundation

/// The keys of a server, in files that only its user can read.
///
/// `token.key` signs tokens: 64 hexadecimal digits (HS256), made at the first start, or an RSA private key in PEM (RS256) put
/// there by the operator. `admin.json` holds a token that may do everything, for tools on the same machine.
struct ServerKeys: Sendable {
  var issuer: TokenIssuer

  /// Reads the keys in `folder`, making what is missing.
  ///
  /// - Throws: ``ServerError/Code/badKey``, ``ServerError/Code/dataDirectoryUnusable``
  static func load(from folder: String, random: RandomSource) throws(ServerError) -> ServerKeys {
    try PrivateFolder.make(folder)
    let path = folder + "/token.key"
    if !FileManager.default.fileExists(atPath: path) {
      try SecretFile.write(random.hex(digits: 64) + "\n", to: path)
    }
    return ServerKeys(issuer: TokenIssuer(key: try signingKey(try SecretFile.read(path), path)))
  }

  private static func signingKey(_ text: String, _ path: String) throws(ServerError) -> SigningKey {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    do {
      if trimmed.hasPrefix("-----BEGIN") { return try SigningKey(pem: trimmed) }
      guard let bytes = hexBytes(trimmed) else {
        throw CryptographyError(.invalidKey, "the digits are not hexadecimal, or one is missing")
      }
      return try .sharedSecret(bytes)
    } catch {
      throw ServerError(
        .badKey, "the key in \(path) cannot be used",
        remedy: "put 64 hexadecimal digits or an RSA private key in PEM there, or remove it to have a new one made "
          + "(then everybody must log in again)", cause: error)
    }
  }
}
