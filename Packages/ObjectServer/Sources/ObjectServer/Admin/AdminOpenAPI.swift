import ByteCoding
import Transport

extension AdminOperation {
  static let openAPI = AdminOperation(
    name: "openAPI", method: "GET", path: "openapi.json",
    summary: "This description, written from the table that requests are routed and checked by.",
    answer: .any, access: .nothing,
    work: .stream { call, responder in
      var response = HTTPResponse(
        status: 200, json: Array(AdminOpenAPI.document(version: call.services.configuration.version).text.utf8))
      response.headers["Cache-Control"] = "no-cache"
      responder.respond(response)
    })
}

/// The OpenAPI 3.1 description of the administration API.
enum AdminOpenAPI {
  /// The document for a version of the server.
  static func document(version: String) -> JSONValue {
    .object([
      ("openapi", "3.1.0"),
      (
        "info",
        .object([
          ("title", "OpenRealm administration"), ("version", .string(version)),
          (
            "description",
            "Administration of a realm object server. An operation asks for an administrator's access token, or the operator's token of keys/admin.json; those that say so act for any user, within that user's rights."
          ),
        ])
      ),
      ("servers", .array([.object([("url", .string(String(AdminAPI.prefix.dropLast())))])])),
      ("security", .array([.object([("bearer", .array([]))])])),
      ("paths", .object(paths())),
      (
        "components",
        .object([
          ("securitySchemes", .object([("bearer", .object([("type", "http"), ("scheme", "bearer")]))])),
          ("schemas", .object([("Error", error.description)])),
        ])
      ),
    ])
  }

  static let error = AdminSchema.object([
    .init("error", .string(), "A sentence for people."), .init("error_code", .string(), "The code for programs."),
    .init("link", .string()),
  ])

  private static func paths() -> [(key: String, value: JSONValue)] {
    var order: [String] = []
    var methods: [String: [(key: String, value: JSONValue)]] = [:]
    for operation in AdminOperation.all {
      if methods[operation.path] == nil { order.append(operation.path) }
      methods[operation.path, default: []].append((operation.method.lowercased(), describe(operation)))
    }
    return order.map { ("/" + $0, .object(methods[$0] ?? [])) }
  }

  private static func describe(_ operation: AdminOperation) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("operationId", .string(operation.name)), ("summary", .string(operation.summary)),
    ]
    if operation.isOpen { members.append(("security", .array([]))) }
    if !operation.parameters.isEmpty {
      members.append(("parameters", .array(operation.parameters.map(describe))))
    }
    if let body = operation.body {
      members.append(
        ("requestBody", .object([("required", .bool(true)), ("content", content(body, "application/json"))])))
    }
    var answers: [(key: String, value: JSONValue)] = []
    if let answer = operation.answer {
      answers.append(
        (
          String(operation.status),
          .object([("description", "Done."), ("content", content(answer, operation.contentType))])
        ))
    } else {
      answers.append(("204", .object([("description", "Done.")])))
    }
    for status in statuses(of: operation) {
      answers.append(
        (
          String(status),
          .object([
            ("description", .string(reason(status))), ("content", refusal(status)),
          ])
        ))
    }
    members.append(("responses", .object(answers)))
    return .object(members)
  }

  /// The statuses with which an operation may refuse.
  static func statuses(of operation: AdminOperation) -> [Int] {
    var statuses = Set(operation.refusals)
    if !operation.isOpen { statuses.formUnion([401, 403, 500]) }
    if operation.access == .unbounded { statuses.insert(429) }
    if operation.body != nil || !operation.parameters.isEmpty { statuses.insert(400) }
    if operation.body != nil { statuses.insert(413) }
    statuses.insert(431)
    return statuses.sorted()
  }

  /// The body of a refusal. What is too large is refused before anything reads it, by a line of text.
  private static func refusal(_ status: Int) -> JSONValue {
    let text: (key: String, value: JSONValue) = ("text/plain", .object([("schema", AdminSchema.string().description)]))
    let json: (key: String, value: JSONValue) = (
      "application/json", .object([("schema", .object([("$ref", "#/components/schemas/Error")]))])
    )
    return .object(status == 431 ? [text] : status == 413 ? [json, text] : [json])
  }

  private static func content(_ schema: AdminSchema, _ type: String) -> JSONValue {
    // Streams and this very document have no shape of their own here.
    type == "application/json"
      ? .object([(type, .object([("schema", schema.description)]))]) : .object([(type, .object([]))])
  }

  private static func describe(_ parameter: AdminOperation.Parameter) -> JSONValue {
    .object([
      ("name", .string(parameter.name)), ("in", .string(parameter.place.rawValue)),
      ("required", .bool(parameter.isRequired)), ("description", .string(parameter.summary)),
      ("schema", parameter.schema.description),
    ])
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 400: "The request is not understood."
    case 401: "There is no valid token."
    case 403: "The bearer is no administrator."
    case 404: "There is no such thing."
    case 409: "It cannot be done now, or is done already."
    case 413: "The body is larger than this server takes."
    case 429: "Too many at a time."
    case 431: "The line of the request and its headers are larger than this server takes."
    case 501: "This server does not have it."
    default: "The server failed."
    }
  }
}
