import AccessTokens
import ByteCoding
import Transport

/// Notes the outcome of a request in the audit log before the answer is sent.
final class AuditingResponder: HTTPResponder {
  /// The outcomes that are noted.
  enum Noted: Sendable { case everything, refusals }

  /// Where a request that succeeded has proven who its sender is. What was not checked proves nothing: anybody can write it.
  enum Proof: Sendable {
    /// The token that the route checks: the header's, else the cookie's.
    case bearer
    /// The cookie of Studio.
    case cookie
    /// The token in the body.
    case body
    /// Nothing but the answer, which says who logged in.
    case answer
  }

  private let responder: any HTTPResponder
  private let trail: AuditTrail
  private let event: String
  private let request: HTTPRequest
  private let parameters: [String: String]
  private let notes: Noted
  private let proof: Proof

  /// - Parameter parameters: the parts of the path that may be noted: no secrets.
  init(
    _ responder: any HTTPResponder, trail: AuditTrail, event: String, request: HTTPRequest,
    parameters: [String: String] = [:], notes: Noted = .everything, proof: Proof = .bearer
  ) {
    self.responder = responder
    self.trail = trail
    self.event = event
    self.request = request
    self.parameters = parameters
    self.notes = notes
    self.proof = proof
  }

  func respond(_ response: HTTPResponse) {
    let responder = responder
    guard notes == .everything || response.status == 401 || response.status == 403 else {
      return responder.respond(response)
    }
    trail.note(entry(response)) { responder.respond(response) }
  }

  func stream(
    _ head: HTTPResponse, options: HTTPStreamOptions, handler: any HTTPBodyHandler
  ) -> any HTTPBodyWriter {
    if notes == .everything { trail.note(entry(head)) }
    return responder.stream(head, options: options, handler: handler)
  }

  /// The members of bodies and the items of queries that are noted; no other text of a request is.
  private static let noted = [
    "path", "newPath", "access", "userId", "isAdministrator", "isDisabled", "name", "level", "kind",
    "class", "role", "format",
  ]

  private func entry(_ response: HTTPResponse) -> AuditLog.Event {
    let isRefused = response.status >= 400
    let answer = try? JSONValue(parsing: response.text)
    let body = request.body.isEmpty ? nil : try? JSONValue(parsing: String(decoding: request.body, as: UTF8.self))
    var details: [AuditEntry.Detail] = []
    var subject = parameters["user"] ?? ""
    if subject.isEmpty, !isRefused { subject = answer?["user_id"]?.string ?? answer?["id"]?.string ?? "" }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) where name != "user" {
      details.append(.init(name, value))
    }
    for name in Self.noted {
      guard let value = request.queryItem(name) ?? body?[name].flatMap(Self.text) else { continue }
      if name == "path", subject.isEmpty { subject = value } else { details.append(.init(name, value)) }
    }
    return AuditLog.Event(
      event, actor: actor(isRefused, answer, body), subject: subject, address: request.remoteAddress,
      outcome: isRefused ? answer?["error_code"]?.string ?? String(response.status) : "ok", details: details)
  }

  /// The user whose token was accepted, or who logged in. Of a refused request the token proves nothing.
  private func actor(_ isRefused: Bool, _ answer: JSONValue?, _ body: JSONValue?) -> String {
    guard !isRefused else { return "" }
    let loggedIn = answer?["user_id"]?.string ?? answer?["refresh_token"]?["token_data"]?["identity"]?.string
    if let loggedIn { return loggedIn }
    let token: String? =
      switch proof {
      case .bearer: HTTPAPI.bearerText(of: request) ?? StudioLogin.token(of: request)
      case .cookie: StudioLogin.token(of: request)
      case .body: body?["token"]?.string
      case .answer: nil
      }
    return token.flatMap { try? TokenVerifier.readWithoutVerification($0) }?.user.rawValue ?? ""
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .bool(let value): String(value)
    case .number(let text): text
    case .null, .array, .object: nil
    }
  }
}
