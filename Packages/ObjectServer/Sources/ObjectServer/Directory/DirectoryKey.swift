import ByteCoding
import Cryptography
import Foundation

/// The key that seals the directory of users: `keys/directory.key`, 64 hexadecimal digits, made with the first seal.
///
/// Without the key, nothing in the directory can be read; the key of tokens is another one, which an operator may replace at
/// any time. Backups contain the key beside the directory.
enum DirectoryKey {
  static let name = "directory.key"

  /// Reads the key, making it when nothing was sealed yet.
  ///
  /// - Throws: ``ServerError/Code/badKey``, ``ServerError/Code/dataDirectoryUnusable``
  static func load(from folder: String, isSealed: Bool) throws(ServerError) -> [UInt8] {
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
    let text = try SecretFile.read(path).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let key = hexBytes(text), key.count == 32 else {
      throw ServerError(
        .badKey, "the key in \(path) cannot be used: it has not 64 hexadecimal digits",
        remedy: "put the file back from a backup, which has it in its folder keys")
    }
    return key
  }

  /// A key that goes with the process, for what is kept in memory or not kept at all.
  static func random() -> [UInt8] {
    var random = SecureRandom()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
  }
}
