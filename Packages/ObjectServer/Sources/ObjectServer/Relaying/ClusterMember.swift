import Concurrency
import Permissions
import Transport

/// This server as a member of a cluster: where realms are, and how requests reach the other nodes.
struct ClusterMember: Sendable {
  let placement: any RealmPlacement
  let network: any Network
  /// The links over which clients' WebSockets are passed on.
  let links: PeerLinks

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

  /// A proxy says `Via`: so the client never counts as one of the machine that answers.
  private static let via = ("Via", "1.1 openrealm")

  /// The headers that a node adds to a request that it passes on.
  ///
  /// - Throws: `CryptographyError` when OpenSSL has no HMAC.
  func addedHeaders(_ origin: Origin) throws -> HTTPHeaders {
    let request = origin.request
    let statement = PassedOn(
      node: placement.node.name, hops: origin.hops + 1, address: request.remoteAddress, isSecure: request.isSecure)
    let value = try statement.headerValue(
      method: request.method, target: request.target, authorization: request.headers["Authorization"] ?? "",
      key: placement.peerKey)
    return [PassedOn.header: value, Self.via.0: Self.via.1]
  }

  /// The facts of a client's WebSocket for another node.
  ///
  /// - Parameter headers: those of the client's request that the answer depends on.
  func opening(_ origin: Origin, _ protocolTokens: [String], _ headers: HTTPHeaders) -> StreamOpening {
    let request = origin.request
    var headers = headers
    headers.append(Self.via.0, Self.via.1)
    return StreamOpening(
      target: request.target, protocolTokens: protocolTokens, headers: headers, address: request.remoteAddress,
      isSecure: request.isSecure, hops: origin.hops + 1)
  }

  /// The URL of a request at another node.
  ///
  /// - Throws: `TransportError` when the node's address cannot be used.
  func url(of request: HTTPRequest, at node: ServerNode) throws -> NetworkURL {
    var url = try NetworkURL(node.address)
    url.target = request.target
    return url
  }
}
