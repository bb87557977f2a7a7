import Permissions
import Transport

/// Accepts GraphQL WebSockets: any origin may open one, since it names its user by a token in its first message.
extension GraphQLRealms {
  /// The path of the realm that an upgrade names; nil when it is for something else.
  static func path(of request: WebSocketUpgradeRequest) -> String? {
    let parts = request.http.path.split(separator: "/").map { PercentCoding.decoded($0) ?? "" }
    guard parts.count > 1, parts[0] == "graphql" else { return nil }
    return parts.dropFirst().joined(separator: "/")
  }

  /// Accepts or refuses an upgrade. On the loop.
  func upgrade(_ path: String, _ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    guard settings.isEnabled, !hub.isStopping, sockets.count < settings.maximumConnections else {
      return responder.refuse(HTTPResponse(status: 503, text: "no room for another GraphQL connection\n"))
    }
    guard settings.asksForTokens || request.http.isOfThisSite else {
      return responder.refuse(HTTPResponse(status: 403, text: "without tokens only pages of this server may connect\n"))
    }
    guard hub.admits(connectionFrom: request.http.remoteAddress) else {
      return responder.refuse(HTTPResponse(status: 503, text: "too many new connections from this address\n"))
    }
    let offered = request.protocolTokens.compactMap { GraphQLSocketMachine.Dialect(rawValue: $0) }
    guard let dialect = request.protocolTokens.isEmpty ? .legacy : offered.first else {
      return responder.refuse(HTTPResponse(status: 400, text: "speak graphql-transport-ws or graphql-ws\n"))
    }
    var options = WebSocketOptions()
    options.maximumMessageBytes = settings.messageBytes
    options.writeBudget = settings.limits.responseBytes + GraphQLSocket.mostBufferedBytes + (1 << 20)
    let token = request.http.headers["Authorization"].map { GraphQLSocketMachine.bare($0) }
    responder.accept(
      protocolToken: request.protocolTokens.isEmpty ? nil : dialect.rawValue, headers: [:], options: options,
      handler: GraphQLSocket(
        dialect, path: path, headerToken: token, address: request.http.remoteAddress, realms: self))
  }
}
