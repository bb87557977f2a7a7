import ByteCoding
import Cryptography
import Transport

/// The statement of a node about a request that it passes on to another: the client's address, and the nodes so far.
///
/// It is authenticated by the key that the nodes share, for this request line and this bearer only. It has no date: whoever could
/// use it again has read the bearer's token beside it.
struct PassedOn: Hashable, Sendable {
  /// The header of a request that carries the statement.
  static let header = "OpenRealm-Passed-On"
  /// The most nodes that pass a request on: two that disagree about a realm must not do it for ever.
  static let maximumHops = 2

  /// The name of the node that passes the request on.
  var node: String
  /// The number of nodes that passed it on, with this one.
  var hops: Int
  /// The address of the client, as the first node saw it.
  var address: String
  /// Whether the client's connection uses TLS.
  var isSecure: Bool

  /// The error of a request whose statement no node made.
  struct Forged: Error {}

  /// The value of the header for a request.
  ///
  /// - Throws: `CryptographyError` when OpenSSL has no HMAC.
  func headerValue(method: String, target: String, authorization: String, key: [UInt8]) throws -> String {
    let tag = try HMACSHA256.tag(for: message(method, target, authorization), key: key)
    return "\(hops);\(isSecure ? 1 : 0);\(hexText(Array(node.utf8)));\(hexText(Array(address.utf8)));\(hexText(tag))"
  }

  /// The statement of a request; nil when it comes from a client itself.
  ///
  /// - Throws: ``Forged`` when the header is malformed or of another key; `CryptographyError` when OpenSSL has no HMAC.
  init?(of request: HTTPRequest, key: [UInt8]) throws {
    let values = request.headers.values(Self.header)
    guard let value = values.first else { return nil }
    let parts = value.split(separator: ";", omittingEmptySubsequences: false)
    guard values.count == 1, parts.count == 5, let hops = Int(parts[0]), (1...Self.maximumHops).contains(hops),
      ["0", "1"].contains(parts[1]), let node = hexBytes(parts[2]), let address = hexBytes(parts[3]),
      let tag = hexBytes(parts[4])
    else { throw Forged() }
    self.init(
      node: String(decoding: node, as: UTF8.self), hops: hops, address: String(decoding: address, as: UTF8.self),
      isSecure: parts[1] == "1")
    let expected = try HMACSHA256.tag(
      for: message(request.method, request.target, request.headers["Authorization"] ?? ""), key: key)
    guard ConstantTime.areEqual(tag, expected) else { throw Forged() }
  }

  /// A statement with its parts.
  init(node: String, hops: Int, address: String, isSecure: Bool) {
    self.node = node
    self.hops = hops
    self.address = address
    self.isSecure = isSecure
  }

  /// The authenticated bytes: no part can contain the separator, a line feed.
  private func message(_ method: String, _ target: String, _ authorization: String) -> [UInt8] {
    let parts = [
      "openrealm-passed-on-1", method, target, authorization, "\(hops)", "\(isSecure)", hexText(Array(node.utf8)),
      hexText(Array(address.utf8)),
    ]
    return Array(parts.joined(separator: "\n").utf8)
  }
}
