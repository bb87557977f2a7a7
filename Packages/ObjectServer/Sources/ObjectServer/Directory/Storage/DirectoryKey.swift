import ByteCoding
import Cryptography
import Foundation

/// The key that seals the directory of users: `keys/directory.key`, 64 hexadecimal digits, made with the first seal.
///
/// Without the key, nothing in the directory can be read; the key of tokens is another one, which an operator may replace at
/// any time. Backups contain the key beside the directory.
public struct DirectoryKey: Sendable {
  let bytes: [UInt8]
  static let name = "directory.key"

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The key in the text of a file.
  ///
  /// - Throws: ``ServerError/Code/badKey``
  init(text: String, path: String) throws(ServerError) {
    guard let key = hexBytes(text.trimmingCharacters(in: .whitespacesAndNewlines)), key.count == 32 else {
      throw ServerError(
        .badKey, "the key in \(path) cannot be used: it has not 64 hexadecimal digits",
        remedy: "put the file back from a backup, which has it in its folder keys")
    }
    bytes = key
  }

  /// Reads the key, making it when nothing was sealed yet.
  ///
  /// - Parameters:
  ///   - folder: the folder `keys` of a data directory.
  ///   - isSealed: whether something is sealed with the key already, so that a missing one is not made.
  /// - Throws: ``ServerError/Code/badKey``, ``ServerError/Code/dataDirectoryUnusable``
  public static func load(from folder: String, isSealed: Bool) throws(ServerError) -> DirectoryKey {
    let path = folder + "/" + name
    if !FileManager.default.fileExists(atPath: path) {
      guard !isSealed else {
        throw ServerError(
          .badKey, "\(path) is missing: the directory of users is sealed with it",
          remedy: "put the file back from a backup, which has it in its folder keys")
      }
      try PrivateFolder.make(folder)
      try SecretFile.writeOnce(RandomSource(SecureRandom()).hex(digits: 64) + "\n", to: path)
    }
    return try DirectoryKey(text: try SecretFile.read(path), path: path)
  }

  /// A key that goes with the process, for what is kept in memory or not kept at all.
  static func random() -> DirectoryKey {
    var random = SecureRandom()
    return DirectoryKey(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  /// A key for another purpose, 32 bytes, which tells nothing about this one.
  ///
  /// - Throws: `CryptographyError` when OpenSSL cannot be used.
  public func derived(for purpose: String) throws -> [UInt8] {
    try HMACSHA256.tag(for: Array(purpose.utf8), key: bytes)
  }

  /// 32 hexadecimal digits that tell the key from others, and nothing about it.
  ///
  /// - Throws: `CryptographyError` when OpenSSL cannot be used.
  public func fingerprint() throws -> String {
    hexText(Array(try HMACSHA256.tag(for: Array("fingerprint of the directory's key".utf8), key: bytes).prefix(16)))
  }
}
