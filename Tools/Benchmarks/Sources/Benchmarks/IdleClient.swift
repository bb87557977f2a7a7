import Foundation
import Synchronization
import Transport
import TransportReal

/// A raw sync client that binds one realm, catches up, and then says nothing.
final class IdleClient: WebSocketHandler {
  enum Stage: Sendable { case connecting, connected, bound, idle, closed }

  private let stage = Mutex(Stage.connecting)
  /// The realm to bind; nil to stay a connection without a session.
  private let path: String?
  private let connection = Mutex<(any WebSocketConnection)?>(nil)

  init(path: String?) { self.path = path }

  var now: Stage { stage.withLock { $0 } }

  func connect(_ network: RealNetwork, port: Int, token: String) throws {
    let url = try NetworkURL("ws://127.0.0.1:\(port)/realm-sync?baas_at=\(token)")
    let socket = network.connectWebSocket(
      to: WebSocketEndpoint(url: url, protocolTokens: ["com.mongodb.realm-sync#14"]), options: WebSocketOptions(),
      handler: self)
    connection.withLock { $0 = socket }
  }

  func abort() { connection.withLock { $0 }?.abort() }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    stage.withLock { $0 = .connected }
    guard let path else { return }
    connection.send(binary: Array("bind 1 \(path.utf8.count) 0 1 0\n\(path)".utf8))
  }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    guard case .binary(let bytes) = message else { return }
    let words = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self).split(separator: " ")
    switch words.first {
    case "ident" where words.count == 4:
      stage.withLock { $0 = .bound }
      connection.send(binary: Array("ident 1 \(words[2]) \(words[3]) 0 0 0 0\n".utf8))
      connection.send(binary: Array("mark 1 1\n".utf8))
    case "mark": stage.withLock { $0 = .idle }
    default: break
    }
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    stage.withLock { $0 = .closed }
  }
}

/// Many idle clients of one server.
final class Crowd {
  let network: RealNetwork
  let port: Int
  let token: String
  private(set) var clients: [IdleClient] = []

  /// A crowd whose user is anonymous.
  init(port: Int) throws {
    network = RealNetwork(loop: try EventLoop(name: "crowd"))
    self.port = port
    struct Answer: Decodable { var access_token: String }
    let url = try NetworkURL("http://127.0.0.1:\(port)/api/client/v2.0/app/x/auth/providers/anon-user/login")
    let answer = Handover<[UInt8]>()
    network.send(HTTPClientRequest(method: "POST", url: url)) { result in
      answer.set(result.map(\.body).mapError { $0 as any Error })
    }
    token = try JSONDecoder().decode(Answer.self, from: Data(try answer.wait())).access_token
  }

  /// Adds clients, a few at a time, and waits until each is `stage`.
  func add(_ paths: [String?], until stage: IdleClient.Stage) throws {
    for start in stride(from: 0, to: paths.count, by: 50) {
      let batch = paths[start..<min(start + 50, paths.count)].map(IdleClient.init(path:))
      for client in batch { try client.connect(network, port: port, token: token) }
      clients += batch
      let deadline = monotonicSeconds() + 60
      while !batch.allSatisfy({ $0.now == stage }) {
        if batch.contains(where: { $0.now == .closed }) { throw BenchmarkFailure("the server closed a connection") }
        guard monotonicSeconds() < deadline else { throw BenchmarkFailure("clients are not ready after 60 s") }
        usleep(2_000)
      }
    }
  }

  /// The number of clients whose connection is open.
  var held: Int { clients.count { $0.now != .closed && $0.now != .connecting } }

  func leave() {
    for client in clients { client.abort() }
    network.loop.shutDown()
  }
}

/// Memory of a process that no other shares, in bytes.
func residentBytes(of process: Int32) throws -> Int {
  let text = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
  for line in text.split(separator: "\n") where line.hasPrefix("Pss:") {
    if let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) { return kilobytes << 10 }
  }
  throw BenchmarkFailure("the memory of process \(process) cannot be read")
}
