import TestKit
import Testing
import Transport
import TransportReal

@Suite("HTTP over loopback", .serialized)
struct HTTPLoopbackTests {
  @Test("a request is answered with the response of the handler")
  func echo() async throws {
    let loopback = try await Loopback.start()
    let response = try await loopback.network.response(
      to: HTTPClientRequest(
        method: "POST", url: loopback.url(.http, "/a?b=c"), body: Array(repeating: 7, count: 100_000)))
    #expect(response.status == 200)
    #expect(response.text == "POST /a?b=c 100000")
    await loopback.stop()
  }

  @Test("a name is resolved and served")
  func names() async throws {
    let loopback = try await Loopback.start()
    let response = try await loopback.network.response(
      to: HTTPClientRequest(url: loopback.url(.http, "/", host: "localhost")))
    #expect(response.isSuccess)
    await loopback.stop()
  }

  @Test("a kept-alive connection answers pipelined requests in order")
  func pipelining() async throws {
    let loopback = try await Loopback.start()
    let socket = RawSocket(port: loopback.port)
    socket.send(
      "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\nGET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    )
    let text = String(decoding: socket.readAll(), as: UTF8.self)
    let order = ["GET /1 0", "GET /2 0", "GET /3 0"].map { text.firstRange(of: $0)?.lowerBound }
    #expect(!order.contains(nil))
    #expect(order.compactMap { $0 } == order.compactMap { $0 }.sorted())
    await loopback.stop()
  }

  /// By name, so that failures stay readable.
  private static let badRequests: [String: String] = [
    "long header": "GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "a", count: 20_000))\r\n\r\n",
    "blank lines": String(repeating: "\r\n", count: 10_000),
    "long target": "GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\n\r\n",
    "long body announced": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n",
    "absurd length": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    "absurd chunk": "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
    "control bytes": "\u{1}\u{2}\u{3}\r\n\r\n",
    "unknown version": "GET / HTTP/9.9\r\n\r\n",
    "two hosts": "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    "no host": "GET / HTTP/1.1\r\n\r\n",
    "no version": "GET /\r\n\r\n",
    "CONNECT": "CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n",
    "length and chunks":
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "two lengths": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
    "folded line": "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
    "blank before the colon": "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    "NUL": "GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n",
    "many lines": "GET / HTTP/1.1\r\nHost: x\r\n\(String(repeating: "A: b\r\n", count: 200))\r\n",
    "chunks beyond the limit":
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n200000\r\n\(String(repeating: "a", count: 0x200000))",
    "line feed in an extension":
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;\na\r\nb\r\n0\r\n\r\n",
    "WebSocket upgrade with a body":
      "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nContent-Length: 1\r\n\r\na",
    "old WebSocket version":
      "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8\r\n\r\n",
    "short WebSocket key":
      "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n",
  ]

  @Test(
    "a request beyond the limits or the rules is refused with its status",
    arguments: [
      ("long header", "431"),
      ("blank lines", "431"),
      ("long target", "431"),
      ("long body announced", "413"),
      ("absurd length", "400"),
      ("absurd chunk", "400"),
      ("control bytes", "400"),
      ("unknown version", "400"),
      ("two hosts", "400"),
      ("no host", "400"),
      ("no version", "400"),
      ("CONNECT", "400"),
      ("length and chunks", "400"),
      ("two lengths", "400"),
      ("folded line", "400"),
      ("blank before the colon", "400"),
      ("NUL", "400"),
      ("many lines", "431"),
      ("chunks beyond the limit", "413"),
      ("line feed in an extension", "400"),
      ("WebSocket upgrade with a body", "400"),
      ("old WebSocket version", "426"),
      ("short WebSocket key", "400"),
    ])
  func refusals(name: String, status: String) async throws {
    let request = try #require(Self.badRequests[name])
    let loopback = try await Loopback.start()
    let socket = RawSocket(port: loopback.port)
    socket.send(request)
    let text = String(decoding: socket.readAll(), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(100))")
    await loopback.stop()
  }

  @Test("a request with Expect: 100-continue is told to go on once its head is accepted")
  func continuing() async throws {
    let loopback = try await Loopback.start()
    let socket = RawSocket(port: loopback.port)
    socket.send("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
    #expect(socket.read() == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    socket.send("abc")
    #expect(String(decoding: socket.readAll(), as: UTF8.self).hasSuffix("POST /x 3"))
    await loopback.stop()
  }

  @Test("an answer to HEAD has no body, and the request after it is answered")
  func head() async throws {
    let loopback = try await Loopback.start()
    let socket = RawSocket(port: loopback.port)
    socket.send(
      "HEAD /x HTTP/1.1\r\nHost: x\r\n\r\nGET http://y/z HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    let text = String(decoding: socket.readAll(), as: UTF8.self)
    #expect(!text.contains("HEAD /x 0"))
    #expect(text.hasSuffix("GET /z 0"))
    await loopback.stop()
  }

  @Test("a head that trickles is answered 408 and closed")
  func slowHead() async throws {
    var options = HTTPServerOptions()
    options.headTimeout = .milliseconds(50)
    let loopback = try await Loopback.start(options: options)
    let socket = RawSocket(port: loopback.port)
    socket.send("GET / HT")
    let text = String(decoding: socket.readAll(), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 408 "))
    await loopback.stop()
  }

  @Test("a request that the handler forgets is answered 500")
  func forgotten() async throws {
    let loopback = try await Loopback.start()
    let response = try await loopback.network.response(to: HTTPClientRequest(url: loopback.url(.http, "/forget")))
    #expect(response.status == 500)
    await loopback.stop()
  }

  @Test("a port in use is a typed error that says what to do")
  func portInUse() async throws {
    let loopback = try await Loopback.start()
    await #expect(
      performing: {
        _ = try await loopback.network.listen(on: ListenAddress(port: loopback.port), handler: EchoServer())
      },
      throws: { error in
        (error as? TransportError)?.code == .addressInUse
          && (error as? TransportError)?.message
            == "port \(loopback.port) is already in use: choose another with --port or stop the other process"
      })
    await loopback.stop()
  }

  @Test("connecting to a closed port is refused")
  func refused() async throws {
    let loopback = try await Loopback.start()
    let closed = try ReservedPort()
    let url = NetworkURL(scheme: .http, host: "127.0.0.1", port: closed.port)
    let failure = await #expect(throws: TransportError.self) {
      try await loopback.network.response(to: HTTPClientRequest(url: url))
    }
    #expect(failure?.code == .connectionRefused)
    withExtendedLifetime(closed) {}
    await loopback.stop()
  }

  @Test("a request to a silent server times out")
  func timeout() async throws {
    let loopback = try await Loopback.start()
    let silent = SilentServer()
    let listener = try await loopback.network.listen(on: ListenAddress(port: 0), handler: silent)
    let url = NetworkURL(scheme: .http, host: "127.0.0.1", port: listener.address.port)
    let failure = await #expect(throws: TransportError.self) {
      try await loopback.network.response(to: HTTPClientRequest(url: url, timeout: .milliseconds(50)))
    }
    #expect(failure?.code == .timedOut)
    await loopback.stop()
  }

  @Test("random bytes never stop the server", arguments: Seeds.some(40))
  func garbage(seed: UInt64) async throws {
    let loopback = try await Loopback.start()
    var random = SeededGenerator(seed: seed)
    let socket = RawSocket(port: loopback.port)
    let valid = Array("POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n".utf8)
    var bytes = Bool.random(using: &random) ? valid : (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    socket.send(bytes)
    socket.shutDownWriting()
    _ = socket.readAll()
    let response = try await loopback.network.response(to: HTTPClientRequest(url: loopback.url(.http)))
    #expect(response.isSuccess, "SEED=\(seed)")
    await loopback.stop()
  }
}

/// Keeps every request and never answers.
final class SilentServer: HTTPServerHandler {
  private let kept = Inbox<any HTTPResponder>()
  func respond(to request: HTTPRequest, with responder: any HTTPResponder) { kept.put(responder) }
}
