import Cryptography
import Foundation
import ObjectServer
import SyncProtocol
import TestKit
import Testing
import Transport
import TransportReal

/// The recorded login of a stock app: its HTTP calls and then its sync connection, replayed against a server on a real socket, or against
/// the nodes of a cluster, each call at the next one.
@Suite("the recorded login of a stock app", .serialized)
struct StockLoginTests {
  /// The client's half, with our host, our tokens and our file identifiers in the places of the recorded ones.
  final class Replay {
    private let servers: [URL]
    private var calls = 0
    private let network: RealNetwork
    private let tls: TLSClientConfiguration
    private let recording: StockRecording
    private static let host = "http://127.0.0.1:17019"
    /// Our texts in the places of recorded ones.
    private var substitutes: [(recorded: String, ours: String)] = []
    private(set) var refresh = ""
    let socket = RecordedSocket()

    init(_ servers: [URL], _ tls: TLSClientConfiguration = TLSClientConfiguration()) throws {
      self.servers = servers
      self.tls = tls
      network = RealNetwork(loop: try EventLoop(name: "stock-client"))
      recording = try .read("19-app-login.json")
    }

    func leave() { network.loop.shutDown() }

    private func nextServer() -> String {
      calls += 1
      return servers[(calls - 1) % servers.count].absoluteString
    }

    private func substituted(_ text: String) -> String {
      substitutes.reduce(text) { $0.replacingOccurrences(of: $1.recorded, with: $1.ours) }
    }

    func run() async throws {
      let messages = recording.messages
      // A partition of its own: the recorded files are the first ones of theirs.
      substitutes = [("part1", "p" + String(UInt16.random(in: 0x1000...0xFFFF), radix: 16))]
      var number = 0
      while number < messages.count {
        let message = messages[number]
        number += 1
        switch (message.isClient, message.kind) {
        case (true, "http") where message.conn == 0:
          try await call(RecordedHTTP(message.text ?? ""), answered: RecordedHTTP(messages[number].text ?? ""))
          number += 1
          // The recording server knew nothing of log-outs; ours ends the connection, and the rest is not said.
          if message.text?.hasPrefix("DELETE") == true { return }
        case (true, "http"): try await connect(RecordedHTTP(substituted(message.text ?? "")))
        case (true, "binary"): socket.send(substituted(message))
        case (false, "binary") where message.word != "log_message": try await hear(message)
        case (true, "eof"): socket.abort()
        default: break
        }
      }
    }

    /// Sends a recorded request and compares the shape of the answer with the recorded one.
    private func call(_ request: RecordedHTTP, answered: RecordedHTTP) async throws {
      var headers = HTTPHeaders()
      for header in request.headers { headers[header.name] = substituted(header.value) }
      // One token was recorded for both; ending the session is what the refresh token is for.
      if request.line[0] == "DELETE" { headers["Authorization"] = "Bearer " + refresh }
      let url = substituted(request.line[1]).replacingOccurrences(of: Self.host, with: nextServer())
      let call = HTTPClientRequest(
        method: request.line[0], url: try NetworkURL(url), headers: headers, body: Array(request.body.utf8), tls: tls)
      let answer = try await withCheckedThrowingContinuation { continuation in
        network.send(call) { continuation.resume(with: $0.mapError { $0 as any Error }) }
      }
      let name = request.line[0] + " " + request.line[1]
      #expect(answer.status == Int(answered.line[1]), "\(name)")
      guard !answered.body.isEmpty else { return }
      #expect(answer.headers["Content-Type"] == answered.header("Content-Type"), "\(name)")
      let (ours, asked) = (try JSONShape(json: answer.text), try JSONShape(json: answered.body))
      #expect(ours.covers(asked), "\(name): \(ours) lacks something of \(asked)")
      guard request.line[1].hasSuffix("/login") else { return }
      let (mine, recorded) = (try Self.texts(answer.text), try Self.texts(answered.body))
      refresh = try #require(mine["refresh_token"])
      substitutes.append((try #require(recorded["access_token"]), try #require(mine["access_token"])))
    }

    /// The status of a refresh with the token that was got.
    func statusOfRefresh() async throws -> Int {
      let url = try NetworkURL(nextServer() + "/api/client/v2.0/auth/session")
      let call = HTTPClientRequest(method: "POST", url: url, headers: ["Authorization": "Bearer " + refresh], tls: tls)
      return try await withCheckedThrowingContinuation { continuation in
        network.send(call) { continuation.resume(with: $0.map(\.status).mapError { $0 as any Error }) }
      }
    }

    private static func texts(_ json: String) throws -> [String: String] {
      (try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]).compactMapValues {
        $0 as? String
      }
    }

    private func connect(_ request: RecordedHTTP) async throws {
      let address = "ws" + nextServer().dropFirst("http".count) + request.line[1]
      let offers = (request.header("Sec-WebSocket-Protocol") ?? "").components(separatedBy: ", ")
      var options = WebSocketOptions()
      options.tls = tls
      socket.connect(network, try NetworkURL(address), offers, request.header("User-Agent") ?? "", options)
      try await eventually("the connection") { socket.token != nil || socket.closure != nil }
      #expect(socket.token == "com.mongodb.realm-sync#14")
    }

    private func substituted(_ message: RecordedMessage) -> [UInt8] {
      switch message.word {
      case "ident": Array(substituted(message.head ?? "").utf8) + [0x0A]
      case "bind": Array(substituted(String(decoding: message.bytes, as: UTF8.self)).utf8)
      default: message.bytes
      }
    }

    /// Waits for an answer of the recorded kind, and learns the file identifier.
    private func hear(_ message: RecordedMessage) async throws {
      var heard: String?
      try await eventually("\(message.head ?? "")") {
        heard = socket.next(message.word)
        return heard != nil || socket.closure != nil || socket.failure != nil
      }
      let head = try #require(
        heard, "\(message.head ?? ""): \(socket.failure ?? "") \(String(describing: socket.closure))")
      let words = head.split(separator: " ").map(String.init)
      #expect(words.count == (message.head ?? "").split(separator: " ").count, "\(head)")
      switch message.word {
      case "ident":
        #expect(words[2] == message.number(2))
        substitutes.append((message.number(3), words[3]))
      case "download":
        // The upload is acknowledged as it was: the version of the client, and the server's.
        #expect(words[6] == message.number(6), "\(head)")
      default: #expect(head == message.head)
      }
    }
  }

  @Test(
    "its requests are answered in the recorded shape, and the token opens the recorded session",
    arguments: [false, true])
  func replay(isSecure: Bool) async throws {
    let certificate = try SelfSignedCertificate.make(hosts: ["127.0.0.1"])
    // The recording server let everybody into every partition.
    let server = try await RealServer.ofApps(isSecure ? certificate : nil)
    let replay = try Replay(
      [server.url], isSecure ? TLSClientConfiguration(trust: .certificates(pem: certificate.certificatePEM)) : .init())
    try await Self.check(replay)
    await server.stop()
  }

  /// Nodes that run, such as those of `make cluster`, each call of the client at the next of them:
  ///
  ///     OPENREALM_TEST_SERVERS="http://127.0.0.1:9080 http://127.0.0.1:9081" Tools/scripts/test.sh --filter StockLoginTests
  @Test("the same through nodes of a cluster, which the environment names", .enabled(if: !servers.isEmpty))
  func replayOverNodes() async throws {
    // From each on: another node has the session, the sync connection and the log-out.
    for first in Self.servers.indices {
      try await Self.check(Replay(Array(Self.servers[first...] + Self.servers[..<first])))
    }
  }

  private static let servers = (ProcessInfo.processInfo.environment["OPENREALM_TEST_SERVERS"] ?? "")
    .split(separator: " ").compactMap { URL(string: String($0)) }

  private static func check(_ replay: Replay) async throws {
    defer { replay.leave() }
    try await replay.run()
    try await eventually("the end of the session") { replay.socket.closure != nil }
    guard case .closed(let code, _, _)? = replay.socket.closure else {
      Issue.record("\(String(describing: replay.socket.closure))")
      return
    }
    #expect(code.rawValue == 4001, "the log-out ends the connection in the way that stock clients know")
    #expect(try await replay.statusOfRefresh() == 401)
  }
}
