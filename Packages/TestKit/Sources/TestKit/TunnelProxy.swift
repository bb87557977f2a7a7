import Foundation
import Synchronization

/// An HTTP proxy on this machine that opens tunnels (CONNECT) and records their targets.
///
///     let proxy = try TunnelProxy(credentials: "ann:secret")
///     // … a client with the proxy "http://ann:secret@127.0.0.1:\(proxy.port)" …
///     proxy.targets        // ["127.0.0.1:9080"]
public final class TunnelProxy: Sendable {
  private struct State {
    var targets: [String] = []
    var refused = 0
  }
  private let state = Mutex(State())
  private let listener: Int32
  private let authorization: String?
  private let answer: String?

  /// The port that it listens on.
  public let port: Int

  /// A proxy that listens on a free port.
  ///
  /// - Parameters:
  ///   - credentials: `user:password` that clients must show; nil for none.
  ///   - answer: the bytes that answer every request in place of a tunnel; then the connection ends.
  /// - Throws: ``LoopbackSocket/Failure`` when the system has no socket left.
  public init(credentials: String? = nil, answer: String? = nil) throws {
    self.answer = answer
    authorization = credentials.map { "Basic " + Data($0.utf8).base64EncodedString() }
    let (listener, port) = try LoopbackSocket.listen()
    self.listener = listener
    self.port = Int(port)
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { break }
        guard let self else {
          close(client)
          break
        }
        Thread.detachNewThread { self.serve(client) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// The targets of the tunnels, in the order of opening.
  public var targets: [String] { state.withLock { $0.targets } }

  /// The number of requests without the credentials.
  public var refused: Int { state.withLock { $0.refused } }

  private func serve(_ client: Int32) {
    let lines = Self.head(client).split(separator: "\r\n").map(String.init)
    let words = lines.first?.split(separator: " ") ?? []
    let shown = lines.first { $0.lowercased().hasPrefix("proxy-authorization: ") }?.dropFirst(21)
    guard answer == nil, words.first == "CONNECT", words.count == 3 else {
      return Self.end(client, with: answer ?? "HTTP/1.1 405 Method Not Allowed\r\n\r\n")
    }
    guard authorization.map({ $0 == shown ?? "" }) ?? true else {
      state.withLock { $0.refused += 1 }
      return Self.end(client, with: "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 3\r\n\r\nno\n")
    }
    let target = String(words[1])
    state.withLock { $0.targets.append(target) }
    // The host is not resolved: all servers of tests are on this machine.
    let number = target.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    guard let server = LoopbackSocket.connect(to: number) else {
      return Self.end(client, with: "HTTP/1.1 502 Bad Gateway\r\n\r\n")
    }
    Self.send("HTTP/1.1 200 Connection established\r\n\r\n", to: client)
    let back = Thread { Self.copy(from: server, to: client) }
    back.start()
    Self.copy(from: client, to: server)
    while !back.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    close(client)
    close(server)
  }

  private static func head(_ socket: Int32) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 8_192, !bytes.suffix(4).elementsEqual([13, 10, 13, 10]), recv(socket, &byte, 1, 0) == 1 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func end(_ socket: Int32, with answer: String) {
    send(answer, to: socket)
    shutdown(socket, Int32(SHUT_WR))
    // The peer closes first: bytes that it still sends would otherwise reset the connection before it reads the answer.
    var rest = [UInt8](repeating: 0, count: 1_024)
    while recv(socket, &rest, rest.count, 0) > 0 {}
    close(socket)
  }

  private static func send(_ text: String, to socket: Int32) {
    Array(text.utf8).withUnsafeBytes { _ = LoopbackSocket.send($0, to: socket) }
  }

  private static func copy(from source: Int32, to target: Int32) {
    LoopbackSocket.pass(from: source, to: target)
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(target, Int32(SHUT_RDWR))
  }
}
