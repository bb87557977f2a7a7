import Concurrency
import GraphQL
import Permissions
import RealmGraphQL
import RecordStore
import Telemetry
import Transport

/// Answers GraphQL requests from realms, in their queues, and keeps the subscriptions to them.
// @unchecked Sendable: its variables are accessed on the loop only.
final class GraphQLRealms: @unchecked Sendable {
  let settings: GraphQLSettings
  let hub: SyncHub
  let accounts: Accounts
  let logger: Logger
  let metrics: GraphQLMetrics
  private let rules: AccessRules
  /// The subscriptions by realm.
  var live: [Permissions.RealmPath: LiveRealm] = [:]
  /// The open WebSockets.
  var sockets: [ObjectIdentifier: GraphQLSocket] = [:]
  private let requests: UserRequests
  /// The bytes that wait for subscribers, by user, as they were counted last; none stands for zero.
  var buffered: [UserId: Int] = [:]
  var bufferedTotal = 0
  let named = NamedQueries()
  private var nextSubscriber: UInt64 = 1

  init(
    _ settings: GraphQLSettings, hub: SyncHub, accounts: Accounts, registry: MetricsRegistry, logger: Logger
  ) {
    self.settings = settings
    requests = UserRequests(limit: settings.requestsPerUser)
    self.hub = hub
    self.accounts = accounts
    self.logger = logger
    metrics = GraphQLMetrics(registry)
    rules = hub.configuration.accounts.rules
  }

  var directory: any Directory { hub.directory }

  func makeSubscriber() -> UInt64 {
    defer { nextSubscriber += 1 }
    return nextSubscriber
  }

  /// The realm that a path names, for a bearer. Blocks; in the queue of the directory.
  func target(_ path: String, _ bearer: Bearer) throws -> RealmTarget {
    try RealmTarget(path, for: bearer, rules, directory)
  }

  /// The bearer of a token, or everybody where none is asked for. Blocks; in the queue of the directory.
  ///
  /// - Throws: ``Accounts/TokenRefusal``, ``APIError``, ``ServerError``.
  func bearer(_ token: String?) throws -> Bearer {
    guard settings.asksForTokens else { return RealmTarget.anyone }
    guard let token else { throw APIError.noBearer }
    let bearer = try accounts.bearer(accessToken: token)
    try RequiredBearer.connection.check(bearer)
    return bearer
  }

  /// A budget that ends a request when its time is over.
  func budget() -> ExecutionBudget {
    let (clock, end, seconds) = (hub.scheduler, hub.scheduler.now + settings.timeout, settings.timeout)
    return ExecutionBudget { _ in
      clock.now < end
        ? nil
        : GraphQLError(
          "The request took longer than \(seconds).", code: "LIMIT_EXCEEDED",
          extensions: [.init("bound", .string("time"))])
    }
  }

  /// The realm as a request uses it.
  func store(_ target: RealmTarget, _ history: ServerHistory) -> ServedRealm {
    ServedRealm(
      history, target.access, refusingWrites: target.writeRefusal,
      subscriptions: target.isQueryBased ? named.queries(of: target.subject.user, at: target.path) : nil)
  }

  // MARK: Requests

  /// Answers a query or a mutation. On the loop.
  ///
  /// - Parameters:
  ///   - mayMutate: whether the request came by a method that may change something.
  ///   - address: that of the peer, for the audit log.
  func execute(
    _ request: GraphQLRequest, at target: RealmTarget, mayMutate: Bool, from address: String,
    then completion: @escaping @Sendable (Result<GraphQLAnswer, any Error>) -> Void
  ) {
    let user = target.subject.user
    do throws(APIError) { try requests.begin(user) } catch { return completion(.failure(error)) }
    metrics.requests.increment()
    hub.serve(target.path, for: user) { [self] store in
      let caches = try Self.caches(store)
      return try answer(request, target, mayMutate, caches)
    } then: { [self] result in
      requests.end(user)
      note((try? result.get())?.mutation, at: target, from: address) { completion(result) }
    }
  }

  /// - Throws: ``APIError`` for a store that keeps realms elsewhere.
  static func caches(_ store: any HistoryStore) throws -> GraphQLCaches {
    guard let caches = store.graphQL else {
      throw APIError(501, .notFound, "the realms of this server are kept where GraphQL does not reach them")
    }
    return caches
  }

  private func answer(
    _ request: GraphQLRequest, _ target: RealmTarget, _ mayMutate: Bool, _ caches: GraphQLCaches
  ) throws -> (value: GraphQLAnswer, wrote: Bool) {
    let served = store(target, caches.history)
    let graphQL = try caches.cache(settings, isQueryBased: target.isQueryBased).graphQL(for: try served.read())
    let operation: PreparedOperation
    do { operation = try graphQL.service.prepare(request) } catch {
      return (GraphQLAnswer(response: GraphQLResponse(refused: error.errors)), false)
    }
    guard mayMutate || operation.kind != .mutation else { throw GraphQLMethodRefusal() }
    let budget = budget()
    var answer = GraphQLAnswer(response: graphQL.execute(operation, served, budget: budget))
    guard operation.kind == .mutation else { return (answer, false) }
    // The response of a mutation says from which version of the history on it is there: everywhere, and for good.
    let version = try caches.history.state().current.version.rawValue
    answer.response.extensions = [.init("durable", .object([("version", .number(String(version)))]))]
    answer.mutation = PerformedMutation(operation, answer.response, version: version)
    return (answer, true)
  }
}

/// A response, with what the audit log is told.
struct GraphQLAnswer: Sendable {
  var response: GraphQLResponse
  /// The mutation that ran; nil for a query, and for a request that was refused before it ran.
  var mutation: PerformedMutation?
}

/// A mutation came by a method that changes nothing.
struct GraphQLMethodRefusal: Error {}

/// The numbers that the server keeps about GraphQL.
struct GraphQLMetrics: Sendable {
  let requests, pushes: Counter
  let connections, subscriptions: Gauge

  init(_ registry: MetricsRegistry) {
    requests = registry.counter("openrealm_graphql_requests_total", help: "GraphQL requests")
    pushes = registry.counter("openrealm_graphql_pushes_total", help: "Results sent to GraphQL subscriptions")
    connections = registry.gauge("openrealm_graphql_connections", help: "Open GraphQL WebSockets")
    subscriptions = registry.gauge("openrealm_graphql_subscriptions", help: "GraphQL subscriptions")
  }
}
