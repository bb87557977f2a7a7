import ByteCoding
import Cryptography
import Transport

/// The proof of both nodes of a link that they have the key of the cluster.
///
/// The opening node states its name and a nonce in its upgrade request, authenticated, so that nobody else gets further. The accepting
/// node answers with a nonce of its own and proves the key over both; then so does the opening node. A recorded handshake is of no
/// use: the other side's nonce is another one each time.
struct LinkHandshake: Sendable {
  /// The target of the upgrade request of a link.
  static let path = "/openrealm/link"
  /// The protocol token of links, with the version of their format.
  static let protocolToken = "openrealm-link-1"
  /// The header of the upgrade request that names the node.
  static let header = "OpenRealm-Link"
  static let nonceBytes = 32

  /// The name of the node that opens the link.
  let opener: String
  /// The name of the node that accepts it.
  let acceptor: String
  /// The nonces of both, the opening node's first.
  let nonces: (opener: [UInt8], acceptor: [UInt8])
  private let key: [UInt8]

  private enum Step: String { case request, challenge, proof }

  /// A handshake of the opening node.
  ///
  /// - Parameter nonce: random bytes, never used before.
  init(from opener: String, to acceptor: String, nonce: [UInt8], key: [UInt8]) {
    self.init(opener: opener, acceptor: acceptor, nonces: (nonce, []), key: key)
  }

  private init(opener: String, acceptor: String, nonces: (opener: [UInt8], acceptor: [UInt8]), key: [UInt8]) {
    self.opener = opener
    self.acceptor = acceptor
    self.nonces = nonces
    self.key = key
  }

  /// The handshake of the accepting node, with the header of a request.
  ///
  /// - Parameter nonce: random bytes, never used before.
  /// - Throws: ``PassedOn/Forged`` when no node of the cluster made the header for this node; `CryptographyError`
  init(reading headers: HTTPHeaders, at acceptor: String, nonce: [UInt8], key: [UInt8]) throws {
    let values = headers.values(Self.header)
    let parts = values.first?.split(separator: ";", omittingEmptySubsequences: false) ?? []
    guard values.count == 1, parts.count == 3, let name = hexBytes(parts[0]), let theirs = hexBytes(parts[1]),
      let tag = hexBytes(parts[2]), theirs.count == Self.nonceBytes
    else { throw PassedOn.Forged() }
    self.init(opener: String(decoding: name, as: UTF8.self), acceptor: acceptor, nonces: (theirs, nonce), key: key)
    guard try ConstantTime.areEqual(tag, self.tag(.request)) else { throw PassedOn.Forged() }
  }

  /// The value of the header.
  ///
  /// - Throws: `CryptographyError`
  func headerValue() throws -> String {
    "\(hexText(Array(opener.utf8)));\(hexText(nonces.opener));\(hexText(try tag(.request)))"
  }

  /// The first message of the accepting node: its nonce and its proof.
  ///
  /// - Throws: `CryptographyError`
  func challenge() throws -> [UInt8] { nonces.acceptor + (try tag(.challenge)) }

  /// The first message of the opening node: the answer to a challenge.
  ///
  /// - Throws: ``PassedOn/Forged`` when the other side does not have the key; `CryptographyError`
  func proof(answering challenge: [UInt8]) throws -> [UInt8] {
    let whole = LinkHandshake(
      opener: opener, acceptor: acceptor, nonces: (nonces.opener, Array(challenge.prefix(Self.nonceBytes))), key: key)
    guard try ConstantTime.areEqual(Array(challenge.dropFirst(Self.nonceBytes)), whole.tag(.challenge)) else {
      throw PassedOn.Forged()
    }
    return try whole.tag(.proof)
  }

  /// Checks the first message of the opening node.
  ///
  /// - Throws: ``PassedOn/Forged``; `CryptographyError`
  func check(proof: [UInt8]) throws {
    guard try ConstantTime.areEqual(proof, tag(.proof)) else { throw PassedOn.Forged() }
  }

  /// The authentication of one step: no part can contain the separator, a line feed.
  private func tag(_ step: Step) throws -> [UInt8] {
    let isRequest = step == .request
    let parts = [
      Self.protocolToken, step.rawValue, hexText(Array(opener.utf8)), hexText(Array(acceptor.utf8)),
      hexText(nonces.opener), isRequest ? "" : hexText(nonces.acceptor),
    ]
    return try HMACSHA256.tag(for: Array(parts.joined(separator: "\n").utf8), key: key)
  }
}
