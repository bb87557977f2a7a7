import ByteCoding
@testable import ObjectServer
import Telemetry
import TestKit
import Testing
import Transport

@Suite("frames of a link")
struct LinkFrameTests {
  private static let frames: [(stream: UInt64, frame: LinkFrame)] = [
    (1, .open(LinkPair.opening)), (1, .accepted(protocolToken: "a")), (2, .accepted(protocolToken: nil)),
    (3, .refused(HTTPResponse(status: 503, text: "no\n"))), (1, .message(isText: false, total: 3, [1, 2, 3])),
    (1, .message(isText: true, total: 0, [])), (1, .message(isText: false, total: 5, [1])), (1, .more([2, 3, 4, 5])),
    (300, .credit(32_768)), (1, .close(4_001, reason: "the token expired")), (1, .abort), (0, .ping), (0, .pong),
  ]

  private static var bytes: [UInt8] {
    var writer = ByteWriter()
    for (stream, frame) in frames { frame.write(stream: stream, to: &writer) }
    return writer.bytes
  }

  @Test("frames are read as they were written")
  func roundTrip() throws {
    var reader = LinkFrameReader(Self.bytes)
    for (stream, frame) in Self.frames {
      let read = try #require(try reader.next())
      #expect(read.stream == stream)
      #expect(read.frame == frame)
    }
    #expect(try reader.next() == nil)
  }

  @Test("damaged frames trap neither the reader nor either end of a link", arguments: Seeds.some(200))
  func damaged(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for side in LinkPair.Side.allCases {
      var pair = LinkPair(LinkPair.small)
      _ = (pair.openAccepted(), pair.openAccepted())
      for _ in 0..<8 { pair.forge(Damage.random(of: Self.bytes, using: &random), to: side) }
      #expect(pair[side].queuedBytes >= 0, "SEED=\(seed)")
    }
  }

  /// Bytes that break a rule, by the end that receives them.
  private static let breaches: [(name: String, side: LinkPair.Side, bytes: [UInt8])] = [
    ("an unknown kind", .acceptor, [1, 99, 0]), ("cut in the middle", .acceptor, [1, 4, 10, 1]),
    ("a long frame", .acceptor, [1, 4, 0x80, 0x80, 0x80, 0x80, 1]),
    ("a stream that was never opened", .acceptor, frame(9, .abort)),
    ("a stream of the accepting node", .opener, frame(9, .open(LinkPair.opening))),
    ("a number that was used", .acceptor, frame(1, .open(LinkPair.opening))),
    ("an acceptance of an accepted stream", .opener, frame(1, .accepted(protocolToken: "a"))),
    ("a refusal of an accepted stream", .opener, frame(1, .refused(HTTPResponse(status: 503)))),
    ("an acceptance by the opening node", .acceptor, frame(1, .accepted(protocolToken: "a"))),
    ("a part of no message", .opener, frame(1, .more([1]))),
    (
      "a message inside of another", .opener,
      frame(1, .message(isText: false, total: 5, [1])) + frame(1, .message(isText: false, total: 1, [1]))
    ),
    (
      "more than was stated", .opener, frame(1, .message(isText: false, total: 2, [1])) + frame(1, .more([1, 2]))
    ),
    ("less than its beginning", .opener, frame(1, .message(isText: false, total: 1, [1, 2]))),
    ("nothing of something", .opener, frame(1, .message(isText: false, total: 1, []))),
    ("five gigabytes", .opener, frame(1, .message(isText: false, total: 5 << 30, [1]))),
    ("a text that is none", .opener, frame(1, .message(isText: true, total: 1, [0xFF]))),
    (
      "a message beyond the window", .opener,
      frame(1, .message(isText: false, total: 3_000, [UInt8](repeating: 1, count: 2_048)[...]))
    ),
    ("credit beyond the window", .opener, frame(1, .credit(1))), ("no credit", .opener, [1, 7, 1, 0]),
    ("a credit near the largest integer", .opener, frame(1, .credit(.max))),
    (
      "a message behind the end", .opener,
      frame(1, .close(1_000, reason: "")) + frame(1, .message(isText: false, total: 1, [1]))
    ),
    ("a sign of life of a stream", .opener, frame(1, .ping)), ("an end of the link", .opener, frame(0, .abort)),
    ("three nodes before", .acceptor, frame(9, .open(tooFar))),
  ]

  private static var tooFar: StreamOpening {
    var opening = LinkPair.opening
    opening.hops = PassedOn.maximumHops + 1
    return opening
  }

  private static func frame(_ stream: UInt64, _ frame: LinkFrame) -> [UInt8] { frame.encoded(stream: stream) }

  @Test("a peer that breaks a rule ends the link with 1002, and every stream is lost", arguments: breaches.indices)
  func breach(index: Int) {
    let (name, side, bytes) = Self.breaches[index]
    var pair = LinkPair(LinkPair.small)
    let number = pair.openAccepted()
    // An end of the stream is kept behind what is not read.
    if name == "a message behind the end" { pair[side].pause(number, true) }
    pair.forge(bytes, to: side)
    #expect(pair.endCodes[side.rawValue] == .protocolError, "\(name)")
    guard case .failed? = pair.heard(number, at: side).closure else {
      Issue.record("\(name): the stream lives")
      return
    }
    #expect(pair[side].streamCount == 0, "\(name)")
    pair.forge(frame(number), to: side)
  }

  private func frame(_ stream: UInt64) -> [UInt8] { LinkFrame.abort.encoded(stream: stream) }

  @Test("a peer that asks and does not read ends the link; one that says nothing is found by its silence")
  func silence() {
    var limits = PeerLink.Limits()
    limits.controlBytes = 100
    var pair = LinkPair(limits)
    let ping = LinkFrame.ping.encoded(stream: 0)
    for _ in 0..<50 { pair[.acceptor].received(ping, at: pair.now) }
    pair.perform(.acceptor, room: 0)
    #expect(pair.endCodes[1] == .protocolError)
    pair = LinkPair()
    let number = pair.openAccepted()
    for second in stride(from: 5, through: 60, by: 5) {
      pair.now = .zero + .seconds(second)
      let isAlive = pair.tick(.opener)
      #expect(isAlive)
      pair.settle()
    }
    pair.now = pair.now + .seconds(20)
    let isAlive2 = pair.tick(.opener)
    #expect(isAlive2, "20 seconds are allowed")
    pair.now = pair.now + .seconds(1)
    let isAlive3 = pair.tick(.opener)
    #expect(!isAlive3)
    #expect(pair.heard(number, at: .opener).closure == nil)
  }

  @Test("a stream that the other node does not answer fails, and one whose end it does not answer ends")
  func deadlines() {
    var pair = LinkPair()
    let closing = pair.openAccepted()
    let waiting = pair.open()
    pair[.opener].close(closing, 1_000, reason: "", at: pair.now)
    pair.perform(.opener)
    pair.now = .zero + PeerLink.Limits().opening + .seconds(1)
    let isAlive4 = pair.tick(.opener)
    #expect(isAlive4)
    pair.perform(.opener)
    #expect(pair.heard(closing, at: .opener).closure == .closed(code: 1_000, reason: "", byPeer: false))
    guard case .failed(let error)? = pair.heard(waiting, at: .opener).closure else {
      Issue.record("it waits for ever")
      return
    }
    #expect(error.code == .timedOut)
    #expect(pair[.opener].streamCount == 0)
    pair.settle()
    #expect(pair[.acceptor].streamCount == 0)
    #expect(pair.violation == nil)
  }
}
