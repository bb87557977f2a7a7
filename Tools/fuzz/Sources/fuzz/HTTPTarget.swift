import Foundation
import Synchronization
import Transport

/// Requests as bytes, damaged: through the readers of heads and bodies, the routes and a server with users. Each whole request
/// gets one answer, none of them 500, and every answer in JSON can be read.
final class HTTPTarget: Sendable {
  /// Users, logins and streams add up, and users are deleted or log out: after so many inputs a new server starts.
  private static let inputsPerServer = 100
  private let state = Mutex<(server: FuzzedServer?, count: Int)>((nil, 0))

  static let target: FuzzTarget = {
    let http = HTTPTarget()
    return FuzzTarget(
      name: "http", corpus: { HTTPCorpus.requests.map { Array($0.utf8) } }, feed: { http.feed($0) }, batch: 10_000)
  }()

  func feed(_ bytes: [UInt8]) {
    guard let server = server() else { preconditionFailure("the server cannot be made") }
    guard let request = Self.request(server.filled(bytes)) else { return }
    let answers = server.answers(to: request)
    precondition(answers.count == 1, "a request gets one answer: \(request.method) \(request.target) \(answers.count)")
    for answer in answers {
      precondition(answer.status != 500, "the server fails: \(request.method) \(request.target) \(answer.text)")
      guard answer.headers["Content-Type"]?.hasPrefix("application/json") == true, !answer.body.isEmpty else {
        continue
      }
      let json = try? JSONSerialization.jsonObject(with: Data(answer.body), options: .fragmentsAllowed)
      precondition(json != nil, "an answer is JSON: \(answer.text)")
    }
  }

  private func server() -> FuzzedServer? {
    state.withLock { state in
      if state.count % Self.inputsPerServer == 0 { state.server = try? FuzzedServer() }
      state.count += 1
      return state.server
    }
  }

  /// The request in some bytes; nil when head or body break a rule.
  private static func request(_ bytes: [UInt8]) -> HTTPRequest? {
    var scanner = HTTPHeadScanner()
    guard case .complete(let count) = bytes.withUnsafeBytes({ scanner.scan($0) }) else { return nil }
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2] == "HTTP/1.1" else { return nil }
    let fields = lines.dropFirst().compactMap { line -> HTTPHeaders.Field? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return HTTPHeaders.Field(name: String(line[..<colon]), value: String(value))
    }
    let head = try? HTTPRequestHead(
      method: String(words[0]), target: String(words[1]), minorVersion: 1, headers: HTTPHeaders(fields))
    guard let head else { return nil }
    var body: [UInt8] = []
    switch head.framing {
    // A damaged length says nothing about the body; the bytes that are there are it.
    case .length: body = Array(bytes[count...])
    case .chunks:
      var decoder = HTTPChunkDecoder()
      guard (try? bytes[count...].withUnsafeBytes({ try decoder.read($0) { body += $0 } })) != nil else { return nil }
    }
    return HTTPRequest(
      method: String(words[0]), target: head.target, headers: head.headers, body: body, remoteAddress: "127.0.0.1:1")
  }
}
