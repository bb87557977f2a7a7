import ByteCoding
import Cryptography

/// The digest of a realm's commits up to a version: of the digest before, the version and the changes. Two files with one digest had the
/// same commits.
enum CommitDigest {
  /// The digest after a commit.
  static func next(_ digest: [UInt8], version: UInt64, changes: [UInt8]) -> [UInt8] {
    var bytes = digest
    withUnsafeBytes(of: version.bigEndian) { bytes.append(contentsOf: $0) }
    bytes += changes
    return Digest.sha256.hash(bytes)
  }
}
