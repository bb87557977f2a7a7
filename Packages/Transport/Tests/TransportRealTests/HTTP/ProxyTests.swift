import Cryptography
import TestKit
import Testing
import Transport
import TransportReal

@Suite("HTTP proxies")
struct ProxyTests {
  /// A network whose connections go through a proxy, those to this machine included.
  private static func network(_ loopback: Loopback, _ proxy: String) -> RealNetwork {
    var proxies = ProxySettings(plain: proxy, secure: proxy)
    proxies.reachesThisMachineDirectly = false
    return RealNetwork(loop: loopback.loop, proxies: proxies)
  }

  private static func failure(_ network: RealNetwork, _ url: NetworkURL) async -> TransportError? {
    do {
      _ = try await network.response(to: HTTPClientRequest(url: url))
      return nil
    } catch {
      return error as? TransportError
    }
  }

  @Test("requests and WebSockets pass through the tunnel, with TLS and without; the proxy resolves the name")
  func passing() async throws {
    let own = try SelfSignedCertificate.make(hosts: ["server.example.test"])
    for scheme in [NetworkURL.Scheme.http, .https] {
      var options = HTTPServerOptions()
      if scheme.isSecure {
        options.tls = TLSServerConfiguration(
          certificateChainPEM: own.certificatePEM, privateKeyPEM: own.privateKeyPEM)
      }
      let loopback = try await Loopback.start(options: options)
      let proxy = try TunnelProxy()
      let network = Self.network(loopback, "http://127.0.0.1:\(proxy.port)")
      let trust = TLSClientConfiguration(trust: .certificates(pem: own.certificatePEM))
      let response = try await network.response(
        to: HTTPClientRequest(
          method: "POST", url: loopback.url(scheme, "/x", host: "server.example.test"), body: [1, 2, 3], tls: trust))
      #expect(response.text == "POST /x 3")
      var socketOptions = WebSocketOptions()
      socketOptions.tls = trust
      let recorder = Recorder()
      let socket = network.connectWebSocket(
        to: WebSocketEndpoint(
          url: loopback.url(scheme.isSecure ? .wss : .ws, host: "server.example.test"), protocolTokens: ["t"]),
        options: socketOptions, handler: recorder)
      #expect(await recorder.events.next() == .opened("t"))
      let payload = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
      socket.send(binary: payload)
      #expect(await recorder.events.next() == .received(.binary(payload)))
      #expect(proxy.targets == Array(repeating: "server.example.test:\(loopback.port)", count: 2))
      socket.close(code: .normal, reason: "")
      await loopback.stop()
    }
  }

  @Test("a certificate is checked through a tunnel as without one")
  func certificates() async throws {
    let own = try SelfSignedCertificate.make(hosts: ["server.example.test"])
    var options = HTTPServerOptions()
    options.tls = TLSServerConfiguration(certificateChainPEM: own.certificatePEM, privateKeyPEM: own.privateKeyPEM)
    let loopback = try await Loopback.start(options: options)
    let proxy = try TunnelProxy()
    let network = Self.network(loopback, "127.0.0.1:\(proxy.port)")
    #expect(
      await Self.failure(network, loopback.url(.https, host: "server.example.test"))?.code == .certificateRefused)
    await loopback.stop()
  }

  @Test("a proxy that demands authentication gets user and password; without them the error says so")
  func credentials() async throws {
    let loopback = try await Loopback.start()
    let proxy = try TunnelProxy(credentials: "ann:p@ss")
    let stranger = await Self.failure(Self.network(loopback, "http://127.0.0.1:\(proxy.port)"), loopback.url(.http))
    #expect(stranger?.code == .proxyRefused)
    #expect(proxy.refused == 1)
    #expect(proxy.targets.isEmpty)
    let wrong = await Self.failure(
      Self.network(loopback, "http://ann:other@127.0.0.1:\(proxy.port)"), loopback.url(.http))
    #expect(wrong?.code == .proxyRefused)
    #expect(wrong?.description.contains("other") == false)
    #expect(
      await Self.failure(Self.network(loopback, "http://ann:p%40ss@127.0.0.1:\(proxy.port)"), loopback.url(.http))
        == nil)
    #expect(proxy.targets.count == 1)
    await loopback.stop()
  }

  @Test(
    "any other answer of a proxy fails the connection with a reason",
    arguments: [
      ("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno", TransportError.Code.proxyRefused),
      ("HTTP/1.1 502 Bad Gateway\r\n\r\n", .proxyRefused), ("SSH-2.0-OpenSSH\r\n", .protocolViolation),
      ("HTTP/1.1 200 OK\r\n\r\nmore", .protocolViolation), ("HTTP/1.1 200", .connectionLost), ("", .connectionLost),
      ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 70_000), .protocolViolation),
    ])
  func refusals(answer: String, code: TransportError.Code) async throws {
    let loopback = try await Loopback.start()
    let proxy = try TunnelProxy(answer: answer)
    let network = Self.network(loopback, "http://127.0.0.1:\(proxy.port)")
    #expect(await Self.failure(network, loopback.url(.http))?.code == code)
    let recorder = Recorder()
    network.connectWebSocket(
      to: WebSocketEndpoint(url: loopback.url(.ws), protocolTokens: ["t"]), options: WebSocketOptions(),
      handler: recorder)
    guard case .closed(.failed(let error)) = await recorder.events.next() else {
      Issue.record("the WebSocket did not fail")
      return
    }
    #expect(error.code == code)
    await loopback.stop()
  }

  @Test("a proxy that is absent, or has no address, is named in the error")
  func absent() async throws {
    let loopback = try await Loopback.start()
    let absent = await Self.failure(Self.network(loopback, "http://127.0.0.1:1"), loopback.url(.http))
    #expect(absent?.code == .connectionRefused)
    #expect(absent?.message.contains("127.0.0.1:1") == true)
    #expect(absent?.message.contains("proxy") == true)
    let socks = await Self.failure(Self.network(loopback, "socks5://127.0.0.1:1"), loopback.url(.http))
    #expect(socks?.code == .invalidConfiguration)
    await loopback.stop()
  }
}
