import TestKit
import Testing

@testable import Transport

/// The cost of receiving a stream, counted in bytes copied and bytes held.
@Suite("The work of receiving a WebSocket stream")
struct WebSocketWorkTests {
  /// Streams of about a million bytes and more, by how they are cut and into which frames.
  @Test(
    "every byte is copied at most five times",
    arguments: [
      ("one frame", 4 << 20, 4 << 20, 1 << 16), ("one frame in small pieces", 1 << 20, 1 << 20, 100),
      ("fragments of 1,000 bytes", 4 << 20, 1_000, 1 << 16), ("fragments of 50 bytes", 2 << 20, 50, 1 << 16),
      ("fragments of 50 bytes in small pieces", 1 << 20, 50, 33),
    ] as [(String, Int, Int, Int)])
  func copies(name: String, size: Int, fragment: Int, piece: Int) throws {
    let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let stream = Self.fragmented(payload, into: fragment, from: .client)
    var decoder = WebSocketDecoder(role: .server, maximumMessageBytes: 8 << 20)
    var events: [WebSocketEvent] = []
    for start in stride(from: 0, to: stream.count, by: piece) {
      decoder.append(Array(stream[start..<min(start + piece, stream.count)]))
      while let event = try decoder.next() { events.append(event) }
    }
    #expect(events == [.message(.binary(payload))])
    #expect(decoder.copiedBytes <= 5 * UInt64(stream.count), "\(name): \(decoder.copiedBytes)")
  }

  @Test("masses of tiny fragments are refused with 1008", arguments: [0, 1])
  func tinyFragments(size: Int) {
    let stream = Self.fragmented([UInt8](repeating: 1, count: size * 100_000), into: size, from: .client, frames: 5_000)
    var decoder = WebSocketDecoder(role: .server, maximumMessageBytes: 8 << 20)
    decoder.append(stream)
    let violation = #expect(throws: WebSocketViolation.self) { while try decoder.next() != nil {} }
    #expect(violation?.code == .policyViolation)
    #expect(decoder.copiedBytes <= 5 * UInt64(stream.count))
  }

  @Test("an announcement alone takes no memory")
  func announcement() throws {
    var decoder = WebSocketDecoder(role: .client, maximumMessageBytes: 1 << 30)
    decoder.append([0x82, 0x7F, 0, 0, 0, 0, 0x40, 0, 0, 0] + [1, 2, 3])
    #expect(try decoder.next() == nil)
    #expect(decoder.bufferedBytes == 3)
  }

  // MARK: Too large

  @Test("of a message that is too large the head is reported, the rest is skipped, and the next message arrives")
  func oversized() throws {
    let payload = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var encoder = WebSocketEncoder(role: .client)
    let stream = encoder.binary(payload) + encoder.binary([1]) + encoder.ping([2])
    var decoder = WebSocketDecoder(role: .server, maximumMessageBytes: 9_999)
    var events: [WebSocketEvent] = []
    var most = 0
    for byte in stream {
      decoder.append([byte])
      while let event = try decoder.next() { events.append(event) }
      most = max(most, decoder.bufferedBytes)
    }
    #expect(
      events == [
        .message(.oversized(head: Array(payload.prefix(1_024)), byteCount: 10_000)), .message(.binary([1])), .ping([2]),
      ])
    #expect(most <= 1_024 + 14)
  }

  @Test("the head of a large announcement is reported before the rest comes")
  func early() throws {
    let head = [UInt8](repeating: 5, count: 1_024)
    var decoder = WebSocketDecoder(role: .client, maximumMessageBytes: 1 << 20)
    decoder.append([0x82, 0x7F, 0, 0, 0, 1, 0, 0, 0, 0] + head)
    #expect(try decoder.next() == .message(.oversized(head: head, byteCount: 4 << 30)))
    #expect(decoder.bufferedBytes == 0)
  }

  @Test("a fragmented message becomes too large at the fragment that announces it, and is reported once")
  func oversizedFragments() throws {
    let payload = (0..<4_000).map { UInt8(truncatingIfNeeded: $0 &* 3) }
    let stream = Self.fragmented(payload, into: 1_000, from: .server)
    var decoder = WebSocketDecoder(role: .client, maximumMessageBytes: 2_500)
    decoder.append(stream)
    #expect(try decoder.next() == .message(.oversized(head: Array(payload.prefix(1_024)), byteCount: 3_000)))
    #expect(try decoder.next() == nil)
    decoder.append([0x82, 0x01, 9])
    #expect(try decoder.next() == .message(.binary([9])))
  }

  @Test("a message that is too large and shorter than the head is reported whole")
  func oversizedShort() throws {
    #expect(
      try Self.events([0x02, 0x02, 1, 2, 0x80, 0x01, 3], limit: 2) == [
        .message(.oversized(head: [1, 2, 3], byteCount: 3))
      ])
  }

  @Test(
    "the reports of messages that are too large do not depend on how the stream is cut", arguments: Seeds.some(200))
  func cuts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (bytes, _) = WebSocketCodecTests.randomStream(from: .server, using: &random)
    let limit = Int.random(in: 0...200, using: &random)
    let whole = try Self.events(bytes, limit: limit)
    var cut: [WebSocketEvent] = []
    var decoder = WebSocketDecoder(role: .client, maximumMessageBytes: limit)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 1...40, using: &random))
      decoder.append(Array(bytes[start..<end]))
      while let event = try decoder.next() { cut.append(event) }
      start = end
    }
    #expect(cut == whole, "SEED=\(seed)")
  }

  // MARK: Closing

  @Test("after closing began only a close frame is reported, and nothing is kept")
  func discarding() throws {
    var encoder = WebSocketEncoder(role: .client)
    var decoder = WebSocketDecoder(role: .server, maximumMessageBytes: 1 << 20)
    let message = encoder.binary([UInt8](repeating: 1, count: 5_000))
    decoder.append(Array(message.prefix(3_000)))
    #expect(try decoder.next() == nil)
    decoder.discardMessages()
    #expect(decoder.bufferedBytes == 0)
    decoder.append(Array(message.dropFirst(3_000)) + encoder.ping([1]) + encoder.binary([2]))
    #expect(try decoder.next() == nil)
    #expect(decoder.bufferedBytes == 0)
    decoder.append(encoder.close(.normal, reason: ""))
    #expect(try decoder.next() == .close(.normal, reason: ""))
  }

  @Test("after closing began at most 10,000 frames are read")
  func discardedMasses() throws {
    var encoder = WebSocketEncoder(role: .client)
    var decoder = WebSocketDecoder(role: .server, maximumMessageBytes: 1 << 20)
    decoder.discardMessages()
    let frame = encoder.binary([])
    decoder.append((0..<10_001).flatMap { _ in frame } + encoder.close(.normal, reason: ""))
    #expect(try decoder.next() == nil)
    #expect(decoder.bufferedBytes == 0)
  }

  // MARK: Helpers

  static func events(_ bytes: [UInt8], limit: Int) throws -> [WebSocketEvent] {
    var decoder = WebSocketDecoder(role: .client, maximumMessageBytes: limit)
    decoder.append(bytes)
    var events: [WebSocketEvent] = []
    while let event = try decoder.next() { events.append(event) }
    return events
  }

  /// One binary message in frames of `size` bytes; of so many frames, when `frames` is given.
  static func fragmented(
    _ payload: [UInt8], into size: Int, from role: WebSocketRole, frames: Int? = nil
  ) -> [UInt8] {
    var encoder = WebSocketEncoder(role: role)
    let count = frames ?? max(1, (payload.count + size - 1) / size)
    var stream: [UInt8] = []
    for index in 0..<count {
      let part = Array(payload[(index * size)..<min((index + 1) * size, payload.count)])
      stream += encoder.frame(index == 0 ? .binary : .continuation, part, isFinal: index == count - 1)
    }
    return stream
  }
}
