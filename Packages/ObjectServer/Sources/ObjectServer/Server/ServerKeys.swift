import AccessTokens
import ByteCoding
import Cryptography
import Foundation
import Glibc

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
    try FolderMaker.makeFolder(folder)
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

/// Small files that hold secrets.
enum SecretFile {
  static func read(_ path: String) throws(ServerError) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ServerError(
        .dataDirectoryUnusable, "\(path) cannot be read", remedy: "check that the server's user may read it")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Writes through a new file with mode 0600, so that a crash leaves the old content or the new one.
  static func write(_ text: String, to path: String) throws(ServerError) {
    let draft = path + ".new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let bytes = Array(text.utf8)
    guard file >= 0 else { throw failure(path) }
    let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
    close(file)
    guard isWritten, rename(draft, path) == 0 else { throw failure(path) }
  }

  /// Writes a file unless it is there; of several processes one is first.
  static func writeOnce(_ text: String, to path: String) throws(ServerError) {
    let draft = path + "." + String(UInt64.random(in: .min ... .max), radix: 36)
    try write(text, to: draft)
    defer { unlink(draft) }
    guard link(draft, path) == 0 || errno == EEXIST else { throw failure(path) }
  }

  private static func failure(_ path: String) -> ServerError {
    ServerError(
      .dataDirectoryUnusable, "\(path) cannot be written: \(String(cString: strerror(errno)))",
      remedy: "check the permissions and free space of the data directory, or choose another with --data")
  }
}
