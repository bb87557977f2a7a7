/// A whole response, as a server writes it and a client reads it.
///
///     HTTPResponse(status: 404, text: "no such path\n")
public struct HTTPResponse: Hashable, Sendable {
  /// The status code, 100 to 599.
  public var status: Int
  /// The header lines. `Content-Length`, `Connection` and `Date` are added when written.
  public var headers: HTTPHeaders
  /// The body; empty when there is none.
  public var body: [UInt8]

  /// A response with all its parts.
  public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A response of plain UTF-8 text.
  public init(status: Int, text: String) {
    self.init(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
  }

  /// A response of JSON bytes.
  public init(status: Int, json: [UInt8]) {
    self.init(status: status, headers: ["Content-Type": "application/json"], body: json)
  }

  /// Whether the status is 200 to 299.
  public var isSuccess: Bool { (200...299).contains(status) }

  /// The body as text, invalid UTF-8 repaired.
  public var text: String { String(decoding: body, as: UTF8.self) }
}
