import Cryptography
import Foundation
import Telemetry

/// The fingerprints of the keys that sign tokens, by which nodes find out that they have the same. They tell nothing about the keys.
public struct TokenKeyFingerprints: Hashable, Sendable {
  /// That of the key that signs: 16 hexadecimal digits, which tokens name.
  public var signing: String
  /// Those of the keys that signed before.
  public var retired: Set<String>

  /// The fingerprints of the keys in a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder `keys` of a data directory.
  ///   - mayMake: whether a missing key is made; otherwise it is an error.
  /// - Throws: ``ServerError/Code/badKey``, ``ServerError/Code/dataDirectoryUnusable``
  public init(folder: String, mayMake: Bool) throws(ServerError) {
    let path = folder + "/token.key"
    guard mayMake || FileManager.default.fileExists(atPath: path) else {
      throw ServerError(
        .badKey, "\(path) is missing: the other nodes sign tokens with it",
        remedy: "copy the folder 'keys' of another node of the cluster to this one")
    }
    let keys = try ServerKeys.load(from: folder, random: RandomSource(SecureRandom()))
    signing = keys.issuer.keyIdentifier ?? ""
    retired = []
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasPrefix("token-") && name.hasSuffix(".key") {
      retired.insert(ServerKeys.identifier(of: try SecretFile.read(folder + "/" + name)))
    }
  }
}
