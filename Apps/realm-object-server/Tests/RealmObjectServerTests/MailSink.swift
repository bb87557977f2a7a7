import Foundation
import Synchronization
import TestKit

/// A mail server that takes everything and keeps it: without TLS, for the own machine.
final class MailSink: Sendable {
  let port: UInt16
  private let listener: Int32
  private let state = Mutex<(bodies: [String], logins: Int)>(([], 0))

  /// The texts of the messages, decoded.
  var messages: [String] { state.withLock { $0.bodies } }
  /// The number of times that somebody logged in.
  var logins: Int { state.withLock { $0.logins } }

  init() throws {
    (listener, port) = try LoopbackSocket.listen()
    Thread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        Thread { [self] in converse(client) }.start()
      }
    }.start()
  }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func converse(_ client: Int32) {
    defer { close(client) }
    func say(_ line: String) { _ = Array((line + "\r\n").utf8).withUnsafeBytes { LoopbackSocket.send($0, to: client) } }
    var buffer: [UInt8] = [], isInData = false, data: [String] = []
    say("220 sink")
    while true {
      while let end = buffer.firstIndex(of: 0x0A) {
        let line = String(decoding: buffer[..<end], as: UTF8.self).replacing("\r", with: "")
        buffer.removeSubrange(...end)
        if isInData {
          if line == "." {
            isInData = false
            keep(data)
            data = []
            say("250 kept")
          } else {
            data.append(line)
          }
          continue
        }
        switch line.prefix(4).uppercased() {
        case "EHLO":
          say("250-sink")
          say("250 AUTH PLAIN")
        case "AUTH":
          state.withLock { $0.logins += 1 }
          // Without the answer in the same line it is asked for.
          say(line.split(separator: " ").count > 2 ? "235 welcome" : "334 ")
        case "DATA":
          isInData = true
          say("354 go on")
        case "QUIT":
          say("221 bye")
          return
        case "MAIL", "RCPT", "HELO", "NOOP", "RSET": say("250 yes")
        default: say("235 welcome")
        }
      }
      var part = [UInt8](repeating: 0, count: 4_096)
      let count = recv(client, &part, part.count, 0)
      guard count > 0 else { return }
      buffer += part[..<count]
    }
  }

  private func keep(_ lines: [String]) {
    let body = lines.drop { !$0.isEmpty }.joined()
    let text = Data(base64Encoded: body).map { String(decoding: $0, as: UTF8.self) } ?? body
    state.withLock { $0.bodies.append(text) }
  }
}
