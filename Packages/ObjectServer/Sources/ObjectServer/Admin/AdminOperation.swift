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
  /// Whether the operation is open to everybody; all others ask for an administrator.
  var isOpen = false
  var work: Work

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

/// A checked call of an operation.
struct AdminCall: Sendable {
  let http: HTTPRequest
  /// The parameters of path and query that were given.
  let parameters: [String: String]
  /// The body; null for an operation without one.
  let body: JSONValue
  /// The administrator; nil for an operation that is open to everybody.
  let bearer: Bearer?
  let services: AdminServices

  /// A parameter that the operation requires.
  subscript(name: String) -> String { parameters[name] ?? "" }
  func integer(_ name: String) -> Int64? { parameters[name].flatMap { Int64($0) } }
  /// The number of rows that a list is to have.
  var limit: Int { Int(clamping: integer("limit") ?? 100) }
}
