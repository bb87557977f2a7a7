import TestKit
import Testing
@testable import Transport

@Suite("WebSocket codec")
struct WebSocketCodecTests {
  static let hello = Array("Hello".utf8)

  /// The frames of RFC 6455, section 5.7.
  @Test("the example frames of the RFC decode as the RFC says")
  func examples() throws {
    #expect(try Self.decode([0x81, 0x05] + Self.hello, as: .client) == [.message(.text(Self.hello))])
    #expect(
      try Self.decode([0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58], as: .server) == [
        .message(.text(Self.hello))
      ])
    #expect(
      try Self.decode([0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f], as: .client) == [
        .message(.text(Self.hello))
      ])
    #expect(try Self.decode([0x89, 0x05] + Self.hello, as: .client) == [.ping(Self.hello)])
    #expect(
      try Self.decode([0x8a, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58], as: .server) == [
        .pong(Self.hello)
      ])
    let medium = [UInt8](repeating: 9, count: 256)
    #expect(try Self.decode([0x82, 0x7E, 0x01, 0x00] + medium, as: .client) == [.message(.binary(medium))])
    let large = [UInt8](repeating: 9, count: 65_536)
    #expect(try Self.decode([0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + large, as: .client) == [.message(.binary(large))])
  }

  @Test("the encoder writes the example frames of the RFC")
  func encoding() {
    var server = WebSocketEncoder(role: .server)
    #expect(server.text("Hello") == [0x81, 0x05] + Self.hello)
    #expect(server.binary([UInt8](repeating: 9, count: 256)).prefix(4) == [0x82, 0x7E, 0x01, 0x00])
    #expect(server.binary([UInt8](repeating: 9, count: 65_536)).prefix(10) == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])
    var client = WebSocketEncoder(role: .client, random: FixedRandom(value: 0x37fa_213d))
    #expect(client.frame(.text, Self.hello) == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58])
    #expect(server.close(1000, reason: String(repeating: "é", count: 100)).count == 2 + 2 + 122)
    #expect(server.close(.noCode, reason: "x") == [0x88, 0])
  }

  @Test(
    "a frame against the rules is refused at its header, with its code",
    arguments: [
      ("4 GiB + 1", [0x82, 0x7F, 0, 0, 0, 1, 0, 0, 0, 1], 1008),
      ("4 GiB + 1 in two fragments", [0x02, 0x01, 1, 0x80, 0x7F, 0, 0, 0, 1, 0, 0, 0, 0], 1008),
      ("largest", [0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 1008),
      ("top bit", [0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], 1002),
      ("length not shortest, 2", [0x82, 0x7E, 0, 125], 1002),
      ("length not shortest, 8", [0x82, 0x7F, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 1002),
      ("reserved bit 1", [0xC2, 0x00], 1002),
      ("reserved bit 2", [0xA2, 0x00], 1002),
      ("reserved bit 3", [0x92, 0x00], 1002),
      ("reserved opcode 3", [0x83, 0x00], 1002),
      ("reserved opcode 15", [0x8F, 0x00], 1002),
      ("masked by a server", [0x82, 0x80, 0, 0, 0, 0], 1002),
      ("fragmented ping", [0x09, 0x00], 1002),
      ("long ping", [0x89, 0x7E, 0, 126], 1002),
      ("continuation of nothing", [0x80, 0x00], 1002),
      ("message in a message", [0x02, 0x01, 1, 0x82, 0x01, 1], 1002),
      ("half a close code", [0x88, 0x01, 3], 1002),
      ("close code 1005", [0x88, 0x02, 0x03, 0xED], 1002),
      ("close code 0", [0x88, 0x02, 0, 0], 1002),
      ("text that is not UTF-8", [0x81, 0x02, 0xC3, 0x28], 1007),
      ("text that ends within a character", [0x01, 0x01, 0x61, 0x80, 0x01, 0xC3], 1007),
      ("reason that is not UTF-8", [0x88, 0x03, 0x03, 0xE8, 0xFF], 1007),
    ] as [(String, [UInt8], UInt16)])
  func violations(name: String, bytes: [UInt8], code: UInt16) {
    var decoder = WebSocketDecoder(role: .client, maximumMessageBytes: 1 << 20)
    decoder.append(bytes)
    let violation = #expect(throws: WebSocketViolation.self) { while try decoder.next() != nil {} }
    #expect(violation?.code.rawValue == code)
    #expect(decoder.bufferedBytes == 0)
  }

  @Test("a client's frame without a mask is refused")
  func unmasked() {
    #expect(throws: WebSocketViolation.self) { try Self.decode([0x82, 0x01, 1], as: .server) }
  }

  @Test(
    "the events do not depend on how the stream is cut, and reading restores the written messages",
    arguments: Seeds.some(400))
  func cuts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let role: WebSocketRole = Bool.random(using: &random) ? .client : .server
    let (bytes, expected) = Self.randomStream(from: role == .client ? .server : .client, using: &random)
    #expect(try Self.decode(bytes, as: role) == expected, "SEED=\(seed), all at once")
    #expect(try Self.decode(pieces: bytes.map { [$0] }, as: role) == expected, "SEED=\(seed), byte by byte")
    for _ in 0..<4 {
      let cut = Int.random(in: 0...bytes.count, using: &random)
      #expect(
        try Self.decode(pieces: [Array(bytes[..<cut]), Array(bytes[cut...])], as: role) == expected,
        "SEED=\(seed), cut at \(cut)")
    }
  }

  @Test(
    "flipped streams give the same events or the same violation however they are cut, and never trap",
    arguments: Seeds.some(2_000))
  func flips(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let role: WebSocketRole = Bool.random(using: &random) ? .client : .server
    var (bytes, _) = Self.randomStream(from: role == .client ? .server : .client, using: &random)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
    }
    let whole = Self.outcome(pieces: [bytes], as: role)
    #expect(whole == Self.outcome(pieces: bytes.map { [$0] }, as: role), "SEED=\(seed)")
    let cut = Int.random(in: 0...bytes.count, using: &random)
    #expect(whole == Self.outcome(pieces: [Array(bytes[..<cut]), Array(bytes[cut...])], as: role), "SEED=\(seed)")
  }

  // MARK: Helpers

  struct FixedRandom: RandomNumberGenerator, Sendable {
    var value: UInt64
    mutating func next() -> UInt64 { value }
  }

  struct Outcome: Equatable {
    var events: [WebSocketEvent] = []
    var violation: WebSocketViolation?
  }

  static func outcome(pieces: [[UInt8]], as role: WebSocketRole) -> Outcome {
    var decoder = WebSocketDecoder(role: role, maximumMessageBytes: 5_000)
    var outcome = Outcome()
    for piece in pieces {
      decoder.append(piece)
      do {
        while let event = try decoder.next() { outcome.events.append(event) }
      } catch {
        outcome.violation = error
        return outcome
      }
    }
    return outcome
  }

  static func decode(_ bytes: [UInt8], as role: WebSocketRole) throws -> [WebSocketEvent] {
    try decode(pieces: [bytes], as: role)
  }

  static func decode(pieces: [[UInt8]], as role: WebSocketRole) throws -> [WebSocketEvent] {
    var decoder = WebSocketDecoder(role: role, maximumMessageBytes: 1 << 20)
    var events: [WebSocketEvent] = []
    for piece in pieces {
      decoder.append(piece)
      while let event = try decoder.next() { events.append(event) }
    }
    return events
  }

  /// Messages in random fragments, with control frames between them, sometimes a close frame at the end.
  static func randomStream(
    from role: WebSocketRole, using random: inout SeededGenerator
  ) -> (bytes: [UInt8], events: [WebSocketEvent]) {
    var encoder = WebSocketEncoder(role: role, random: SeededGenerator(seed: random.next()))
    var bytes: [UInt8] = []
    var events: [WebSocketEvent] = []
    func payload(_ limit: Int) -> [UInt8] {
      (0..<Int.random(in: 0...limit, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    // Characters of one to four bytes, which fragments cut anywhere.
    func text(_ limit: Int) -> [UInt8] {
      let letters = ["a", "é", "€", "🦊"]
      return (0..<Int.random(in: 0...limit, using: &random)).flatMap { _ in
        Array(letters[Int.random(in: letters.indices, using: &random)].utf8)
      }
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let limit = Bool.random(using: &random) ? 10 : 400
      let isText = Int.random(in: 0..<4, using: &random) == 0
      let message = isText ? text(limit) : payload(limit)
      let parts = Int.random(in: 1...3, using: &random)
      var start = 0
      for part in 0..<parts {
        let end = part == parts - 1 ? message.count : Int.random(in: start...message.count, using: &random)
        bytes += encoder.frame(
          part > 0 ? .continuation : isText ? .text : .binary, Array(message[start..<end]), isFinal: part == parts - 1)
        start = end
        if part == parts - 1 { events.append(.message(isText ? .text(message) : .binary(message))) }
        // A control frame inside a message is heard before it.
        if Int.random(in: 0..<3, using: &random) == 0 {
          let control = payload(125)
          let isPing = Bool.random(using: &random)
          bytes += isPing ? encoder.ping(control) : encoder.pong(control)
          events.append(isPing ? .ping(control) : .pong(control))
        }
      }
    }
    if Bool.random(using: &random) {
      bytes += encoder.close(4001, reason: "done")
      events.append(.close(4001, reason: "done"))
    }
    return (bytes, events)
  }
}
