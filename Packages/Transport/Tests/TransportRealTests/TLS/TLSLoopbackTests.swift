import Cryptography
import Testing
import Transport
import TransportReal

@Suite("TLS over loopback", .serialized)
struct TLSLoopbackTests {
  private static func start(_ certificate: SelfSignedCertificate) async throws -> Loopback {
    var options = HTTPServerOptions()
    options.tls = TLSServerConfiguration(
      certificateChainPEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM)
    return try await Loopback.start(options: options)
  }

  private static func code(_ loopback: Loopback, _ tls: TLSClientConfiguration, host: String = "localhost") async
    -> TransportError.Code?
  {
    do {
      let response = try await loopback.network.response(
        to: HTTPClientRequest(method: "POST", url: loopback.url(.https, "/x", host: host), body: [1, 2, 3], tls: tls))
      return response.text == "POST /x 3" ? nil : TransportError.Code(rawValue: "wrong answer")
    } catch {
      return (error as? TransportError)?.code
    }
  }

  @Test("a client accepts the trusted certificates, and no others")
  func trust() async throws {
    let own = try SelfSignedCertificate.make(hosts: ["localhost", "127.0.0.1"])
    let other = try SelfSignedCertificate.make(hosts: ["localhost"])
    let loopback = try await Self.start(own)
    let trusting = TLSClientConfiguration(trust: .certificates(pem: own.certificatePEM))
    #expect(await Self.code(loopback, trusting) == nil)
    #expect(await Self.code(loopback, trusting, host: "127.0.0.1") == nil)
    #expect(await Self.code(loopback, TLSClientConfiguration()) == .certificateRefused)
    #expect(
      await Self.code(loopback, TLSClientConfiguration(trust: .certificates(pem: other.certificatePEM)))
        == .certificateRefused)
    #expect(
      await Self.code(loopback, TLSClientConfiguration(trust: .certificates(pem: "nonsense"))) == .invalidConfiguration)
    #expect(await Self.code(loopback, TLSClientConfiguration(trust: .unsafeAnyone)) == nil)
    #expect(
      await Self.code(loopback, TLSClientConfiguration(trust: .unsafeAnyone, pinnedCertificateDigests: [own.digest]))
        == nil)
    #expect(
      await Self.code(loopback, TLSClientConfiguration(trust: .unsafeAnyone, pinnedCertificateDigests: [other.digest]))
        == .certificateRefused)
    await loopback.stop()
  }

  @Test("a certificate for another host is refused unless names are not verified")
  func hostName() async throws {
    let own = try SelfSignedCertificate.make(hosts: ["example.org"])
    let loopback = try await Self.start(own)
    let trust = TLSClientConfiguration.Trust.certificates(pem: own.certificatePEM)
    #expect(await Self.code(loopback, TLSClientConfiguration(trust: trust)) == .certificateRefused)
    #expect(await Self.code(loopback, TLSClientConfiguration(trust: trust, verifiesHostName: false)) == nil)
    await loopback.stop()
  }

  @Test("a signed certificate is trusted by itself or by its authority, and by no other")
  func signed() async throws {
    var options = HTTPServerOptions()
    options.tls = TLSServerConfiguration(
      certificateChainPEM: SignedCertificate.certificate, privateKeyPEM: SignedCertificate.key)
    let loopback = try await Loopback.start(options: options)
    let other = try SelfSignedCertificate.make(hosts: ["localhost"])
    func code(trusting pem: String, host: String = "localhost") async -> TransportError.Code? {
      await Self.code(loopback, TLSClientConfiguration(trust: .certificates(pem: pem)), host: host)
    }
    #expect(await code(trusting: SignedCertificate.authority) == nil)
    #expect(await code(trusting: SignedCertificate.certificate) == nil)
    #expect(await code(trusting: SignedCertificate.certificate, host: "127.0.0.1") == nil)
    #expect(await code(trusting: other.certificatePEM) == .certificateRefused)
    await loopback.stop()
  }

  @Test("messages of all sizes come back over wss", arguments: [1, 70_000, 3_000_000])
  func webSocket(size: Int) async throws {
    let own = try SelfSignedCertificate.make(hosts: ["localhost"])
    let loopback = try await Self.start(own)
    var options = WebSocketOptions()
    options.tls = TLSClientConfiguration(trust: .certificates(pem: own.certificatePEM))
    options.writeLowWaterMark = 1 << 30
    let recorder = Recorder()
    let socket = loopback.network.connectWebSocket(
      to: WebSocketEndpoint(url: loopback.url(.wss, host: "localhost"), protocolTokens: ["t"]), options: options,
      handler: recorder)
    let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 17) }
    #expect(await recorder.events.next() == .opened("t"))
    for _ in 0..<3 { socket.send(binary: payload) }
    for _ in 0..<3 { #expect(await recorder.events.next() == .received(.binary(payload))) }
    socket.close(code: .normal, reason: "")
    #expect(await loopback.server.closures.next() == .closed(code: 1000, reason: "", byPeer: true))
    await loopback.stop()
  }

  @Test("plain bytes at a TLS port end that connection only")
  func plainAtTLS() async throws {
    let own = try SelfSignedCertificate.make(hosts: ["localhost"])
    let loopback = try await Self.start(own)
    let socket = RawSocket(port: loopback.port)
    socket.send("GET / HTTP/1.1\r\n\r\n")
    _ = socket.readAll()
    #expect(await Self.code(loopback, TLSClientConfiguration(trust: .certificates(pem: own.certificatePEM))) == nil)
    await loopback.stop()
  }

  @Test("a key that does not belong to the certificate is refused before listening")
  func wrongKey() async throws {
    let own = try SelfSignedCertificate.make(hosts: ["localhost"])
    let other = try SelfSignedCertificate.make(hosts: ["localhost"])
    let loop = try EventLoop()
    var options = HTTPServerOptions()
    options.tls = TLSServerConfiguration(certificateChainPEM: own.certificatePEM, privateKeyPEM: other.privateKeyPEM)
    let failure = await #expect(throws: TransportError.self) {
      _ = try await RealNetwork(loop: loop).listen(on: ListenAddress(port: 0), options: options, handler: EchoServer())
    }
    #expect(failure?.code == .invalidConfiguration)
    loop.shutDown()
  }
}
