import TestKit
import Testing
import Transport
import TransportReal

@Suite("Connections that are used again and again", .serialized)
struct HTTPKeepAliveTests {
  /// Sends requests on a connection, in rounds of one or two that are pipelined, each round behind the answers of the one before.
  ///
  /// - Returns: the requests that were answered with 200 and their own text, in order.
  private static func answered(_ count: Int, on socket: RawSocket, using random: inout SeededGenerator) -> Int {
    var number = 0
    var received: [UInt8] = []
    while number < count {
      let round = min(Int.random(in: 1...2, using: &random), count - number)
      let bodies = (0..<round).map { _ in String(repeating: "b", count: Int.random(in: 0...300, using: &random)) }
      let requests = bodies.enumerated().map { offset, body in
        "POST /\(number + offset) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      }
      let bytes = Array(requests.joined().utf8)
      // In two parts, of which the second may begin anywhere.
      let cut = Int.random(in: 1...bytes.count, using: &random)
      socket.send(Array(bytes[..<cut]))
      socket.send(Array(bytes[cut...]))
      for body in bodies {
        let text = "POST /\(number) \(body.utf8.count)"
        while received.firstRange(of: Array(text.utf8)) == nil {
          guard let piece = socket.read() else { return number }
          received += piece
        }
        guard let end = received.firstRange(of: Array(text.utf8)),
          String(decoding: received[..<end.lowerBound], as: UTF8.self).hasPrefix("HTTP/1.1 200 ")
        else { return number }
        received.removeFirst(end.upperBound)
        number += 1
      }
    }
    return number
  }

  @Test("ten thousand requests on four connections are answered, each with its own answer")
  func many() async throws {
    let loopback = try await Loopback.start()
    let port = loopback.port
    let counts = await withTaskGroup(of: Int?.self) { group in
      for seed in Seeds.some(4) {
        group.addTask {
          try? await onOwnThread {
            var random = SeededGenerator(seed: seed)
            return Self.answered(2_500, on: RawSocket(port: port), using: &random)
          }
        }
      }
      return await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    #expect(counts.allSatisfy { $0 == 2_500 }, "\(counts)")
    await loopback.stop()
  }
}
