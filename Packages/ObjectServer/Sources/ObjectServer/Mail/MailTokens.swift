import ByteCoding
import Cryptography
import Telemetry

/// The secrets of links in messages. They are kept nowhere: a secret is the keyed digest of its ident and of what it changes, so it
/// ends with its time and, because using it makes another state, after one use.
struct MailTokens: Sendable {
  /// An ident that was read back.
  struct Ident: Hashable, Sendable {
    var kind: MailOrder.Kind
    var expiresAt: WallTime
    /// The user of a reset, or the registration of an account to be.
    var subject: String
  }

  private let key: [UInt8]

  init(key: [UInt8]) { self.key = key }

  /// The ident of a link, and its secret.
  ///
  /// - Parameter state: what the use of the link changes: the hash of a password.
  /// - Throws: ``ServerError`` when OpenSSL fails.
  func make(_ ident: Ident, state: String) throws(ServerError) -> (ident: String, secret: String) {
    let text = "\(ident.kind.rawValue).\(ident.expiresAt.millisecondsSince1970).\(ident.subject)"
    return (text, hexText(try tag(text, state)))
  }

  /// Reads an ident; nil for a text that is none, or that has expired.
  func read(_ text: String, at now: WallTime) -> Ident? {
    let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard text.utf8.count <= 512, parts.count == 3, let kind = MailOrder.Kind(rawValue: parts[0]),
      let time = Int64(parts[1]), time > now.millisecondsSince1970
    else { return nil }
    return Ident(kind: kind, expiresAt: WallTime(millisecondsSince1970: time), subject: parts[2])
  }

  /// Whether a secret is that of an ident in a state, compared in constant time.
  ///
  /// - Throws: ``ServerError`` when OpenSSL fails.
  func isValid(_ secret: String, of ident: String, state: String) throws(ServerError) -> Bool {
    guard let bytes = hexBytes(secret), bytes.count == HMACSHA256.tagByteCount else { return false }
    return ConstantTime.areEqual(bytes, try tag(ident, state))
  }

  private func tag(_ ident: String, _ state: String) throws(ServerError) -> [UInt8] {
    do {
      return try HMACSHA256(key: key).tag(for: Array("link of a message\0\(ident)\0\(state)".utf8))
    } catch {
      throw ServerError(.badKey, "a link cannot be signed", remedy: "check the installation of OpenSSL", cause: error)
    }
  }
}
