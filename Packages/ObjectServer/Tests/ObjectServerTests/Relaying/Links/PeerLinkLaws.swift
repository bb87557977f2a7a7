@testable import ObjectServer
import Telemetry
import TestKit
import Testing
import Transport

@Suite("laws of the link between two nodes")
struct PeerLinkLaws {
  /// A stream of a run: the messages that each end sent, and the ways in which it was ended.
  private struct Model {
    var sent: [[[UInt8]]] = [[], []]
    var closedBy: LinkPair.Side?
    var isCut = false
    var isRefused = false
  }

  @Test(
    "in any interleaving each stream's messages arrive whole, in order, within the window, and its end behind them",
    arguments: Seeds.some(60))
  func interleavings(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var pair = LinkPair(LinkPair.small)
    var models: [UInt64: Model] = [:]
    var next: UInt8 = 0
    for _ in 0..<600 {
      let side = LinkPair.Side.allCases[Int.random(in: 0...1, using: &random)]
      let number = models.keys.sorted().randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<16, using: &random) {
      case 0: models[pair.open()] = Model()
      case 1:
        guard let offered = pair.offered.keys.sorted().first else { continue }
        if random.oneIn(6) {
          pair.offered[offered] = nil
          models[offered]?.isRefused = true
          pair[.acceptor].refuse(offered, HTTPResponse(status: 503, text: "no\n"))
        } else {
          pair.accept(offered)
        }
      case 2...6:
        guard var model = models[number], model.closedBy == nil, !model.isCut else { continue }
        // The accepting end has no handler before it accepted.
        guard side == .opener || pair.heard(number, at: .acceptor).isOpen else { continue }
        next &+= 1
        let bytes = [UInt8](repeating: next, count: Int.random(in: 0...(random.oneIn(8) ? 9_000 : 300), using: &random))
        model.sent[side.rawValue].append(bytes)
        models[number] = model
        pair.send(number, bytes, from: side)
      case 7: pair[side].pause(number, true)
      case 8: pair[side].pause(number, false)
      case 9 where random.oneIn(3):
        guard models[number]?.closedBy == nil, models[number]?.isCut == false,
          side == .opener || pair.heard(number, at: .acceptor).isOpen
        else { continue }
        models[number]?.closedBy = side
        pair[side].close(number, 4_001, reason: "why", at: pair.now)
      case 10 where random.oneIn(8):
        guard models[number] != nil, side == .opener || pair.heard(number, at: .acceptor).isOpen else { continue }
        models[number]?.isCut = true
        pair[side].abort(number)
      case 11, 12: pair.perform(side, room: Int.random(in: 0...2_000, using: &random))
      default: pair.deliver(from: side)
      }
      for side in LinkPair.Side.allCases {
        let most = pair[side].streams.values.map(\.inbox.held).max() ?? 0
        #expect(most <= LinkPair.small.window, "SEED=\(seed)")
      }
    }
    finish(&pair, models)
    #expect(pair.violation == nil, "SEED=\(seed)")
    for (number, model) in models { expect(number, model, pair, "SEED=\(seed) stream \(number)") }
    for side in LinkPair.Side.allCases {
      let open = models.values.filter { $0.closedBy == nil && !$0.isCut && !$0.isRefused }.count
      #expect(pair[side].streamCount == open, "SEED=\(seed): nothing is kept of streams that ended")
      #expect(pair[side].queuedBytes == 0, "SEED=\(seed)")
      #expect(pair[side].unsettled == 0, "SEED=\(seed)")
    }
  }

  private func finish(_ pair: inout LinkPair, _ models: [UInt64: Model]) {
    for _ in 0..<3 {
      pair.settle()
      for number in pair.offered.keys.sorted() { pair.accept(number) }
      for side in LinkPair.Side.allCases { for number in models.keys { pair[side].pause(number, false) } }
    }
    pair.settle()
  }

  private func expect(_ number: UInt64, _ model: Model, _ pair: LinkPair, _ seed: String) {
    for side in LinkPair.Side.allCases {
      let heard = pair.heard(number, at: side.other)
      let (sent, received) = (model.sent[side.rawValue], heard.messages.map(\.bytes))
      #expect(received == Array(sent.prefix(received.count)), "\(seed)")
      // A stream that was cut, refused, or ended by its reader may lose messages at its end, and no other does.
      if model.isCut || model.isRefused || model.closedBy == side.other { continue }
      #expect(received.count == sent.count, "\(seed)")
    }
    guard !model.isCut, !model.isRefused, let closer = model.closedBy else { return }
    #expect(
      pair.heard(number, at: closer.other).closure == .closed(code: 4_001, reason: "why", byPeer: true), "\(seed)")
    #expect(pair.heard(number, at: closer).closure == .closed(code: 4_001, reason: "why", byPeer: false), "\(seed)")
  }

  @Test("a stream whose reader stopped holds up no other, and goes on when it reads")
  func stoppedReader() {
    var pair = LinkPair()
    let (slow, fast) = (pair.openAccepted(), pair.openAccepted())
    pair[.opener].pause(slow, true)
    for byte in UInt8(0)..<100 {
      pair.send(slow, [UInt8](repeating: byte, count: 10_000), from: .acceptor)
      pair.send(fast, [UInt8](repeating: byte, count: 10_000), from: .acceptor)
    }
    pair.settle()
    #expect(pair.heard(fast, at: .opener).messages.count == 100)
    #expect(pair.heard(slow, at: .opener).messages.isEmpty)
    #expect(pair[.acceptor].bufferedBytes(of: slow) >= 1_000_000 - PeerLink.Limits().window)
    #expect(pair[.acceptor].bufferedBytes(of: fast) == 0)
    pair[.opener].pause(slow, false)
    pair.settle()
    #expect(pair.heard(slow, at: .opener).messages.map(\.bytes.first) == (0..<100).map { UInt8($0) })
    #expect(pair.heard(slow, at: .acceptor).drains == 1)
  }

  @Test("a long message is cut: a short one of another stream that is sent behind it arrives long before its end")
  func turns() {
    var pair = LinkPair()
    let (long, short) = (pair.openAccepted(), pair.openAccepted())
    pair.send(long, [UInt8](repeating: 1, count: 16 << 20), from: .acceptor)
    pair.send(short, [2], from: .acceptor)
    // Little more than a part may be written: the short message is behind one part of the long one.
    pair.perform(.acceptor, room: 20 << 10)
    #expect(pair.underWay[1].reduce(0) { $0 + $1.count } < 40 << 10)
    pair.deliver(from: .acceptor)
    pair.perform(.opener)
    #expect(pair.heard(short, at: .opener).messages == [.binary([2])])
    #expect(pair.heard(long, at: .opener).messages.isEmpty)
    pair.settle()
    #expect(pair.heard(long, at: .opener).messages.first?.bytes.count == 16 << 20)
  }

  @Test("a stream on which too much waits is ended, and when the link has too much the one with the most")
  func overflow() {
    var limits = PeerLink.Limits()
    limits.queueBytes = 300_000
    var pair = LinkPair(limits)
    var options = WebSocketOptions()
    options.writeBudget = 200_000
    let streams = (0..<3).map { _ in pair.openAccepted(options) }
    pair.send(streams[0], [UInt8](repeating: 1, count: 200_000), from: .opener)
    pair.perform(.opener, room: 0)
    guard case .failed(let error)? = pair.heard(streams[0], at: .opener).closure else {
      Issue.record("it was not ended")
      return
    }
    #expect(error.code == .writeBudgetExceeded)
    pair.send(streams[1], [UInt8](repeating: 1, count: 190_000), from: .opener)
    pair.send(streams[2], [UInt8](repeating: 1, count: 150_000), from: .opener)
    pair.settle()
    #expect(pair.heard(streams[1], at: .opener).closure != nil)
    #expect(pair.heard(streams[1], at: .acceptor).closure != nil, "the other node hears of it")
    #expect(pair.heard(streams[2], at: .acceptor).messages.count == 1)
  }

  @Test("a message above the limit is told by its head, before its bytes arrive, and the stream goes on")
  func oversized() {
    var pair = LinkPair()
    var options = WebSocketOptions()
    options.maximumMessageBytes = 50_000
    let number = pair.openAccepted(options)
    pair.send(number, [UInt8](repeating: 7, count: 200_000), from: .opener)
    pair.perform(.opener, room: 1)
    pair.deliver(from: .opener)
    pair.perform(.acceptor)
    let told = WebSocketMessage.oversized(head: [UInt8](repeating: 7, count: 1_024), byteCount: 200_000)
    #expect(pair.heard(number, at: .acceptor).messages == [told])
    pair.send(number, [8], from: .opener)
    pair.settle()
    #expect(pair.heard(number, at: .acceptor).messages == [told, .binary([8])])
    let early = pair.open(options)
    pair.send(early, [UInt8](repeating: 9, count: 60_000), from: .opener)
    pair.settle()
    pair.accept(early, options)
    pair.settle()
    guard case .oversized? = pair.heard(early, at: .acceptor).messages.first else {
      Issue.record("the limit of a stream that is accepted later does not hold")
      return
    }
  }

  @Test("without memory for its messages a stream gets no credit, until there is")
  func withheld() {
    var pair = LinkPair()
    let number = pair.openAccepted()
    pair[.acceptor].withhold(number, true)
    pair.send(number, [UInt8](repeating: 7, count: 200_000), from: .opener)
    pair.settle()
    #expect(pair.heard(number, at: .acceptor).messages.isEmpty)
    #expect(pair[.opener].bufferedBytes(of: number) > 100_000)
    pair[.acceptor].withhold(number, false)
    pair.settle()
    #expect(pair.heard(number, at: .acceptor).messages.count == 1)
  }
}
