import Cryptography
import Foundation
import Glibc
import Testing
import Transport
import TransportReal

/// Loops that still run when their process ends.
@Suite("Process exit")
struct ProcessExitTests {
  static let runs = Int(ProcessInfo.processInfo.environment["RUNS"] ?? "") ?? 5

  @Test("a process may call exit while loops run")
  func exitUnderLiveLoops() async {
    for _ in 0..<Self.runs {
      await #expect(processExitsWith: .exitCode(7)) {
        let loops = try (0..<3).map { try EventLoop(name: "live-\($0)") }
        for loop in loops { busy(loop) }
        RealNetwork(loop: loops[0]).listen(
          on: ListenAddress(host: "localhost", port: 0), options: HTTPServerOptions(), handler: NoPages()
        ) { _ in exit(7) }
        try await Task.sleep(for: .seconds(60))
      }
    }
  }

  @Test("a process may call exit on a thread of its own while a loop runs, although OpenSSL was used before")
  func exitOnAnotherThread() async {
    for _ in 0..<Self.runs {
      await #expect(processExitsWith: .exitCode(9)) {
        // Before there is a loop, so that OpenSSL registers its own clearing up.
        _ = try SecureRandom.bytes(count: 8)
        let loop = try EventLoop(name: "live")
        busy(loop)
        RealNetwork(loop: loop).listen(
          on: ListenAddress(host: "localhost", port: 0), options: HTTPServerOptions(), handler: NoPages()
        ) { _ in Thread.detachNewThread { exit(9) } }
        try await Task.sleep(for: .seconds(60))
      }
    }
  }
}

/// Keeps a loop at work for ever: random numbers need OpenSSL's locks, timers and hand-overs need libuv.
private func busy(_ loop: EventLoop) {
  var random = SecureRandom()
  var sum: UInt64 = 0
  for _ in 0..<100 { sum &+= random.next() }
  if sum & 3 == 0 { loop.schedule(after: .microseconds(100)) { busy(loop) } } else { loop.execute { busy(loop) } }
}

private final class NoPages: HTTPServerHandler {
  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    responder.respond(HTTPResponse(status: 404, text: "no\n"))
  }
  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    responder.refuse(HTTPResponse(status: 404, text: "no\n"))
  }
}
