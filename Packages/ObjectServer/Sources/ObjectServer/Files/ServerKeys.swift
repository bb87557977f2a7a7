import AccessTokens
import ByteCoding
import Cryptography
import Foundation
import Telemetry

/// The keys of a server, in files that only its user can read.
///
/// `token.key` signs tokens: 64 hexadecimal digits (HS256), made at the first start, or an RSA private key in PEM (RS256) put
/// there by the operator. `token-<seconds>.key` are keys that signed before; they verify access tokens until that time (since
/// 1970), and refresh tokens as long as their logins. `token-next.key` is one that other nodes of a cluster sign with, or will.
/// `admin.json` holds a token that may do everything, for tools on the same machine.
struct ServerKeys: Sendable {
  var issuer: TokenIssuer

  /// Reads the keys in `folder`, making what is missing.
  ///
  /// - Throws: ``ServerError/Code/badKey``, ``ServerError/Code/dataDirectoryUnusable``
  static func load(from folder: String, random: RandomSource) throws(ServerError) -> ServerKeys {
    try PrivateFolder.make(folder)
    let path = folder + "/" + KeyFiles.signing
    if !FileManager.default.fileExists(atPath: path) {
      try SecretFile.write(random.hex(digits: 64) + "\n", to: path)
    }
    let files = try KeyFiles(folder: folder)
    let text = files.texts[KeyFiles.signing] ?? "", key = try signingKey(text, path)
    var retired: [RetiredTokenKey] = []
    for (name, text) in files.texts.sorted(by: { $0.key < $1.key }) {
      let end: WallTime
      if let seconds = name.wholeMatch(of: /token-([0-9]{1,15})\.key/).flatMap({ Int64($0.output.1) }) {
        end = WallTime(secondsSince1970: seconds)
      } else if name == KeyFiles.next {
        end = WallTime(millisecondsSince1970: .max)
      } else {
        continue
      }
      let key = try signingKey(text, folder + "/" + name).verificationKey
      retired.append(RetiredTokenKey(key: key, acceptsAccessUntil: end))
    }
    return ServerKeys(
      issuer: TokenIssuer(key: key, keyIdentifier: identifier(of: text), retired: retired.reversed()))
  }

  /// Puts a new key in the place of the one that signs, which verifies on.
  ///
  /// A crash between the two steps leaves the old key in both places, which changes nothing.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - overlap: the time for which access tokens of the old key are good.
  /// - Throws: ``ServerError/Code/badKey``, ``ServerError/Code/dataDirectoryUnusable``
  static func rotate(
    in folder: String, random: RandomSource, at now: WallTime, overlap: Duration
  ) throws(ServerError) {
    _ = try load(from: folder, random: random)
    var files = try KeyFiles(folder: folder)
    files.prepareRotation(random)
    files.finishRotation(at: now, overlap: overlap)
    try files.write(to: folder)
  }

  /// The name of a key in tokens: the first digits of a digest, which tell nothing about the key.
  static func identifier(of text: String) -> String {
    let digest = Digest.sha256.hash(Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8))
    return String(hexText(digest).prefix(16))
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
