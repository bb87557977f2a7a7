import Concurrency
import Permissions
import Transport

/// This server as a member of a cluster: where realms are, and how requests reach the other nodes.
struct ClusterMember: Sendable {
  let placement: any RealmPlacement
  let network: any Network

  /// A request that is passed on, as its client sent it.
  struct Origin: Sendable {
    var request: HTTPRequest
    /// The statement of the node before this one; nil for a request of a client.
    var passed: PassedOn?

    /// The number of nodes that passed the request on so far.
    var hops: Int { passed?.hops ?? 0 }
  }

  /// The origin of a request, with the address of its client.
  ///
  /// - Throws: ``PassedOn/Forged``
  func origin(of request: HTTPRequest) throws -> Origin {
    guard let passed = try PassedOn(of: request, key: placement.peerKey) else { return Origin(request: request) }
    var request = request
    request.remoteAddress = passed.address
    request.isSecure = passed.isSecure
    request.headers[PassedOn.header] = nil
    return Origin(request: request, passed: passed)
  }

  /// The headers that a node adds to a request that it passes on. A proxy says `Via`: so the client never counts as one of the
  /// machine that answers.
  ///
  /// - Throws: `CryptographyError` when OpenSSL has no HMAC.
  func addedHeaders(_ origin: Origin) throws -> HTTPHeaders {
    let request = origin.request
    let statement = PassedOn(
      node: placement.node.name, hops: origin.hops + 1, address: request.remoteAddress, isSecure: request.isSecure)
    let value = try statement.headerValue(
      method: request.method, target: request.target, authorization: request.headers["Authorization"] ?? "",
      key: placement.peerKey)
    return [PassedOn.header: value, "Via": "1.1 openrealm"]
  }

  /// The URL of a request at another node.
  ///
  /// - Throws: `TransportError` when the node's address cannot be used.
  func url(of request: HTTPRequest, at node: ServerNode, isWebSocket: Bool) throws -> NetworkURL {
    var url = try NetworkURL(node.address)
    if isWebSocket { url.scheme = url.scheme.isSecure ? .wss : .ws }
    url.target = request.target
    return url
  }
}
