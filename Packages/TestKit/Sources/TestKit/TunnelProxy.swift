import Foundation
import Synchronization

/// An HTTP proxy on this machine that opens tunnels (CONNECT) and writes down for whom.
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

  /// Where it listens.
  public let port: Int

  /// A proxy that listens on a free port.
  ///
  /// - Parameters:
  ///   - credentials: `user:password` that clients must show; nil for none.
  ///   - answer: what every request gets in place of a tunnel, byte for byte; then the connection ends.
  /// - Throws: when the system has no socket left.
  public init(credentials: String? = nil, answer: String? = nil) throws {
    self.answer = answer
    authorization = credentials.map { "Basic " + Data($0.utf8).base64EncodedString() }
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isListening else { throw CocoaError(.fileReadUnknown) }
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
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

  /// What tunnels were opened to, in order.
  public var targets: [String] { state.withLock { $0.targets } }

  /// How many requests came without the credentials.
  public var refused: Int { state.withLock { $0.refused } }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

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
    // Whatever the name, the servers of tests are on this machine.
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.loopback(target.split(separator: ":").last.flatMap { UInt16($0) } ?? 0)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(server)
      return Self.end(client, with: "HTTP/1.1 502 Bad Gateway\r\n\r\n")
    }
    Self.send(client, Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)[...])
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
    send(socket, Array(answer.utf8)[...])
    shutdown(socket, Int32(SHUT_WR))
    // The peer closes first, so that what it still sends does not take the answer away.
    var rest = [UInt8](repeating: 0, count: 1_024)
    while recv(socket, &rest, rest.count, 0) > 0 {}
    close(socket)
  }

  @discardableResult
  private static func send(_ socket: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func copy(from source: Int32, to target: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0, send(target, buffer[..<count]) else { break }
    }
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(target, Int32(SHUT_RDWR))
  }
}
