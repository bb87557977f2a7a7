import Testing
import Transport

@Suite("WebSocket handshake")
struct WebSocketHandshakeTests {
  private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
  private static let endpoint = WebSocketEndpoint(
    url: NetworkURL(scheme: .ws, host: "sync.example.org", target: "/realm-sync?baas_at=x"),
    protocolTokens: ["com.mongodb.realm-sync#14", "com.mongodb.realm-sync#13"], headers: ["User-Agent": "RealmSync/1"])

  @Test("the accept value is that of RFC 6455, section 1.3")
  func accept() {
    #expect(WebSocketHandshake.accept(for: Self.key) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test("a client's request is accepted by the server's check, which sees the tokens in order")
  func request() throws {
    let headers = WebSocketHandshake.requestHeaders(for: Self.endpoint, key: Self.key)
    #expect(headers["host"] == "sync.example.org")
    let request = HTTPRequest(method: "GET", target: Self.endpoint.url.target, headers: headers)
    let checked = try WebSocketHandshake.checkRequest(request).get()
    #expect(checked.upgrade.protocolTokens == Self.endpoint.protocolTokens)
    #expect(checked.key == Self.key)
    #expect(request.queryItem("baas_at") == "x")
  }

  @Test(
    "a request with a broken header is refused",
    arguments: [
      ("Upgrade", "h2c", 400), ("Connection", "keep-alive", 400), ("Sec-WebSocket-Version", "8", 426),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ", 400), ("Sec-WebSocket-Key", "AAAA", 400),
    ])
  func broken(name: String, value: String, status: Int) {
    var headers = WebSocketHandshake.requestHeaders(for: Self.endpoint, key: Self.key)
    headers[name] = value
    let result = WebSocketHandshake.checkRequest(HTTPRequest(method: "GET", target: "/", headers: headers))
    guard case .failure(let refusal) = result else {
      Issue.record("accepted")
      return
    }
    #expect(refusal.response.status == status)
  }

  @Test("the client's check accepts the server's answer and no other")
  func response() throws {
    let offered = Self.endpoint.protocolTokens
    let good = WebSocketHandshake.responseHeaders(key: Self.key, protocolToken: offered[1], extra: [:])
    #expect(try WebSocketHandshake.checkResponse(good, key: Self.key, offered: offered) == offered[1])
    for (name, value) in [
      ("Sec-WebSocket-Accept", "x"), ("Sec-WebSocket-Protocol", "other"), ("Upgrade", ""),
      ("Sec-WebSocket-Extensions", "permessage-deflate"),
    ] {
      var bad = good
      bad[name] = value
      #expect(throws: TransportError.self) {
        try WebSocketHandshake.checkResponse(bad, key: Self.key, offered: offered)
      }
    }
  }
}
