import ByteCoding
import GraphQL
import Telemetry
import Transport

/// GraphQL over HTTP.
extension HTTPAPI {
  /// Answers a query or a mutation: `GET` with the query in the URL, `POST` with a JSON body.
  func graphQL(_ routed: RoutedRequest, _ responder: any HTTPResponder) {
    guard let realms = graphQL else { return responder.respond(JSONAnswer.refusal(.noGraphQL)) }
    let accepted = GraphQLMediaType(accepting: routed.http.headers["Accept"])
    guard let media = accepted else {
      return responder.respond(
        GraphQLHTTP.refusal(406, "The answer is application/json or \(GraphQLMediaType.graphQL.rawValue).", .json))
    }
    let request: GraphQLRequest
    do { request = try GraphQLHTTP.request(of: routed.http) } catch {
      return responder.respond(GraphQLHTTP.refusal(error.status, error.error, media))
    }
    authorise(routed, realms, media, responder) { [self] target in
      realms.execute(
        request, at: target, mayMutate: routed.http.method == "POST", from: routed.http.remoteAddress
      ) { [self] result in
        switch result {
        case .success(let answer): responder.respond(GraphQLHTTP.response(answer.response, media))
        case .failure(let error): responder.respond(refusal(error, media))
        }
      }
    }
  }

  /// Answers the schema of a realm as text.
  func graphQLSchema(_ routed: RoutedRequest, _ responder: any HTTPResponder) {
    guard let realms = graphQL else { return responder.respond(JSONAnswer.refusal(.noGraphQL)) }
    authorise(routed, realms, .json, responder) { [self] target in
      realms.schema(at: target) { [self] result in
        switch result {
        case .success(let text):
          responder.respond(
            HTTPResponse(
              status: 200,
              headers: ["Content-Type": "text/plain; charset=utf-8", "Access-Control-Allow-Origin": "*"],
              body: Array(text.utf8)))
        case .failure(let error): responder.respond(refusal(error, .json))
        }
      }
    }
  }

  /// Forgets the schemas that are kept of a realm. They follow the realm by themselves, so nothing but time changes.
  func clearGraphQLSchema(_ routed: RoutedRequest, _ responder: any HTTPResponder) {
    guard let realms = graphQL else { return responder.respond(JSONAnswer.refusal(.noGraphQL)) }
    authorise(routed, realms, .json, responder) { [self] target in
      realms.clearSchema(at: target) { [self] result in
        switch result {
        case .success: responder.respond(JSONAnswer.empty(204))
        case .failure(let error): responder.respond(refusal(error, .json))
        }
      }
    }
  }

  /// Checks the token and the access to the realm on the executor; refuses, or goes on with the realm on the loop.
  private func authorise(
    _ routed: RoutedRequest, _ realms: GraphQLRealms, _ media: GraphQLMediaType, _ responder: any HTTPResponder,
    then body: @escaping @Sendable (RealmTarget) -> Void
  ) {
    guard realms.settings.asksForTokens || routed.http.isOfThisSite else {
      return responder.respond(GraphQLHTTP.refusal(403, "Without tokens only pages of this server may ask.", media))
    }
    let (accounts, path) = (accounts, routed[.realm])
    let (admissions, clock) = (realms.hub.admissions, realms.hub.scheduler)
    let key = Self.bearerText(of: routed.http).map { GraphQLAdmissions.Key(route: routed.route, token: $0, path: path) }
    if let key, let target = admissions.target(key, at: clock.now, clock.wallTime) { return body(target) }
    let (generation, now) = (admissions.generation, clock.now)
    context.perform(.directory) { () -> Result<RealmTarget, any Error> in
      Result {
        let bearer =
          realms.settings.asksForTokens ? try Self.bearer(of: routed, accounts) : RealmTarget.anyone
        let target = try realms.target(path, bearer)
        if let key { admissions.keep(target, for: key, from: generation, at: now, tokenEnd: bearer.expiresAt) }
        return target
      }
    } then: { [self] result in
      switch result {
      case .success(.success(let target)): body(target)
      case .success(.failure(let error)): responder.respond(refusal(error, media))
      }
    }
  }

  private func refusal(_ error: any Error, _ media: GraphQLMediaType) -> HTTPResponse {
    switch error {
    case is GraphQLMethodRefusal:
      var response = GraphQLHTTP.refusal(405, "A mutation is sent by POST.", media)
      response.headers["Allow"] = "POST"
      return response
    case let error as APIError: return GraphQLHTTP.refusal(error, media)
    case let error as ServerError where error.code == .realmConflict:
      return GraphQLHTTP.refusal(409, "\(error.message); \(error.remedy)", media)
    default:
      logger.error("a GraphQL request failed", ["reason": LogValue("\(error)")])
      return GraphQLHTTP.refusal(.storage, media)
    }
  }
}

extension APIError {
  static let noGraphQL = APIError(404, .notFound, "GraphQL is switched off on this server")
}
