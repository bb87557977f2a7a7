import Foundation
import TestKit

/// A client of one server: one connection that stays open, one request after the other, and nothing that takes time itself.
final class HTTPCaller {
  private let port: Int
  private var descriptor: Int32 = -1

  init(port: Int) { self.port = port }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The body of the answer.
  ///
  /// - Throws: ``BenchmarkFailure`` when the status is not one of success.
  func send(_ method: String, _ path: String, bearer: String? = nil, body: String = "") throws -> [UInt8] {
    if descriptor < 0 {
      guard let new = LoopbackSocket.connect(to: UInt16(clamping: port)) else {
        throw BenchmarkFailure("the server does not answer")
      }
      descriptor = new
    }
    let authorization = bearer.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    let text =
      "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\(authorization)"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    guard Array(text.utf8).withUnsafeBytes({ LoopbackSocket.send($0, to: descriptor) }) else {
      throw BenchmarkFailure("the server closed the connection")
    }
    return try answer(to: "\(method) \(path)")
  }

  private func answer(to request: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var head: (end: Int, length: Int)?
    while true {
      if head == nil, let found = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        let text = String(decoding: bytes[..<found.lowerBound], as: UTF8.self)
        let lines = text.split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first, status.hasPrefix("2") else {
          throw BenchmarkFailure("\(request): \(lines.first ?? "nothing")")
        }
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }?.split(separator: " ").last
        head = (found.upperBound, length.flatMap { Int($0) } ?? 0)
      }
      if let head, bytes.count >= head.end + head.length { return Array(bytes[head.end..<head.end + head.length]) }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw BenchmarkFailure("\(request): the server closed the connection") }
      bytes += buffer[..<count]
    }
  }
}
