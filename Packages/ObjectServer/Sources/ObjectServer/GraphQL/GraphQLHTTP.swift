import ByteCoding
import GraphQL
import Transport

/// The media types of GraphQL responses.
enum GraphQLMediaType: String {
  /// Every response to a request that was understood has the status 200.
  case json = "application/json"
  /// A request that was refused before it ran has a status of 400.
  case graphQL = "application/graphql-response+json"

  /// The type that a client likes best of those that there are; nil when it takes none of them.
  init?(accepting header: String?) {
    guard let header, !header.isEmpty else {
      self = .json
      return
    }
    var best: (type: GraphQLMediaType, quality: Double)?
    for part in header.split(separator: ",") {
      let items = part.split(separator: ";").map { $0.trimmingHTTPSpaces.lowercased() }
      guard let name = items.first else { continue }
      let quality = items.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      let type: GraphQLMediaType
      switch name {
      case Self.json.rawValue, "*/*", "application/*": type = .json
      case Self.graphQL.rawValue: type = .graphQL
      default: continue
      }
      if quality > 0, best.map({ $0.quality < quality }) ?? true { best = (type, quality) }
    }
    guard let best else { return nil }
    self = best.type
  }
}

extension Substring {
  fileprivate var trimmingHTTPSpaces: Substring {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}

/// Requests and responses of "GraphQL over HTTP".
enum GraphQLHTTP {
  /// A request that cannot be read, with its status.
  struct Unreadable: Error {
    var status: Int
    var error: GraphQLError
  }

  /// The request of a URL or a body.
  static func request(of http: HTTPRequest) throws(Unreadable) -> GraphQLRequest {
    do throws(GraphQLError) {
      return try GraphQLRequest(json: try http.method == "GET" ? urlBody(http) : jsonBody(http))
    } catch {
      throw Unreadable(status: error.code == "UNSUPPORTED_MEDIA_TYPE" ? 415 : 400, error: error)
    }
  }

  private static func jsonBody(_ http: HTTPRequest) throws(GraphQLError) -> JSONValue {
    let items = (http.headers["Content-Type"] ?? "").split(separator: ";").map { $0.trimmingHTTPSpaces.lowercased() }
    guard items.first == "application/json" else {
      throw GraphQLError("The body of a request is application/json.", code: "UNSUPPORTED_MEDIA_TYPE")
    }
    let charset = items.dropFirst().first { $0.hasPrefix("charset=") }?.dropFirst(8).filter { $0 != "\"" }
    guard charset.map({ $0 == "utf-8" || $0 == "utf8" }) ?? true else {
      throw GraphQLError("The body of a request is UTF-8.", code: "UNSUPPORTED_MEDIA_TYPE")
    }
    do { return try JSONValue(parsing: http.body) } catch {
      throw GraphQLError("The body is no JSON: byte \(error.position).", code: "BAD_REQUEST")
    }
  }

  private static func urlBody(_ http: HTTPRequest) throws(GraphQLError) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = []
    for name in ["query", "operationName"] {
      if let text = http.formItem(name) { members.append((name, .string(text))) }
    }
    for name in ["variables", "extensions"] {
      guard let text = http.formItem(name), !text.isEmpty else { continue }
      do { members.append((name, try JSONValue(parsing: text))) } catch {
        throw GraphQLError("\"\(name)\" in the URL is no JSON: byte \(error.position).", code: "BAD_REQUEST")
      }
    }
    return .object(members)
  }

  /// The response to a request that was understood.
  static func response(_ response: GraphQLResponse, _ media: GraphQLMediaType) -> HTTPResponse {
    let isRefused = response.data == nil && media == .graphQL
    return message(isRefused ? 400 : 200, response, media)
  }

  /// The response to a request that was not.
  static func refusal(_ status: Int, _ error: GraphQLError, _ media: GraphQLMediaType) -> HTTPResponse {
    message(status, GraphQLResponse(refused: [error]), media)
  }

  static func refusal(_ status: Int, _ text: String, _ media: GraphQLMediaType) -> HTTPResponse {
    refusal(status, GraphQLError(text, code: "BAD_REQUEST"), media)
  }

  static func refusal(_ error: APIError, _ media: GraphQLMediaType) -> HTTPResponse {
    let text = error.status == 401 ? "401: Unauthorized: \(error.message)" : error.message
    var response = refusal(error.status, GraphQLError(text, code: error.code.rawValue), media)
    response.headers["Retry-After"] = error.secondsToWait.map(String.init)
    if error.status == 401 { response.headers["WWW-Authenticate"] = "Bearer" }
    return response
  }

  private static func message(_ status: Int, _ response: GraphQLResponse, _ media: GraphQLMediaType) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        "Content-Type": media.rawValue + "; charset=utf-8", "Access-Control-Allow-Origin": "*",
        "Cache-Control": "no-store",
      ], body: response.bytes)
  }
}

extension HTTPRequest {
  /// Whether no page of another site sent the request.
  var isOfThisSite: Bool {
    guard let origin = headers["Origin"] else { return true }
    return origin.hasSuffix("://" + (headers["Host"] ?? ""))
  }

  /// The first value of a query item as forms write it: a plus is a space.
  fileprivate func formItem(_ name: String) -> String? {
    for item in (query ?? "").split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, PercentCoding.decoded(key) == name else { continue }
      let text = String((parts.dropFirst().first ?? "").map { $0 == "+" ? " " : $0 })
      return PercentCoding.decoded(text[...])
    }
    return nil
  }
}
