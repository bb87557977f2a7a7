import Permissions
import Telemetry
import Transport

/// Answers the HTTP requests of clients: reads the route on the loop, does the work on workers.
///
/// The API is the client API of stock app clients (location, login, register, session, profile) and a small one of our own
/// for passwords, permissions and offers. Whatever a request holds, the answer is JSON with a status.
// @unchecked Sendable: `throttle` is touched on the loop only; everything else does not change.
final class HTTPFace: @unchecked Sendable {
  let accounts: Accounts
  let sharing: Sharing
  let desk: Desk
  let publicURL: NetworkURL?
  let metrics: ServerMetrics
  let registry: MetricsRegistry
  let logger: Logger
  let version: String
  let passwordLanes: Int
  /// What the rest of the server is told.
  let events: HTTPFaceEvents
  var throttle = LoginThrottle()

  init(
    accounts: Accounts, sharing: Sharing, desk: Desk, publicURL: NetworkURL?, metrics: ServerMetrics,
    registry: MetricsRegistry, logger: Logger, version: String, passwordLanes: Int, events: HTTPFaceEvents
  ) {
    self.accounts = accounts
    self.sharing = sharing
    self.desk = desk
    self.publicURL = publicURL
    self.metrics = metrics
    self.registry = registry
    self.logger = logger
    self.version = version
    self.passwordLanes = passwordLanes
    self.events = events
  }

  /// Answers one request. On the loop.
  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    metrics.requests.increment()
    do throws(APIError) {
      switch try Route.of(request) {
      case .health, .ready: responder.respond(JSONAnswer.response(200, HealthBody(status: "ok", version: version)))
      case .metrics: responder.respond(metricsResponse())
      case .preflight: responder.respond(Self.preflight)
      case .location: responder.respond(location(for: request))
      case .register(let app): try register(request, app: app, responder)
      case .logIn(let app, let provider): try logIn(request, app: app, provider: provider, responder)
      case let route: callAuthorised(route, request, responder)
      }
    } catch {
      responder.respond(JSONAnswer.refusal(error))
    }
  }

  /// Runs `work` on a lane and answers with its response, or with the refusal that it throws.
  func answer(
    _ lane: WorkLane, _ responder: any HTTPResponder, _ work: @escaping @Sendable () throws -> HTTPResponse,
    then: @escaping @Sendable (HTTPResponse) -> Void = { _ in }
  ) {
    let logger = logger
    desk.perform(lane) {
      do {
        return try work()
      } catch let error as APIError {
        return JSONAnswer.refusal(error)
      } catch {
        logger.error("a request failed", ["reason": LogValue("\(error)")])
        return JSONAnswer.refusal(.storage)
      }
    } then: { result in
      let response = (try? result.get()) ?? JSONAnswer.refusal(.storage)
      then(response)
      responder.respond(response)
    }
  }

  private func metricsResponse() -> HTTPResponse {
    var response = HTTPResponse(status: 200, text: registry.prometheusText())
    response.headers["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8"
    return response
  }

  private static let preflight = HTTPResponse(
    status: 204,
    headers: [
      "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
      "Access-Control-Allow-Headers": "Authorization, Content-Type, Accept", "Access-Control-Max-Age": "86400",
    ])

  private func location(for request: HTTPRequest) -> HTTPResponse {
    if let publicURL {
      let secure = publicURL.scheme.isSecure
      return JSONAnswer.response(
        200,
        LocationBody(
          hostname: "\(secure ? "https" : "http")://\(publicURL.authority)",
          ws_hostname: "\(secure ? "wss" : "ws")://\(publicURL.authority)"))
    }
    let secure = request.isSecure || request.headers["X-Forwarded-Proto"] == "https"
    let host = request.headers["X-Forwarded-Host"] ?? request.headers["Host"] ?? ""
    guard !host.isEmpty else { return JSONAnswer.response(200, LocationBody(hostname: "", ws_hostname: "")) }
    return JSONAnswer.response(
      200,
      LocationBody(
        hostname: "\(secure ? "https" : "http")://\(host)", ws_hostname: "\(secure ? "wss" : "ws")://\(host)"))
  }
}

/// What the HTTP face tells the rest of the server. Called on the loop.
struct HTTPFaceEvents: Sendable {
  /// These logins have ended: their connections must go.
  var loginsEnded: @Sendable ([String]) -> Void
  /// The grants on these realms changed.
  var grantsChanged: @Sendable ([RealmPath]) -> Void
}
