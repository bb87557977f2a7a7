import Synchronization
import TestKit
import Testing
import Transport

@testable import TransportReal

@Suite("The requests of a connection do not depend on how its stream is cut", .serialized)
struct HTTPPipelineTests {
  /// Requests with and without bodies; the bodies look like requests.
  static func pipeline(_ count: Int, largest: Int, using random: inout SeededGenerator) -> (
    bytes: [UInt8], seen: [String]
  ) {
    let bait = Array("GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    var (bytes, seen) = ([UInt8](), [String]())
    for number in 0..<count {
      let size = Bool.random(using: &random) ? 0 : Int.random(in: 0...largest, using: &random)
      let body = (0..<size).map { bait[$0 % bait.count] }
      let isChunked = Bool.random(using: &random)
      var head = "POST /\(number) HTTP/1.1\r\nHost: x\r\n"
      head += isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: \(body.count)\r\n\r\n"
      bytes += Array(head.utf8)
      var start = 0
      while isChunked, start < body.count {
        let end = min(body.count, start + Int.random(in: 1...max(1, largest / 3), using: &random))
        bytes += Array("\(String(end - start, radix: 16))\r\n".utf8) + body[start..<end] + [13, 10]
        start = end
      }
      bytes += isChunked ? Array("0\r\n\r\n".utf8) : body
      seen.append("POST /\(number) \(body.count)")
    }
    return (bytes, seen)
  }

  @Test("a parser sees the same requests at every cut", arguments: Seeds.some(4))
  func cuts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (bytes, expected) = Self.pipeline(4, largest: 120, using: &random)
    for cut in 0...bytes.count {
      var (seen, parser) = ([String](), Self.parser())
      for part in [Array(bytes[..<cut]), Array(bytes[cut...])] {
        try part.withUnsafeBytes { buffer in
          var start = 0
          while start < buffer.count {
            let (count, message) = try parser.consume(UnsafeRawBufferPointer(rebasing: buffer[start...]))
            start += count
            guard let message else { continue }
            seen.append("\(message.method) \(message.target) \(message.body.count)")
            parser = Self.parser()
          }
        }
      }
      #expect(seen == expected, "SEED=\(seed), cut at \(cut)")
    }
  }

  private static func parser() -> HTTPMessageParser {
    HTTPMessageParser(.request, maximumHeadBytes: 1 << 14, maximumBodyBytes: 1 << 20)
  }

  @Test(
    "a server sees and answers every request, far beyond one reading, whenever it answers", arguments: Seeds.some(6))
  func pipelines(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (bytes, expected) = Self.pipeline(80, largest: 9_000, using: &random)
    let loop = try EventLoop(name: "pipeline")
    let network = RealNetwork(loop: loop)
    let server = PatientServer(loop: loop)
    let listener = try await network.listen(on: ListenAddress(port: 0), handler: server)
    let socket = RawSocket(port: listener.address.port)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 1...40_000, using: &random))
      socket.send(Array(bytes[start..<end]))
      start = end
    }
    socket.send("GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    let text = String(decoding: socket.readAll(), as: UTF8.self)
    #expect(server.seen.withLock { $0 } == expected + ["GET /last 0"], "SEED=\(seed)")
    #expect(text.ranges(of: "HTTP/1.1 200 ").count == expected.count + 1, "SEED=\(seed)")
    await listener.shutDown(grace: .zero)
    loop.shutDown()
  }

  @Test("a peer that sends requests and does not read the answers is not read from")
  func unread() async throws {
    let loop = try EventLoop(name: "unread")
    let network = RealNetwork(loop: loop)
    let server = PatientServer(loop: loop, answer: 100_000)
    let listener = try await network.listen(on: ListenAddress(port: 0), handler: server)
    let socket = RawSocket(port: listener.address.port)
    // The server reads these requests at once; its answers would be 200 MB.
    socket.send(String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", count: 2_000))
    let settled = await server.settled()
    #expect((1..<200).contains(settled))
    await listener.shutDown(grace: .zero)
    loop.shutDown()
  }
}

/// A server that answers every other request a turn of the loop later.
final class PatientServer: HTTPServerHandler {
  let seen = Mutex<[String]>([])
  private let loop: EventLoop
  private let answer: Int

  init(loop: EventLoop, answer: Int = 10) {
    self.loop = loop
    self.answer = answer
  }

  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    let number = seen.withLock { seen in
      seen.append("\(request.method) \(request.target) \(request.body.count)")
      return seen.count
    }
    let response = HTTPResponse(status: 200, text: String(repeating: "a", count: answer))
    guard number % 3 != 0 else { return responder.respond(response) }
    loop.schedule(after: .milliseconds(number % 3 - 1)) { responder.respond(response) }
  }

  /// The requests seen once no more come for a while; 0 when none come for a minute.
  func settled() async -> Int {
    var (last, count, looks) = (-1, 0, 0)
    while last != count || count == 0 && looks < 200 {
      (last, looks) = (count, looks + 1)
      try? await Task.sleep(for: .milliseconds(300))
      count = seen.withLock(\.count)
    }
    return count
  }
}
