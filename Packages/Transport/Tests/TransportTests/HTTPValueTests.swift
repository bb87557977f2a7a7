import Testing
import Transport

@Suite("HTTP values")
struct HTTPValueTests {
  @Test(
    "a URL is taken apart",
    arguments: [
      ("wss://sync.example.org/team?x=1", "wss", "sync.example.org", 443, "/team?x=1"),
      ("realm://host", "ws", "host", 80, "/"),
      ("realms://host:9443?x", "wss", "host", 9443, "/?x"),
      ("HTTP://[::1]:8080/a#b", "http", "::1", 8080, "/a"),
    ] as [(String, String, String, Int, String)])
  func urls(text: String, scheme: String, host: String, port: Int, target: String) throws {
    let url = try NetworkURL(text)
    #expect(url.scheme.rawValue == scheme)
    #expect(url.host == host)
    #expect(url.port == port)
    #expect(url.target == target)
  }

  @Test(
    "a URL that cannot be used is refused",
    arguments: [
      "", "host", "ftp://x", "http://", "http://a:b@c", "http://x:0", "http://x:65536", "http://x:+1", "http://[::1",
      "http://[::1]x", "http://x/a b", "http://x/é", "http://x:1:2",
    ])
  func badURLs(text: String) {
    #expect(throws: TransportError.self) { try NetworkURL(text) }
  }

  @Test("the loopback names are recognized")
  func thisMachine() throws {
    for text in ["ws://localhost:9080/x", "http://LocalHost", "wss://127.1.2.3", "http://[::1]:80"] {
      #expect(try NetworkURL(text).isThisMachine, "\(text)")
    }
    for text in ["ws://localhost.example.org", "http://10.0.0.1", "http://1.127.0.1", "http://[::2]", "http://host"] {
      #expect(try !NetworkURL(text).isThisMachine, "\(text)")
    }
  }

  @Test("header names compare without regard to case, and lists are joined over lines")
  func headers() {
    var headers: HTTPHeaders = ["Connection": "keep-alive, Upgrade", "X": "1"]
    headers.append("connection", "foo")
    #expect(headers["X"] == "1")
    #expect(headers.list("CONNECTION") == ["keep-alive", "Upgrade", "foo"])
    #expect(headers.hasToken("upgrade", in: "Connection"))
    headers["connection"] = nil
    #expect(headers.fields.count == 1)
  }

  @Test("a query item is decoded; a bad escape gives none")
  func query() {
    let request = HTTPRequest(method: "GET", target: "/p?a=%2Fx+y&b&a=2&c=%zz")
    #expect(request.path == "/p")
    #expect(request.queryItem("a") == "/x+y")
    #expect(request.queryItem("b") == "")
    #expect(request.queryItem("c") == nil)
    #expect(request.queryItem("d") == nil)
  }

  @Test("a header cannot smuggle another line")
  func smuggling() {
    let bytes = HTTPMessageWriter.response(HTTPResponse(status: 200, headers: ["A": "b\r\nEvil: 1"]), keepsAlive: true)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("\r\nEvil"))
  }
}
