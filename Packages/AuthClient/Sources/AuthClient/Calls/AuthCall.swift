import FoundationEssentials
import Transport

/// One call to a server as a value: the request, and the decoding of the answer. Performs nothing.
struct AuthCall<Answer: Sendable>: Sendable {
  /// The token that authorises a call.
  enum Authorisation: Sendable { case none, access, refresh }

  var method: String
  var path: String
  var body: [UInt8]
  var authorisation: Authorisation
  var read: @Sendable (HTTPResponse) throws(AuthError) -> Answer

  func request(to server: NetworkURL, bearer: String?, timeout: Duration) -> HTTPClientRequest {
    var headers: HTTPHeaders = ["Accept": "application/json"]
    if !body.isEmpty { headers["Content-Type"] = "application/json" }
    if let bearer { headers["Authorization"] = "Bearer \(bearer)" }
    let url = NetworkURL(
      scheme: server.scheme.isSecure ? .https : .http, host: server.host, port: server.port, target: path)
    return HTTPClientRequest(
      method: method, url: url, headers: headers, body: body, timeout: timeout, maximumResponseBytes: 8 << 20)
  }

  /// The answer of a call, or the error that the server named.
  func answer(_ response: HTTPResponse) throws(AuthError) -> Answer {
    guard response.isSuccess else { throw ServerRefusal.error(of: response) }
    return try read(response)
  }
}

extension AuthCall where Answer: Decodable {
  init(
    _ method: String, _ path: String, authorisation: Authorisation, body: (any Encodable & Sendable)? = nil
  ) {
    self.init(method, path, authorisation: authorisation, rawBody: Self.encoded(body))
  }

  /// A call whose body is JSON already.
  init(_ method: String, _ path: String, authorisation: Authorisation, rawBody: [UInt8]) {
    self.init(method: method, path: path, body: rawBody, authorisation: authorisation) {
      response throws(AuthError) in
      do {
        return try JSONDecoder().decode(Answer.self, from: Data(response.body))
      } catch {
        throw AuthError.badResponse("it lacks what was asked for", status: response.status)
      }
    }
  }
}

extension AuthCall where Answer == Void {
  init(
    _ method: String, _ path: String, authorisation: Authorisation, body: (any Encodable & Sendable)? = nil
  ) {
    self.init(method, path, authorisation: authorisation, rawBody: Self.encoded(body))
  }

  /// A call whose body is JSON already.
  init(_ method: String, _ path: String, authorisation: Authorisation, rawBody: [UInt8]) {
    self.init(method: method, path: path, body: rawBody, authorisation: authorisation) { _ throws(AuthError) in }
  }
}

extension AuthCall {
  /// The body as JSON. Bodies are structs of texts and numbers, which always encode.
  private static func encoded(_ body: (any Encodable)?) -> [UInt8] {
    guard let body else { return [] }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(body)).map { Array($0) } ?? []
  }
}
