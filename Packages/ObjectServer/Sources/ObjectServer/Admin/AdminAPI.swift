import ByteCoding
import Telemetry
import Transport

/// Answers requests below ``prefix``: finds the operation, admits the bearer, checks parameters and body, and performs it.
struct AdminAPI: Sendable {
  /// The beginning of all paths of the administration API.
  static let prefix = "/api/openrealm/v1/admin/"

  let services: AdminServices
  private let operations = AdminOperation.all

  init(_ services: AdminServices) { self.services = services }

  /// Whether the administration API answers a request.
  static func answers(_ request: HTTPRequest) -> Bool { request.path.hasPrefix(prefix) }

  /// Answers one request; never blocks. On the loop.
  ///
  /// - Throws: ``APIError`` with 404 or 405 when there is no such operation.
  func respond(to request: HTTPRequest, with responder: any HTTPResponder) throws(APIError) {
    let (operation, parameters) = try find(request)
    let responder = audited(responder, request, operation, parameters)
    let services = services
    switch operation.work {
    case .blocking(let queue, let work):
      services.context.perform(queue) { () -> Result<JSONValue?, APIError> in
        Self.catching(services) {
          let call = try Self.admit(request, operation, parameters, services)
          return try work(call)
        }
      } then: { (result: Result<Result<JSONValue?, APIError>, Never>) in
        if case .success(let result) = result { responder.respond(Self.response(result, operation)) }
      }
    case .loop(let work):
      onLoop(request, operation, parameters, responder) { call in
        let answer: AdminOperation.Completion = { responder.respond(Self.response($0, operation)) }
        guard let bearer = call.bearer, !bearer.subject.isAdministrator else { return work(call, answer) }
        do throws(APIError) { try services.requests.begin(bearer.user) } catch { return answer(.failure(error)) }
        work(call) {
          services.requests.end(bearer.user)
          answer($0)
        }
      }
    case .stream(let work): onLoop(request, operation, parameters, responder) { work($0, responder) }
    }
  }

  private func find(_ request: HTTPRequest) throws(APIError) -> (AdminOperation, [String: String]) {
    try Self.find(request, among: operations)
  }

  /// The operation that a request names, with the parameters of its path.
  ///
  /// - Throws: ``APIError`` with 404 or 405.
  static func find(
    _ request: HTTPRequest, among operations: [AdminOperation]
  ) throws(APIError) -> (AdminOperation, [String: String]) {
    let path = request.path.dropFirst(Self.prefix.count).split(separator: "/").map { PercentCoding.decoded($0) ?? "" }
    var methods: Set<String> = []
    for operation in operations {
      guard let parameters = operation.match(path) else { continue }
      if operation.method == request.method { return (operation, parameters) }
      methods.insert(operation.method)
    }
    guard !methods.isEmpty else { throw APIError(404, .notFound, "there is nothing at this path") }
    throw APIError(405, .methodNotAllowed, "use \(methods.sorted().joined(separator: " or ")) here")
  }

  /// Admits a request on the executor, then goes on on the loop.
  private func onLoop(
    _ request: HTTPRequest, _ operation: AdminOperation, _ parameters: [String: String],
    _ responder: any HTTPResponder, then work: @escaping @Sendable (AdminCall) -> Void
  ) {
    let services = services
    services.context.perform(.directory) { () -> Result<AdminCall, APIError> in
      Self.catching(services) { try Self.admit(request, operation, parameters, services) }
    } then: { (result: Result<Result<AdminCall, APIError>, Never>) in
      guard case .success(let result) = result else { return }
      switch result {
      case .success(let call): work(call)
      case .failure(let error): responder.respond(JSONAnswer.refusal(error))
      }
    }
  }

  static func catching<Value>(
    _ services: AdminServices, _ work: () throws -> Value
  ) -> Result<Value, APIError> {
    do {
      return .success(try work())
    } catch let error as APIError {
      return .failure(error)
    } catch let error as ServerError where error.code == .realmConflict || error.code == .noSuchUser {
      return .failure(
        APIError(
          error.code == .noSuchUser ? 404 : 409, error.code == .noSuchUser ? .userNotFound : .realmConflict,
          "\(error.message); \(error.remedy)"))
    } catch {
      services.logger.error("a request failed", ["reason": LogValue("\(error)")])
      return .failure(.storage)
    }
  }

  /// Checks the bearer first, so that nobody else learns what a request means, then what was sent.
  private static func admit(
    _ request: HTTPRequest, _ operation: AdminOperation, _ path: [String: String], _ services: AdminServices
  ) throws -> AdminCall {
    let bearer =
      operation.isOpen ? nil : try HTTPAPI.bearer(of: request, asking: operation.access, services.accounts)
    return AdminCall(
      http: request, arguments: try arguments(of: request, operation, path), bearer: bearer, services: services)
  }

  /// The arguments that a request gives to an operation.
  ///
  /// - Parameter path: the parameters of the path.
  /// - Throws: ``APIError`` with 400 for what does not have the shape that the operation asks for.
  static func arguments(
    of request: HTTPRequest, _ operation: AdminOperation, _ path: [String: String]
  ) throws(APIError) -> AdminArguments {
    var given = path
    for parameter in operation.parameters where parameter.place == .query {
      given[parameter.name] = request.queryItem(parameter.name)
    }
    for parameter in operation.parameters {
      guard let text = given[parameter.name] else {
        if parameter.isRequired { throw APIError(400, .missingParameter, "'\(parameter.name)' is missing") }
        continue
      }
      if let problem = parameter.schema.problem(in: value(text, as: parameter.schema), at: parameter.name) {
        throw APIError(400, .invalidParameter, problem)
      }
    }
    var body = JSONValue.null
    if let schema = operation.body {
      do {
        body = try JSONValue(parsing: request.body)
      } catch {
        throw APIError(400, .badRequest, "the body is not JSON: \(error)")
      }
      if let problem = schema.problem(in: body) { throw APIError(400, .invalidParameter, problem) }
    }
    return AdminArguments(parameters: given, body: body)
  }

  /// The text of a parameter as the JSON value that its shape describes.
  private static func value(_ text: String, as schema: AdminSchema) -> JSONValue {
    switch schema {
    case .integer: Int64(text).map { .integer($0) } ?? .string(text)
    case .boolean: text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
    case .string, .choice, .number, .any, .array, .object, .map: .string(text)
    }
  }

  static func response(_ result: Result<JSONValue?, APIError>, _ operation: AdminOperation) -> HTTPResponse {
    switch result {
    case .failure(let error): return JSONAnswer.refusal(error)
    case .success(nil): return HTTPResponse(status: 204)
    case .success(let value?):
      var response = HTTPResponse(status: operation.status, json: Array(value.text.utf8))
      response.headers["Cache-Control"] = "no-store"
      return response
    }
  }

  /// Requests that change something are noted with their outcome, others when they are refused to their bearer.
  private func audited(
    _ responder: any HTTPResponder, _ request: HTTPRequest, _ operation: AdminOperation, _ parameters: [String: String]
  ) -> any HTTPResponder {
    guard let trail = services.audit, !operation.isOpen else { return responder }
    return AuditingResponder(
      responder, trail: trail, event: "admin." + operation.name, request: request, parameters: parameters,
      notes: operation.isNoted ? .everything : .refusals)
  }
}

extension APIError {
  static func notServed(_ message: String) -> APIError { APIError(501, .notServed, message) }
}
