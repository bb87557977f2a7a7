import Permissions
import SyncProtocol
import Telemetry
import Transport

/// Decides about WebSocket upgrades: path, protocol, room, token.
///
/// Clients of version 8 and later cannot see the status of a refused upgrade on every platform, so they are let in and
/// sent away with a close code (4001: get a new token). Older ones get the HTTP status.
final class UpgradeGate: Sendable {
  private let hub: SyncHub
  private let accounts: Accounts
  private let logger: Logger

  init(hub: SyncHub, accounts: Accounts, logger: Logger) {
    self.hub = hub
    self.accounts = accounts
    self.logger = logger
  }

  /// Accepts or refuses one upgrade. On the loop.
  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
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
    guard negotiation.dialect.flavour == .full else {
      let failure = ConnectionFailure(
        .switchToFull, "this server speaks full sync: open the realm with a partition or path")
      return accept(
        responder, negotiation,
        SyncFarewell(messages: [failure.serverMessage.encoded(for: negotiation.dialect)], code: .normal, reason: ""))
    }
    guard let token = Self.token(of: request.http) else {
      return sendAway(responder, negotiation, "no access token: log in first")
    }
    let accounts = accounts
    hub.context.perform(.directory) { () throws(ServerError) -> Result<Bearer, Accounts.TokenRefusal> in
      do {
        let bearer = try accounts.bearer(accessToken: token)
        // What a bounded token opens is decided for each realm, at BIND.
        guard RouteAccess.connection.admits(bearer.kind) else { return .failure(.refused("the token opens no realm")) }
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
      case .success(.failure(.expired)): sendAway(responder, negotiation, "the access token has expired: refresh it")
      case .success(.failure(.refused(let reason))): sendAway(responder, negotiation, reason)
      case .success(.success(let bearer)): admit(bearer, negotiation, request.http, responder)
      }
    }
  }

  private func admit(
    _ bearer: Bearer, _ negotiation: Negotiation, _ request: HTTPRequest, _ responder: any WebSocketUpgradeResponder
  ) {
    let correlation = accounts.random.hex(digits: 24)
    let connection = SyncConnection(
      bearer: bearer, dialect: negotiation.dialect,
      compresses: !request.beginsHere(behindProxy: hub.configuration.isBehindProxy), correlation: correlation, hub: hub,
      logger: logger.child(
        "connection", ["id": .string(correlation), "user": .string(bearer.user.rawValue)]))
    // From version 10 on the name of the connection goes out with LOG_MESSAGE.
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
    // Heard whenever everything is sent: only then is the account of what waits right.
    options.writeLowWaterMark = 0
    responder.accept(protocolToken: negotiation.token, headers: headers, options: options, handler: handler)
  }

  /// Tells the client to get another token.
  private func sendAway(_ responder: any WebSocketUpgradeResponder, _ negotiation: Negotiation, _ reason: String) {
    hub.metrics.refusedUpgrades.increment()
    logger.info("unauthorized", ["reason": .string(reason)])
    guard negotiation.token.contains("#") else {
      return responder.refuse(HTTPResponse(status: 401, text: reason + "\n"))
    }
    accept(responder, negotiation, SyncFarewell(messages: [], code: 4001, reason: reason))
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

/// A connection that is only told why it ends.
final class SyncFarewell: WebSocketHandler {
  private let messages: [[UInt8]]
  private let code: WebSocketCloseCode
  private let reason: String

  init(messages: [[UInt8]], code: WebSocketCloseCode, reason: String) {
    self.messages = messages
    self.code = code
    self.reason = reason
  }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    for message in messages { connection.send(binary: message) }
    connection.close(code: code, reason: reason)
  }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {}
  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {}
}
