import Cryptography

/// A set of files that is served over HTTP: pages, scripts, images.
///
/// All of them are held in memory, so serving never blocks, and no request can name anything else: a path either is in the set
/// or there is nothing.
///
///     let pages = StaticFiles(["index.html": StaticFile(Array("<p>Hello".utf8), name: "index.html")])
///     pages.response(to: request, path: "")?.text      // "<p>Hello"
public struct StaticFiles: Sendable {
  /// The files by path, without a slash at the beginning.
  public let files: [String: StaticFile]
  /// Headers of every answer, such as `Content-Security-Policy`.
  public var headers: HTTPHeaders

  /// A set by path: `index.html`, `scripts/app.js`.
  public init(_ files: [String: StaticFile], headers: HTTPHeaders = [:]) {
    self.files = files
    self.headers = headers
  }

  /// Answers a request for the file at `path`; a path that is empty or ends with a slash means the `index.html` there.
  ///
  /// A client that has the file (`If-None-Match`) gets 304; one that accepts gzip gets the compressed form, if there is one;
  /// other methods than GET and HEAD get 405.
  ///
  /// - Parameter path: decoded, without a slash at the beginning.
  /// - Returns: nil when there is no such file.
  /// - Complexity: O(1), besides the length of the path.
  public func response(to request: HTTPRequest, path: String) -> HTTPResponse? {
    let name = path.isEmpty || path.hasSuffix("/") ? path + "index.html" : path
    guard let file = files[name] else { return nil }
    guard request.method == "GET" || request.method == "HEAD" else {
      return HTTPResponse(status: 405, headers: ["Allow": "GET, HEAD"])
    }
    let compressed = file.gzip.flatMap { Self.acceptsGzip(request) ? $0 : nil }
    var response = HTTPResponse(status: 200, headers: headers, body: compressed ?? file.bytes)
    let tag = compressed == nil ? file.tag : file.tag.dropLast() + "-gz\""
    response.headers["Content-Type"] = file.contentType
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["ETag"] = tag
    // Kept by the client, but asked for before each use: a new version of the server is seen at once.
    response.headers["Cache-Control"] = "no-cache"
    if file.gzip != nil { response.headers["Vary"] = "Accept-Encoding" }
    if compressed != nil { response.headers["Content-Encoding"] = "gzip" }
    let known = request.headers.list("If-None-Match").map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
    guard known.contains(tag) || known.contains("*") else { return response }
    response.status = 304
    response.body = []
    return response
  }

  private static func acceptsGzip(_ request: HTTPRequest) -> Bool {
    request.headers.list("Accept-Encoding").contains { item in
      let parts = item.split(separator: ";").map(\.trimmingHTTPBlanks)
      guard let coding = parts.first?.lowercased(), coding == "gzip" || coding == "*" else { return false }
      return !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0.lowercased()) }
    }
  }
}

/// One file of a ``StaticFiles``.
public struct StaticFile: Hashable, Sendable {
  /// The content.
  public let bytes: [UInt8]
  /// The content compressed with gzip; nil for none.
  public let gzip: [UInt8]?
  /// The value of the header `Content-Type`.
  public let contentType: String
  /// The strong validator of the content, in quotes.
  public let tag: String

  /// A file; its type is that of the name's extension.
  ///
  /// - Complexity: O(bytes), once: the validator is a digest.
  public init(_ bytes: [UInt8], gzip: [UInt8]? = nil, name: String) {
    self.bytes = bytes
    self.gzip = gzip
    let suffix = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    contentType = Self.types[suffix] ?? "application/octet-stream"
    tag = "\"" + Digest.sha256.hash(bytes).prefix(12).map { Self.hex($0) }.joined() + "\""
  }

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8", "json": "application/json", "map": "application/json",
    "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "ico": "image/vnd.microsoft.icon",
    "webp": "image/webp", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8", "md": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json", "wasm": "application/wasm",
  ]
}
