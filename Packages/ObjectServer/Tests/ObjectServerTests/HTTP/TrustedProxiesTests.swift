@testable import ObjectServer
import TestKit
import Testing
import Transport

@Suite("proxies that say who their clients are")
struct TrustedProxiesTests {
  private static let proxies = TrustedProxies(["10.0.0.0/8", "::1"].compactMap { AddressRange($0) })

  @Test(
    "the client is the last address in the header that is no proxy's",
    arguments: [
      ("10.0.0.1:80", ["203.0.113.7"], "203.0.113.7"), ("10.0.0.1:80", ["203.0.113.7, 10.0.0.2"], "203.0.113.7"),
      ("10.0.0.1:80", ["203.0.113.7", "10.0.0.2"], "203.0.113.7"),
      // The client's own words stand before the address that the proxy saw.
      ("10.0.0.1:80", ["198.51.100.1, 203.0.113.7"], "203.0.113.7"),
      ("10.0.0.1:80", ["10.9.9.9, 203.0.113.7"], "203.0.113.7"), ("10.0.0.1:80", ["10.9.9.9, 10.0.0.2"], "10.9.9.9"),
      ("[::1]:80", ["203.0.113.7:4711"], "203.0.113.7:4711"), ("[::1]:80", ["[2001:db8::1]:5"], "[2001:db8::1]:5"),
      ("10.0.0.1:80", [], "10.0.0.1:80"), ("10.0.0.1:80", [""], "10.0.0.1:80"),
      ("10.0.0.1:80", ["unknown"], "10.0.0.1:80"), ("10.0.0.1:80", ["unknown, 10.0.0.2"], "10.0.0.2"),
      // Nobody else says who the client is.
      ("203.0.113.9:80", ["198.51.100.1"], "203.0.113.9:80"), ("phone", ["198.51.100.1"], "phone"),
    ])
  func client(peer: String, headers: [String], client: String) {
    var request = HTTPRequest(method: "GET", target: "/", remoteAddress: peer)
    for header in headers { request.headers.append("X-Forwarded-For", header) }
    #expect(Self.proxies.resolving(request).remoteAddress == client)
    #expect(TrustedProxies().resolving(request).remoteAddress == peer)
  }

  @Test("the rates per address count clients behind a proxy, and the proxy where it is not trusted")
  func rates() throws {
    for (peer, isTrusted) in [("10.0.0.1", true), ("203.0.113.9", false)] {
      let stage = try Stage {
        $0.accountsPerSecond = 1
        $0.trustedProxies = Self.proxies
      }
      let url = try NetworkURL("http://server:9080/api/client/v2.0/app/todo-abcde/auth/providers/anon-user/login")
      func served(_ address: (Int) -> String) throws -> Int {
        let boxes = (0..<12).map { _ in Box<Result<HTTPResponse, TransportError>>() }
        for (number, box) in boxes.enumerated() {
          let request = HTTPClientRequest(method: "POST", url: url, headers: ["X-Forwarded-For": address(number)])
          stage.network.host(peer).send(request) { box.value = $0 }
        }
        stage.run()
        return try boxes.count { try #require($0.value).get().status == 200 }
      }
      #expect(try served { "198.51.100.\($0)" } == (isTrusted ? 12 : 5))
      stage.run(.seconds(20))
      #expect(try served { _ in "198.51.100.77" } == 5)
    }
  }
}
