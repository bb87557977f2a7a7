import Concurrency
import Permissions
import Telemetry
import Transport

/// Answers the HTTP requests of clients: reads the route on the loop, does the work on the executor.
///
/// The API is the client API of stock app clients (location, login, register, session, profile) and a small one of our own
/// for passwords, permissions and offers. Whatever a request holds, the answer is JSON with a status.
// @unchecked Sendable: `functionCalls` is touched on the loop only; everything else does not change or is behind a lock.
final class HTTPAPI: @unchecked Sendable {
  let accounts: Accounts
  let sharing: Sharing
  let context: LoopContext
  let publicURL: NetworkURL?
  let metrics: ServerMetrics
  let registry: MetricsRegistry
  let logger: Logger
  let version: String
  let passwordQueues: Int
  let metricsAccess: ClientScope
  let studio: StaticFiles?
  let studioAccess: ClientScope
  let isBehindProxy: Bool
  /// The rest of the server.
  let events: HTTPAPIEvents
  /// Set before the first request.
  var writeProbe: WriteProbe?
  /// Mail; set before the first request, nil for a server that sends none.
  var mail: MailService?
  /// The pages that links of messages open.
  var mailPages: StaticFiles?
  /// The administration API; set before the first request.
  var admin: AdminAPI?
  /// Notes requests that change something; set before the first request.
  var audit: AuditTrail?
  /// Set before the first request; nil when GraphQL is switched off.
  var graphQL: GraphQLRealms?
  /// Counts logins, new users and changes of passwords.
  let limits: any AccountLimits
  let accountsPerSecond: Int
  /// The network by which login functions are asked.
  let network: any Network
  let functionProviders: [FunctionProvider]
  /// The calls of login functions under way.
  var functionCalls = 0

  init(
    accounts: Accounts, sharing: Sharing, context: LoopContext, configuration: ServerConfiguration,
    limits: any AccountLimits, network: any Network, metrics: ServerMetrics,
    registry: MetricsRegistry, logger: Logger, events: HTTPAPIEvents
  ) {
    self.accounts = accounts
    self.sharing = sharing
    self.context = context
    self.limits = limits
    self.network = network
    functionProviders = configuration.functionProviders
    publicURL = configuration.publicURL
    self.metrics = metrics
    self.registry = registry
    self.logger = logger
    version = configuration.version
    passwordQueues = configuration.passwordQueues
    metricsAccess = configuration.metricsAccess
    studio = configuration.studio
    studioAccess = configuration.studioAccess
    isBehindProxy = configuration.isBehindProxy
    accountsPerSecond = configuration.accountsPerSecond
    self.events = events
  }

  /// Answers one request; never blocks. On the loop.
  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    metrics.requests.increment()
    do throws(APIError) {
      if answersStudio(request) { return try respondStudio(to: request, with: responder) }
      if let admin, request.method != "OPTIONS", AdminAPI.answers(request) {
        return try admin.respond(to: request, with: responder)
      }
      if let mailPages, let page = MailPages.response(to: request, mailPages) { return responder.respond(page) }
      let routed = try RoutedRequest(request)
      let responder = audited(responder, routed)
      do throws(APIError) {
        try serve(routed, responder)
      } catch {
        responder.respond(JSONAnswer.refusal(error))
      }
    } catch {
      responder.respond(JSONAnswer.refusal(error))
    }
  }

  private func audited(_ responder: any HTTPResponder, _ request: RoutedRequest) -> any HTTPResponder {
    guard let audit, let event = request.route.auditEvent else { return responder }
    // The token of an offer is a secret; the id of a key is none.
    let key = request[.id]
    return AuditingResponder(
      responder, trail: audit, event: event, request: request.http, parameters: key.isEmpty ? [:] : ["key": key],
      notes: request.route == .refresh ? .refusals : .everything, proof: request.route.auditProof)
  }

  /// Runs `work` in a queue and answers with its response, or with the refusal that it throws.
  func answer(
    _ queue: SerialQueue, _ responder: any HTTPResponder,
    refusal: @escaping @Sendable (APIError) -> HTTPResponse = JSONAnswer.refusal,
    _ work: @escaping @Sendable () throws -> HTTPResponse
  ) {
    let logger = logger
    context.perform(queue) {
      do {
        return try work()
      } catch let error as APIError {
        return refusal(error)
      } catch {
        logger.error("a request failed", ["reason": LogValue("\(error)")])
        return refusal(.storage)
      }
    } then: { result in
      switch result {
      case .success(let response): responder.respond(response)
      }
    }
  }

  /// Answers 200 when the server accepts connections, can read the directory and can write, and has its place in the cluster; else 503 with
  /// the reason.
  func respondReady(_ responder: any HTTPResponder) {
    guard !events.isStopping() else {
      return responder.respond(JSONAnswer.response(503, HealthBody(status: "stopping", version: version)))
    }
    let (directory, version, probe) = (accounts.directory, version, writeProbe)
    let refusal = events.refusal
    context.perform(.directory) { () throws(ServerError) in
      _ = try directory.user(Accounts.administratorTokenUser)
      return probe?.failure()
    } then: { result in
      let reason: String? =
        switch result {
        case .success(let failure): failure.map { "nothing can be written: \($0)" } ?? refusal()
        case .failure: "the directory of users cannot be read"
        }
      responder.respond(
        JSONAnswer.response(reason == nil ? 200 : 503, HealthBody(status: reason ?? "ok", version: version)))
    }
  }

  func checkMetricsAccess(_ request: HTTPRequest) throws(APIError) {
    guard metricsAccess.admits(request, behindProxy: isBehindProxy) else {
      throw APIError(404, .notFound, "there is nothing at this path")
    }
  }

  func metricsResponse() -> HTTPResponse {
    var response = HTTPResponse(status: 200, text: registry.prometheusText())
    response.headers["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8"
    return response
  }

  static let preflight = HTTPResponse(
    status: 204,
    headers: [
      "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
      "Access-Control-Allow-Headers": "Authorization, Content-Type, Accept", "Access-Control-Max-Age": "86400",
    ])

  func location(for request: HTTPRequest) -> HTTPResponse {
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

/// The effects of HTTP requests on the rest of the server. Called on the loop.
struct HTTPAPIEvents: Sendable {
  typealias Completion = @Sendable (Result<Void, ServerError>) -> Void

  /// Whether the server is stopping.
  var isStopping: @Sendable () -> Bool
  /// The reason why clients should go to other nodes; nil while they may come.
  var refusal: @Sendable () -> String?
  /// Deletes a realm while clients may hold it.
  var deleteRealm: @Sendable (RealmPath, @escaping Completion) -> Void
  /// Renames a realm while clients may hold it.
  var renameRealm: @Sendable (RealmPath, RealmPath, @escaping Completion) -> Void
  /// The number of open sessions of a realm, by user.
  var sessions: @Sendable (RealmPath) -> [UserId: Int]
  /// Explains an object of a realm that exists; charged to a user.
  var explain: @Sendable (RealmQuestion, UserId, @escaping SyncHub.ExplanationCompletion) -> Void
}
