import Foundation
import Telemetry
import Transport

/// The answer of a login function.
private struct FunctionAnswer: Decodable {
  var id: String
  var isAdmin: Bool?
}

extension HTTPAPI {
  /// The most calls of login functions at a time.
  static let maximumFunctionCalls = 64

  /// Asks the operator's function who a client is, with the client's document, and logs in whom it names.
  ///
  /// - Throws: ``APIError`` with 400 when the document is no JSON, with 429 when too many are asked.
  func logIn(
    byFunction provider: FunctionProvider, _ document: [UInt8], app: String, _ request: HTTPRequest,
    _ responder: any HTTPResponder, _ respond: @escaping @Sendable (Accounts.Tokens) throws -> HTTPResponse,
    refusal: @escaping @Sendable (APIError) -> HTTPResponse = JSONAnswer.refusal
  ) throws(APIError) {
    let accounts = accounts
    try ask(provider, document, app: app, request, responder) {
      try respond(accounts.logIn($0, app: app))
    } refusal: {
      refusal($0)
    }
  }

  /// Asks the operator's function who a client is, with the client's document, and answers with what `respond` makes of it.
  ///
  /// - Throws: ``APIError`` with 400 when the document is no JSON, with 429 when too many are asked.
  func ask(
    _ provider: FunctionProvider, _ document: [UInt8], app: String, _ request: HTTPRequest,
    _ responder: any HTTPResponder, _ respond: @escaping @Sendable (ForeignUser) throws -> HTTPResponse,
    refusal: @escaping @Sendable (APIError) -> HTTPResponse
  ) throws(APIError) {
    guard (try? JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)) != nil else {
      throw APIError(400, .badRequest, "the body is not JSON")
    }
    guard functionCalls < Self.maximumFunctionCalls else {
      throw APIError(429, .tooManyAttempts, "too many logins at a time; try again", secondsToWait: 1)
    }
    functionCalls += 1
    var headers: HTTPHeaders = ["Content-Type": "application/json", "X-OpenRealm-App": app]
    if let secret = provider.secret { headers["Authorization"] = "Bearer " + secret }
    let call = HTTPClientRequest(
      method: "POST", url: provider.url, headers: headers, body: document, timeout: .seconds(10),
      maximumResponseBytes: 64 << 10)
    let (network, logger) = (Self.network(of: request), logger)
    self.network.send(call) { [self] result in
      functionCalls -= 1
      answer(.directory, responder, refusal: refusal) { [self] in
        try reportingRefusals(of: provider.name, network) { try respond(Self.user(result, provider, logger)) }
      }
    }
  }

  private static func user(
    _ result: Result<HTTPResponse, TransportError>, _ provider: FunctionProvider, _ logger: Logger
  ) throws(APIError) -> ForeignUser {
    let unusable = APIError(503, .internalServerError, "the login function '\(provider.name)' cannot be used now")
    let response: HTTPResponse
    switch result {
    case .success(let found): response = found
    case .failure(let error):
      logger.error(
        "a login function cannot be reached",
        [
          "provider": .string(provider.name), "reason": .string(error.message),
        ])
      throw unusable
    }
    guard (200..<300).contains(response.status) else {
      guard (400..<500).contains(response.status) else { throw unusable }
      throw APIError(401, .authError, "the login function '\(provider.name)' does not know this user")
    }
    guard let answer = try? JSONDecoder().decode(FunctionAnswer.self, from: Data(response.body)),
      !answer.id.isEmpty, answer.id.utf8.count <= Accounts.maximumNameBytes,
      answer.id.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else {
      logger.error("a login function answers without an id", ["provider": .string(provider.name)])
      throw unusable
    }
    let plain = AuthProvider.function.rawValue
    return ForeignUser(
      provider: provider.name == plain ? plain : plain + ":" + provider.name, name: answer.id,
      isAdministrator: answer.isAdmin)
  }
}
