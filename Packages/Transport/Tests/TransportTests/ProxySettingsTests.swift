import Testing
import Transport

@Suite("proxy settings")
struct ProxySettingsTests {
  @Test(
    "the proxy of a connection is that of its scheme, unless its host is an exception or this machine",
    arguments: [
      ("wss://sync.example.org/x", "secure:1"), ("https://sync.example.org", "secure:1"),
      ("ws://sync.example.org", "plain:3128"), ("http://sync.example.org", "plain:3128"),
      ("http://intranet.example.com", nil), ("http://db.INTRANET.example.com", nil),
      ("http://myintranet.example.com", "plain:3128"), ("http://other.example.net", nil),
      ("http://deep.other.example.net", nil), ("http://localhost:9080", nil), ("https://127.0.0.7", nil),
      ("https://[::1]:9443", nil), ("https://10.0.0.1", nil), ("https://10.0.0.10", "secure:1"),
    ] as [(String, String?)])
  func choice(text: String, expected: String?) throws {
    let settings = ProxySettings(
      plain: "http://plain:3128", secure: "secure:1",
      exceptions: ["intranet.example.com", ".other.example.net", "10.0.0.1"])
    let proxy = try settings.proxy(for: NetworkURL(text))
    #expect(proxy.map { "\($0.host):\($0.port)" } == expected)
  }

  @Test("loopback and all other hosts can be excepted")
  func extremes() throws {
    var settings = ProxySettings(plain: "http://proxy:1")
    settings.reachesThisMachineDirectly = false
    #expect(try settings.proxy(for: NetworkURL("http://localhost"))?.host == "proxy")
    settings.exceptions = ["*"]
    #expect(try settings.proxy(for: NetworkURL("http://localhost")) == nil)
    #expect(try ProxySettings.none.proxy(for: NetworkURL("http://example.org")) == nil)
  }

  @Test(
    "the environment variables have their usual meaning",
    arguments: [
      ([:], nil, nil), (["http_proxy": "http://a:1"], "a", nil), (["HTTP_PROXY": "http://a:1"], nil, nil),
      (["https_proxy": "b:2", "HTTPS_PROXY": "c:3"], nil, "b"), (["HTTPS_PROXY": "c:3"], nil, "c"),
      (["all_proxy": "d:4", "https_proxy": "b:2"], "d", "b"), (["ALL_PROXY": "e:5", "http_proxy": ""], "e", "e"),
      (["all_proxy": "d:4", "no_proxy": "x.example.net, example.org"], nil, nil),
      (["all_proxy": "d:4", "NO_PROXY": "x.example.net"], "d", "d"),
    ] as [([String: String], String?, String?)])
  func environment(variables: [String: String], plain: String?, secure: String?) throws {
    let settings = ProxySettings(environment: variables)
    #expect(try settings.proxy(for: NetworkURL("ws://sync.example.org"))?.host == plain)
    #expect(try settings.proxy(for: NetworkURL("wss://sync.example.org"))?.host == secure)
  }

  @Test("user and password are decoded, and never printed")
  func credentials() throws {
    let address = try ProxyAddress("http://ann:p%40ss@proxy.example.org:8080/")
    #expect(address.host == "proxy.example.org")
    #expect(address.port == 8080)
    #expect(address.credentials?.unredacted == "ann:p@ss")
    #expect(!"\(address)".contains("p@ss"))
    #expect(!"\(ProxySettings(plain: "http://ann:secret@proxy:1"))".contains("secret"))
  }

  @Test(
    "an address that cannot be used is refused, and only for the connections of its scheme",
    arguments: ["", "socks5://proxy:1080", "https://proxy:443", "http://", "proxy:0", "http://%zz@proxy:1"])
  func badAddresses(text: String) throws {
    #expect(throws: TransportError.self) { try ProxyAddress(text) }
    let settings = ProxySettings(secure: text)
    #expect(throws: TransportError.self) { try settings.proxy(for: NetworkURL("wss://example.org")) }
    #expect(try settings.proxy(for: NetworkURL("ws://example.org")) == nil)
  }
}
