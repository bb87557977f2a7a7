import Concurrency
import Permissions
import Telemetry
import Transport

/// Brings HTTP requests that need a realm's files to the node that has them. Stands in front of all handlers, which know nothing of it.
///
/// A request that names no realm, or a path that is none, is answered by this node as it does alone.
// @unchecked Sendable: its variable is accessed on the loop only.
final class RequestRelay: @unchecked Sendable {
  private let member: ClusterMember
  private let hub: SyncHub
  private let accounts: Accounts
  private let logger: Logger
  /// The passed-on WebSockets.
  private var passages = 0

  init(_ member: ClusterMember, hub: SyncHub, accounts: Accounts, logger: Logger) {
    self.member = member
    self.hub = hub
    self.accounts = accounts
    self.logger = logger
  }

  static let forged = APIError(403, .permissionDenied, "no node of this cluster passed the request on")
  static let unreachable = APIError(
    503, .internalServerError, "the server that has the realm cannot be reached: ask again in a moment",
    secondsToWait: 1)
  static let filesElsewhere = APIError(
    409, .realmConflict, "another server of the cluster has the realm: send the file to it, and begin there")

  /// Answers a request, or passes it on. On the loop.
  ///
  /// - Parameter local: has this node answer.
  func respond(
    to request: HTTPRequest, with responder: any HTTPResponder, local: @escaping @Sendable (HTTPRequest) -> Void
  ) {
    guard let origin = try? member.origin(of: request) else {
      return responder.respond(JSONAnswer.refusal(Self.forged))
    }
    guard request.method != "OPTIONS", let realm = NamedRealm(of: origin.request) else { return local(origin.request) }
    find(realm, origin) { [self] node in
      guard let node else { return local(origin.request) }
      hub.metrics.requests.increment()
      guard !realm.needsOwnFiles else { return responder.respond(JSONAnswer.refusal(Self.filesElsewhere)) }
      do {
        let url = try member.url(of: origin.request, at: node)
        let headers = try HopHeaders.passedOn(origin.request.headers, adding: member.addedHeaders(origin))
        var call = HTTPClientRequest(
          method: origin.request.method, url: url, headers: headers, body: origin.request.body,
          timeout: RelayLimits.answering)
        call.tls = member.placement.peerTLS
        PassedAnswer(responder, node: node, logger: logger).begin(call, on: member.network)
      } catch {
        logger.error("a node cannot be reached", ["node": .string(node.name), "reason": LogValue("\(error)")])
        responder.respond(JSONAnswer.refusal(Self.unreachable))
      }
    }
  }

  /// Accepts or refuses a WebSocket of GraphQL, or passes it on. On the loop.
  ///
  /// - Parameter local: has this node decide.
  func upgrade(
    _ path: String, _ origin: ClusterMember.Origin, _ tokens: [String],
    with responder: any WebSocketUpgradeResponder, local: @escaping @Sendable () -> Void
  ) {
    find(NamedRealm(text: path), origin) { [self] node in
      guard let node else { return local() }
      guard passages < hub.configuration.graphQL.maximumConnections, !hub.isStopping,
        hub.admits(connectionFrom: origin.request.remoteAddress)
      else { return responder.refuse(HTTPResponse(status: 503, text: "no room for another GraphQL connection\n")) }
      passages += 1
      let headers = HopHeaders.passedOn(origin.request.headers, adding: [:])
      SocketPassage(responder, maximumMessageBytes: hub.configuration.graphQL.messageBytes) { [weak self] in
        self?.passages -= 1
      }.begin(member.opening(origin, tokens, headers), at: node, over: member.links)
    }
  }

  // MARK: The place

  private struct Found: Sendable {
    var path: Permissions.RealmPath
    var payer: UserId
    /// Whether a realm that nobody has is to be taken for the request.
    var mayTake: Bool
  }

  /// Finds the node that has a realm; nil for this one, and when the request may go no further.
  private func find(
    _ realm: NamedRealm, _ origin: ClusterMember.Origin, then completion: @escaping @Sendable (ServerNode?) -> Void
  ) {
    guard origin.hops < PassedOn.maximumHops else { return completion(nil) }
    if realm.isInTarget, let path = realm.path(for: nil), hub.realms[path] != nil, hub.isHere(path) {
      return completion(nil)
    }
    let (accounts, directory, request) = (accounts, hub.directory, origin.request)
    hub.context.perform(.directory) { () -> Found? in
      // The node that answers refuses; here the bearer only says whose folder `~` is.
      let bearer = try? HTTPAPI.bearer(of: request, asking: .connection, accounts)
      guard let named = realm.path(for: bearer), let path = try? directory.renamedPath(of: named) ?? named else {
        return nil
      }
      let exists = (try? directory.facts(of: path).exists) ?? false
      return Found(
        path: path, payer: bearer?.user ?? "",
        mayTake: exists || realm.isMade && bearer?.subject.isAdministrator == true)
    } then: { [self] (result: Result<Found?, Never>) in
      guard case .success(let found?) = result else { return completion(nil) }
      let place = member.placement.place(of: found.path)
      // The node before this one may have given the realm to it a moment ago.
      let isDisputed = other(place).map { $0.name == origin.passed?.node } ?? false
      guard isDisputed || place == .nobody && found.mayTake else { return completion(other(place)) }
      hub.acquire(found.path, member.placement, found.payer) { [self] result in
        switch result {
        case .success(let taken): completion(other(taken.place))
        case .failure: completion(nil)
        }
      }
    }
  }

  private func other(_ place: RealmPlace) -> ServerNode? {
    switch place {
    case .node(let node) where node != member.placement.node: node
    case .node, .here, .nobody: nil
    }
  }
}
