/// The bytes of HTTP/1.1 messages.
public enum HTTPMessageWriter {
  /// A request with its body. Line breaks in names and values are dropped, so no header can smuggle another.
  public static func request(method: String, target: String, headers: HTTPHeaders, body: [UInt8]) -> [UInt8] {
    var bytes = Array("\(clean(method)) \(clean(target)) HTTP/1.1\r\n".utf8)
    write(headers, to: &bytes)
    bytes.append(contentsOf: body)
    return bytes
  }

  /// A response with its body.
  ///
  /// - Parameters:
  ///   - response: `Content-Length` is set here, except for 1xx, 204 and 304.
  ///   - keepsAlive: writes `Connection: close` when false.
  ///   - omitsBody: for answers to HEAD: the length is told, the body is not sent.
  ///   - serverName: the `Server` header.
  public static func response(
    _ response: HTTPResponse, keepsAlive: Bool, omitsBody: Bool = false, serverName: String? = nil
  ) -> [UInt8] {
    let status = (100...599).contains(response.status) ? response.status : 500
    var headers = response.headers
    let hasBody = status >= 200 && status != 204 && status != 304
    headers["Transfer-Encoding"] = nil
    headers["Content-Length"] = hasBody ? String(response.body.count) : nil
    if status != 101 { headers["Connection"] = keepsAlive ? "keep-alive" : "close" }
    if let serverName, headers["Server"] == nil { headers["Server"] = serverName }
    var bytes = Array("HTTP/1.1 \(status) \(reason(status))\r\n".utf8)
    write(headers, to: &bytes)
    if hasBody && !omitsBody { bytes.append(contentsOf: response.body) }
    return bytes
  }

  /// The head of a response whose body follows in parts.
  ///
  /// - Parameter isChunked: whether the parts are chunks; else the body ends with the connection.
  public static func head(
    _ response: HTTPResponse, isChunked: Bool, keepsAlive: Bool, serverName: String? = nil
  ) -> [UInt8] {
    let status = (200...599).contains(response.status) ? response.status : 500
    var headers = response.headers
    headers["Content-Length"] = nil
    headers["Transfer-Encoding"] = isChunked ? "chunked" : nil
    headers["Connection"] = keepsAlive ? "keep-alive" : "close"
    if let serverName, headers["Server"] == nil { headers["Server"] = serverName }
    var bytes = Array("HTTP/1.1 \(status) \(reason(status))\r\n".utf8)
    write(headers, to: &bytes)
    return bytes
  }

  /// One part of a body as a chunk; nothing for an empty part, which would be the end.
  public static func chunk(_ part: [UInt8]) -> [UInt8] {
    guard !part.isEmpty else { return [] }
    var bytes = Array("\(String(part.count, radix: 16))\r\n".utf8)
    bytes.reserveCapacity(bytes.count + part.count + 2)
    bytes.append(contentsOf: part)
    bytes.append(contentsOf: [13, 10])
    return bytes
  }

  /// The end of a body in chunks.
  public static let lastChunk = Array("0\r\n\r\n".utf8)

  private static func write(_ headers: HTTPHeaders, to bytes: inout [UInt8]) {
    for field in headers.fields { bytes.append(contentsOf: "\(clean(field.name)): \(clean(field.value))\r\n".utf8) }
    bytes.append(contentsOf: "\r\n".utf8)
  }

  private static func clean(_ text: String) -> String {
    text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
      ? String(decoding: text.utf8.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self) : text
  }

  /// The usual words for a status code.
  public static func reason(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 304: "Not Modified"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    default: "Status \(status)"
    }
  }
}
