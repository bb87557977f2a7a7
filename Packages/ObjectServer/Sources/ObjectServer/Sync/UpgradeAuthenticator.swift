import Permissions
import SyncProtocol
import Telemetry
import Transport

/// Authenticates WebSocket upgrades: checks path, protocol, capacity and access token.
///
/// Clients of version 8 and later cannot read the status of a refused upgrade on every platform, so their connections are
/// accepted and closed with a code (4001: get a new token). Older clients get the HTTP status. On the loop.
final class UpgradeAuthenticator: Sendable {
  private let hub: SyncHub
  private let accounts: Accounts
  private let logger: Logger

  init(hub: SyncHub, accounts: Accounts, logger: Logger) {
    self.hub = hub
    self.accounts = accounts
    self.logger = logger
  }

  /// Accepts or refuses one upgrade.
  ///
  /// - Parameter passed: the statement of the node that passed it on; nil for a request of a client.
  func upgrade(
    _ request: WebSocketUpgradeRequest, passed: PassedOn? = nil, with responder: any WebSocketUpgradeResponder
  ) {
    guard UpgradePath.isAccepted(request.http.path) else {
      return refuse(responder, 404, "sync connections end in /realm-sync\n")
    }
    let negotiation: Negotiation
    do {
      negotiation = try Negotiation.choose(from: request.protocolTokens, flavours: Set(SyncFlavour.allCases))
    } catch {
      return refuse(responder, 400, error.message)
    }
    guard !hub.isStopping, hub.connections.count < hub.configuration.maximumConnections else {
      return refuse(responder, 503, "the server has no room for another connection; try again later\n")
    }
    guard hub.admits(connectionFrom: request.http.remoteAddress) else {
      return refuse(responder, 503, "too many new connections from this address; try again later\n")
    }
    guard let token = Self.token(of: request.http) else {
      return reject(responder, negotiation, request.http, "no access token: log in first")
    }
    let (accounts, feedPosition) = (accounts, hub.feed.position)
    hub.context.perform(.directory) { () throws(ServerError) -> Result<Bearer, Accounts.TokenRefusal> in
      do {
        let bearer = try accounts.bearer(accessToken: token)
        // The access of a bounded token is decided for each realm, at BIND.
        guard RequiredBearer.connection.admits(bearer.kind) else {
          return .failure(.refused("the token opens no realm"))
        }
        return .success(bearer)
      } catch let refusal as Accounts.TokenRefusal {
        return .failure(refusal)
      } catch {
        throw ServerError(
          .directoryFailure, "the directory cannot be read", remedy: "check the disk of the server", cause: error)
      }
    } then: { [self] result in
      switch result {
      case .failure(let error):
        logger.error("the directory failed", ["reason": LogValue("\(error)")])
        refuse(responder, 503, "the server cannot check the access token now; try again later\n")
      case .success(.failure(.expired)):
        reject(responder, negotiation, request.http, "the access token has expired: refresh it")
      case .success(.failure(.refused(let reason))): reject(responder, negotiation, request.http, reason)
      case .success(.success(let bearer)): admit(bearer, feedPosition, negotiation, request.http, passed, responder)
      }
    }
  }

  private func admit(
    _ bearer: Bearer, _ feedPosition: Int64?, _ negotiation: Negotiation, _ request: HTTPRequest, _ passed: PassedOn?,
    _ responder: any WebSocketUpgradeResponder
  ) {
    let correlation = accounts.random.hex(digits: 24)
    let connection = SyncConnection(
      bearer: bearer, clientAddress: request.remoteAddress, feedPosition: feedPosition, dialect: negotiation.dialect,
      app: UpgradePath.appID(inPath: request.path).flatMap { PercentCoding.decoded($0) },
      compresses: !request.beginsHere(behindProxy: hub.configuration.isBehindProxy), correlation: correlation,
      isPassedOn: passed != nil, hub: hub,
      logger: logger.child(
        "connection", ["id": .string(correlation), "user": .string(bearer.user.rawValue)]))
    connection.relay = hub.member.map {
      ConnectionRelay(
        connection, member: $0, origin: ClusterMember.Origin(request: request, passed: passed),
        protocolToken: negotiation.token)
    }
    // From version 10 on, LOG_MESSAGE carries the name of the connection.
    let headers: HTTPHeaders =
      negotiation.dialect.version.hasLogMessages ? [:] : ["X-Appservices-Request-Id": correlation]
    accept(responder, negotiation, connection, headers, budgetGroup: bearer.user.rawValue)
  }

  private func accept(
    _ responder: any WebSocketUpgradeResponder, _ negotiation: Negotiation, _ handler: any WebSocketHandler,
    _ headers: HTTPHeaders = [:], budgetGroup: String? = nil
  ) {
    var options = WebSocketOptions()
    options.budgetGroup = budgetGroup
    options.maximumMessageBytes = hub.configuration.maximumMessageBytes
    options.writeBudget = hub.configuration.writeBudget
    // The handler must hear when everything is sent, for the memory budget to be exact.
    options.writeLowWaterMark = 0
    responder.accept(protocolToken: negotiation.token, headers: headers, options: options, handler: handler)
  }

  /// Makes the client get another token.
  private func reject(
    _ responder: any WebSocketUpgradeResponder, _ negotiation: Negotiation, _ request: HTTPRequest, _ reason: String
  ) {
    hub.metrics.refusedUpgrades.increment()
    hub.audit?.note(AuditLog.Event("connect", address: request.remoteAddress, outcome: "InvalidSession"))
    logger.info("unauthorized", ["reason": .string(reason)])
    guard negotiation.token.contains("#") else {
      return responder.refuse(HTTPResponse(status: 401, text: reason + "\n"))
    }
    accept(responder, negotiation, RejectingHandler(messages: [], code: 4001, reason: reason))
  }

  private func refuse(_ responder: any WebSocketUpgradeResponder, _ status: Int, _ text: String) {
    hub.metrics.refusedUpgrades.increment()
    responder.refuse(HTTPResponse(status: status, text: text))
  }

  private static func token(of request: HTTPRequest) -> String? {
    if let query = request.query, let token = UpgradePath.accessToken(inQuery: query), !token.isEmpty { return token }
    guard let header = request.headers["Authorization"], !header.isEmpty else { return nil }
    return header.hasPrefix("Bearer ") ? String(header.dropFirst("Bearer ".count)) : header
  }
}
