import ByteCoding
import Cryptography
import Foundation
public import ObjectServer

/// A secret that the operator gives to each node, and the database does not have: it wraps the keys that are kept there.
///
/// A key is sealed with AES-256-GCM under a random nonce of 192 bits (`XAES256GCM`), with its name, so that one cannot stand in the place
/// of another.
public struct ClusterSecret: Sendable {
  /// The shortest secret in bytes: it is used as it is, and is to be random.
  public static let minimumBytes = 32

  private let key: [UInt8]

  /// The secret in a text; blanks around it do not count.
  ///
  /// - Throws: ``ServerError/Code/badKey`` when it is shorter than ``minimumBytes``.
  public init(_ text: String) throws(ServerError) {
    let bytes = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
    guard bytes.count >= Self.minimumBytes else {
      throw ServerError(
        .badKey, "the secret of the cluster has \(bytes.count) bytes, fewer than \(Self.minimumBytes)",
        remedy: "make one with 'openssl rand -hex 32', and give it to all nodes")
    }
    do { key = try HMACSHA256.tag(for: Array("wrapping of the keys of a cluster".utf8), key: bytes) } catch {
      throw Self.unusable(error)
    }
  }

  /// The wrapped form of a key.
  func wrapped(_ text: String, name: String) throws(ServerError) -> [UInt8] {
    do {
      let nonce = try SecureRandom.bytes(count: XAES256GCM.nonceByteCount)
      return nonce
        + (try XAES256GCM(key: key).seal(Array(text.utf8), nonce: nonce, associated: Array(name.utf8)))
    } catch {
      throw Self.unusable(error)
    }
  }

  /// The key in a wrapped form.
  ///
  /// - Throws: ``ServerError/Code/badKey`` when it was wrapped with another secret, or changed.
  func unwrapped(_ bytes: [UInt8], name: String) throws(ServerError) -> String {
    let nonce = Array(bytes.prefix(XAES256GCM.nonceByteCount))
    do {
      let plain = try XAES256GCM(key: key).open(
        Array(bytes.dropFirst(nonce.count)), nonce: nonce, associated: Array(name.utf8))
      return String(decoding: plain, as: UTF8.self)
    } catch {
      throw ServerError(
        .badKey, "the secret of the cluster is not the one that its keys are wrapped with: \(name) does not open",
        remedy: "give this node the cluster-secret-file of the others", cause: error)
    }
  }

  private static func unusable(_ error: any Error) -> ServerError {
    ServerError(.badKey, "the secret of the cluster cannot be used", remedy: "check OpenSSL", cause: error)
  }
}
