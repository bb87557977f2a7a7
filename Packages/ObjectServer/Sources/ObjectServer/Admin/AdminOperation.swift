import ByteCoding
import Concurrency
import Transport

/// One operation of the administration API: the only place that says its path, its parameters, its shapes and its work. Requests
/// are routed and checked by it, and the OpenAPI document is written from it.
struct AdminOperation: Sendable {
  /// A parameter of the path or of the query.
  struct Parameter: Sendable {
    enum Place: String, Sendable { case path, query }
    var name: String
    var place: Place
    var schema: AdminSchema
    var isRequired: Bool
    var summary: String

    static func path(_ name: String, _ summary: String) -> Parameter {
      Parameter(name: name, place: .path, schema: .string(maximum: 1_024), isRequired: true, summary: summary)
    }
    static func query(_ name: String, _ summary: String) -> Parameter {
      query(name, .string(maximum: 1_024), summary)
    }
    static func query(
      _ name: String, _ schema: AdminSchema, isRequired: Bool = false, _ summary: String
    ) -> Parameter {
      Parameter(name: name, place: .query, schema: schema, isRequired: isRequired, summary: summary)
    }
  }

  /// The work of an operation.
  enum Work: Sendable {
    /// On the executor. The answer has the operation's shape; nil for an operation without an answer.
    case blocking(SerialQueue, @Sendable (AdminCall) throws -> JSONValue?)
    /// On the loop, once the bearer is known.
    case loop(@Sendable (AdminCall, @escaping @Sendable (Result<JSONValue?, APIError>) -> Void) -> Void)
    /// On the loop; answers by itself.
    case stream(@Sendable (AdminCall, any HTTPResponder) -> Void)
  }

  /// The name in the OpenAPI document and in the audit log.
  var name: String
  var method: String
  /// The path below the prefix, with parameters in braces.
  var path: String
  var summary: String
  var parameters: [Parameter] = []
  var body: AdminSchema?
  /// The shape of the answer; nil for none.
  var answer: AdminSchema?
  var status = 200
  /// The statuses of refusals besides those of every operation.
  var refusals: [Int] = []
  var contentType = "application/json"
  /// The bearer that it asks for: nobody, an administrator, or any user, for whom it acts within their rights.
  var access = RequiredBearer.administrator
  var work: Work

  /// Whether it is open to everybody.
  var isOpen: Bool { access == .nothing }

  var segments: [Substring] { path.split(separator: "/") }

  /// Whether requests are noted in the audit log: all that change something.
  var isNoted: Bool { method != "GET" }

  /// The parameters of a path below the prefix; nil when it is another.
  func match(_ path: [String]) -> [String: String]? {
    let segments = segments
    guard segments.count == path.count else { return nil }
    var found: [String: String] = [:]
    for (segment, text) in zip(segments, path) {
      if segment.hasPrefix("{") {
        guard !text.isEmpty else { return nil }
        found[String(segment.dropFirst().dropLast())] = text
      } else if segment != text {
        return nil
      }
    }
    return found
  }
}

/// The arguments that a request gives to an operation, checked against its shape.
struct AdminArguments: Sendable {
  /// The parameters of path and query that were given.
  let parameters: [String: String]
  /// The body; null for an operation without one.
  let body: JSONValue

  /// A parameter that the operation requires.
  subscript(name: String) -> String { parameters[name] ?? "" }
  func integer(_ name: String) -> Int64? { parameters[name].flatMap { Int64($0) } }
  func flag(_ name: String) -> Bool { parameters[name] == "true" }
  /// A text of the body; empty when it is missing.
  func text(_ name: String) -> String { body[name]?.string ?? "" }
}

/// A checked call of an operation.
@dynamicMemberLookup
struct AdminCall: Sendable {
  let http: HTTPRequest
  let arguments: AdminArguments
  /// The administrator; nil for an operation that is open to everybody.
  let bearer: Bearer?
  let services: AdminServices

  subscript<Value>(dynamicMember member: KeyPath<AdminArguments, Value>) -> Value { arguments[keyPath: member] }
  subscript(name: String) -> String { arguments[name] }
  func integer(_ name: String) -> Int64? { arguments.integer(name) }
  /// The number of rows that a list is to have.
  var limit: Int { Int(clamping: integer("limit") ?? 100) }
}
