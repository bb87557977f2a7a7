import Cryptography

/// The opening handshake of RFC 6455, section 4, as functions on header values.
public enum WebSocketHandshake {
  /// The `Sec-WebSocket-Accept` for a key.
  ///
  ///     WebSocketHandshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==")  // "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
  public static func accept(for key: String) -> String {
    Base64.standard.encode(Digest.sha1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }

  /// A new key of 16 random bytes.
  public static func makeKey(using random: inout some RandomNumberGenerator) -> String {
    let (high, low) = (random.next(), random.next())
    let bytes = [high, low].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
    return Base64.standard.encode(bytes)
  }

  /// The headers of a client's request.
  public static func requestHeaders(for endpoint: WebSocketEndpoint, key: String) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      "Host": endpoint.url.authority, "Upgrade": "websocket", "Connection": "Upgrade",
      "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13",
    ]
    if !endpoint.protocolTokens.isEmpty {
      headers.append("Sec-WebSocket-Protocol", endpoint.protocolTokens.joined(separator: ", "))
    }
    for field in endpoint.headers.fields { headers.append(field.name, field.value) }
    return headers
  }

  /// Whether a request asks for an upgrade to WebSocket, well formed or not.
  public static func isUpgrade(_ request: HTTPRequest) -> Bool { request.headers.hasToken("websocket", in: "Upgrade") }

  /// Checks a client's request.
  ///
  /// - Returns: the upgrade with its key, or the response that refuses it: 400 for broken requests, 426 for other
  ///   versions than 13.
  public static func checkRequest(
    _ request: HTTPRequest
  ) -> Result<(upgrade: WebSocketUpgradeRequest, key: String), WebSocketRefusal> {
    func refuse(_ status: Int, _ text: String) -> Result<
      (upgrade: WebSocketUpgradeRequest, key: String), WebSocketRefusal
    > {
      var response = HTTPResponse(status: status, text: text + "\n")
      if status == 426 { response.headers["Sec-WebSocket-Version"] = "13" }
      return .failure(WebSocketRefusal(response: response))
    }
    guard request.method == "GET" else { return refuse(400, "a WebSocket upgrade is a GET request") }
    guard request.body.isEmpty else { return refuse(400, "a WebSocket upgrade has no body") }
    guard request.headers.hasToken("Upgrade", in: "Connection"), isUpgrade(request) else {
      return refuse(400, "a WebSocket upgrade has Connection: Upgrade and Upgrade: websocket")
    }
    guard request.headers["Sec-WebSocket-Version"] == "13" else {
      return refuse(426, "only WebSocket version 13 is spoken here")
    }
    guard let key = request.headers["Sec-WebSocket-Key"], (try? Base64.standard.decode(key))?.count == 16 else {
      return refuse(400, "Sec-WebSocket-Key must be the Base64 of 16 bytes")
    }
    let tokens = request.headers.list("Sec-WebSocket-Protocol")
    return .success((WebSocketUpgradeRequest(http: request, protocolTokens: tokens), key))
  }

  /// The headers of a server's 101 answer.
  public static func responseHeaders(key: String, protocolToken: String?, extra: HTTPHeaders) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accept(for: key),
    ]
    if let protocolToken { headers.append("Sec-WebSocket-Protocol", protocolToken) }
    for field in extra.fields { headers.append(field.name, field.value) }
    return headers
  }

  /// Checks a server's 101 answer.
  ///
  /// - Returns: the chosen protocol token, nil when the server chose none.
  /// - Throws: ``TransportError/Code/protocolViolation`` when the answer is not one to this key, or names a token that
  ///   was not offered.
  public static func checkResponse(
    _ headers: HTTPHeaders, key: String, offered: [String]
  ) throws(TransportError) -> String? {
    func refusal(_ reason: String) -> TransportError {
      TransportError(.protocolViolation, "the server's answer to the WebSocket upgrade is wrong: \(reason)")
    }
    guard headers.hasToken("websocket", in: "Upgrade"), headers.hasToken("Upgrade", in: "Connection") else {
      throw refusal("Upgrade and Connection headers are missing; a proxy may not support WebSockets")
    }
    guard headers["Sec-WebSocket-Accept"] == accept(for: key) else {
      throw refusal("Sec-WebSocket-Accept does not match the key")
    }
    if let extensions = headers["Sec-WebSocket-Extensions"], !extensions.isEmpty {
      throw refusal("it wants an extension that was not offered")
    }
    guard let chosen = headers["Sec-WebSocket-Protocol"] else { return nil }
    guard offered.contains(chosen) else { throw refusal("it chose a protocol that was not offered") }
    return chosen
  }
}

/// The refusal of a malformed upgrade request.
public struct WebSocketRefusal: Error, Hashable, Sendable {
  /// The answer to the request.
  public var response: HTTPResponse
}
