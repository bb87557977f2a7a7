import Foundation
import Synchronization

/// One kept-alive connection that sends a request and waits for its whole answer, for load on a server of this machine.
final class HTTPClientSocket {
  private let socket: Int32
  private var buffer: [UInt8] = []

  init(port: Int) throws {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw BenchmarkFailure("no connection to port \(port)") }
    var one: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(socket) }

  static func request(_ method: String, _ path: String, headers: [String] = [], body: String) -> [UInt8] {
    let head =
      (["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"] + headers
      + ["Content-Length: \(body.utf8.count)"]).joined(separator: "\r\n")
    return Array((head + "\r\n\r\n" + body).utf8)
  }

  func send(_ method: String, _ path: String, body: String) throws -> [UInt8] {
    try exchange(Self.request(method, path, body: body))
  }

  /// Sends a request and answers the body of the response.
  func exchange(_ request: [UInt8]) throws -> [UInt8] {
    var sent = 0
    while sent < request.count {
      let count = request.withUnsafeBytes { write(socket, $0.baseAddress?.advanced(by: sent), $0.count - sent) }
      guard count > 0 else { throw BenchmarkFailure("the server closed a connection") }
      sent += count
    }
    while true {
      if let end = headEnd() {
        let head = String(decoding: buffer[..<end], as: UTF8.self)
        let length = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        guard head.hasPrefix("HTTP/1.1 200"), let count = length.flatMap({ Int($0.dropFirst(15).filter(\.isNumber)) })
        else { throw BenchmarkFailure("the server answered \(head.prefix(80))") }
        while buffer.count < end + count { try receive() }
        let body = Array(buffer[end..<end + count])
        buffer.removeSubrange(..<(end + count))
        return body
      }
      try receive()
    }
  }

  private func headEnd() -> Int? {
    guard buffer.count >= 4 else { return nil }
    for start in 0...(buffer.count - 4) where buffer[start] == 13 && buffer[start + 2] == 13 {
      if buffer[start + 1] == 10, buffer[start + 3] == 10 { return start + 4 }
    }
    return nil
  }

  private func receive() throws {
    var piece = [UInt8](repeating: 0, count: 256 << 10)
    let count = piece.withUnsafeMutableBytes { read(socket, $0.baseAddress, $0.count) }
    guard count > 0 else { throw BenchmarkFailure("the server closed a connection") }
    buffer += piece[..<count]
  }

  /// Sends one request again and again over several connections at a time.
  ///
  /// - Returns: the seconds from the first to the last answer.
  static func load(port: Int, _ request: [UInt8], connections: Int, each: Int) throws -> Double {
    let failure = Mutex<(any Error)?>(nil)
    let time = seconds {
      DispatchQueue.concurrentPerform(iterations: connections) { _ in
        do {
          let socket = try HTTPClientSocket(port: port)
          for _ in 0..<each { _ = try socket.exchange(request) }
        } catch { failure.withLock { $0 = error } }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return time
  }
}
