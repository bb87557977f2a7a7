@testable import ObjectServer
import SyncProtocol
import TestKit
import Testing
import Transport

@Suite("laws of the relay of sessions")
struct SessionRelayLaws {
  private static let nodes = ["b", "c"].map { ServerNode(name: $0, address: "http://\($0):1") }

  /// A relay with the world around it, driven at random.
  private struct World {
    var relay = SessionRelay(maximumSessions: 8)
    var asked: [(session: SessionIdent, generation: UInt64)] = []
    /// The numbers of MARK by the session that reached a place, in order.
    var reached: [SessionIdent: [(place: String, mark: UInt64)]] = [:]
    var refused: [SessionIdent: Int] = [:]
    var hasFailed = false

    mutating func perform(_ actions: [SessionRelay.Action]) {
      for action in actions {
        switch action {
        case .answer(let message): note(message.bytes, "here")
        case .pass(let bytes, let node): note(bytes, node.name)
        case .place(let bind, let generation): asked.append((bind.session, generation))
        case .refuse(let session, _): refused[session, default: 0] += 1
        case .fail, .end: hasFailed = true
        case .deliver: break
        }
      }
    }

    private mutating func note(_ bytes: [UInt8], _ place: String) {
      guard case .mark(let mark)? = try? MessageDecoder().clientMessage(bytes) else { return }
      reached[mark.session, default: []].append((place, mark.request.rawValue))
    }

    mutating func receive(_ message: ClientMessage) { perform(relay.received(message)) }
  }

  @Test("the messages of a session reach one place, in their order, each once", arguments: Seeds.some(60))
  func order(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var world = World()
    var next: UInt64 = 1
    var open: [SessionIdent: UInt64] = [:]
    for _ in 0..<400 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0 where open.count < 6, 1 where open.count < 6:
        let session = SessionIdent(next)
        next += 1
        open[session] = 0
        world.receive(.bind(BindMessage(session: session, path: "/x", needsFileIdent: false)))
      case 2, 3:
        guard !world.asked.isEmpty else { continue }
        let (session, generation) = world.asked.remove(at: Int.random(in: 0..<world.asked.count, using: &random))
        let place: SessionRelay.Placed =
          switch Int.random(in: 0..<5, using: &random) {
          case 0: .refused(SyncHub.moving)
          case 1: .here
          default: .node(Self.nodes[Int.random(in: 0..<2, using: &random)])
          }
        world.perform(world.relay.placed(session, generation: generation, place))
      case 4 where random.oneIn(4):
        world.perform(world.relay.lost(Self.nodes[Int.random(in: 0..<2, using: &random)], SyncHub.moving))
      case 5 where random.oneIn(2):
        guard let session = open.keys.min() else { continue }
        open[session] = nil
        world.receive(.unbind(UnbindMessage(session: session)))
        for node in Self.nodes {
          let unbound = ServerMessage.unbound(UnboundMessage(session: session)).encoded()
          if world.relay.routes[session]?.node == node { world.perform(world.relay.received(unbound, from: node)) }
        }
      default:
        guard let session = open.keys.sorted().randomElement(using: &random), let last = open[session] else { continue }
        open[session] = last + 1
        world.receive(.mark(MarkMessage(session: session, request: RequestIdent(last + 1))))
      }
    }
    #expect(!world.hasFailed, "SEED=\(seed)")
    for (session, messages) in world.reached {
      #expect(Set(messages.map(\.place)).count == 1, "SEED=\(seed) \(session)")
      #expect(messages.map(\.mark) == Array(1..<1 + UInt64(messages.count)), "SEED=\(seed) \(session)")
    }
    #expect(world.refused.values.allSatisfy { $0 == 1 }, "SEED=\(seed)")
    for (session, generation) in world.asked {
      world.perform(world.relay.placed(session, generation: generation, .here))
    }
    #expect(world.relay.keptBytes == 0, "SEED=\(seed)")
  }

  @Test("sessions with a route are bounded: the next one is told, and a flood ends the connection")
  func bound() {
    var world = World()
    for session in UInt64(1)...16 {
      world.receive(.bind(BindMessage(session: SessionIdent(session), path: "/x", needsFileIdent: false)))
    }
    #expect(world.asked.count == 8)
    #expect(world.refused.count == 8)
    #expect(!world.hasFailed)
    world.receive(.bind(BindMessage(session: SessionIdent(17), path: "/x", needsFileIdent: false)))
    #expect(world.hasFailed)
  }

  /// A world with a session of a node that this server has ended.
  private static func ended(_ bind: ClientMessage, _ session: SessionIdent, at node: ServerNode) -> World {
    var world = World()
    world.receive(bind)
    world.perform(world.relay.placed(session, generation: 1, .node(node)))
    world.perform(world.relay.end(session, SyncHub.handedOver))
    return world
  }

  @Test("a session that is bound again before its former node said its end waits for that", arguments: [false, true])
  func rebinding(isLost: Bool) {
    let (session, (b, c)) = (SessionIdent(1), (Self.nodes[0], Self.nodes[1]))
    let bind = ClientMessage.bind(BindMessage(session: session, path: "/x", needsFileIdent: false))
    var world = Self.ended(bind, session, at: b)
    world.receive(.unbind(UnbindMessage(session: session)))
    world.receive(bind)
    world.receive(.mark(MarkMessage(session: session, request: RequestIdent(1))))
    #expect(world.asked.count == 1 && !world.hasFailed && world.reached.isEmpty)
    let unbound = ServerMessage.unbound(UnboundMessage(session: session)).encoded()
    world.perform(isLost ? world.relay.lost(b, SyncHub.moving) : world.relay.received(unbound, from: b))
    #expect(world.asked.count == 2)
    world.perform(world.relay.placed(session, generation: 2, .node(c)))
    #expect(world.reached[session]?.map(\.place) == ["c"])
    #expect(world.refused[session] == 1)
    #expect(world.relay.keptBytes == 0)
  }

  @Test(
    "a session that its node ends by a failure while this server does is bound again, whichever comes first",
    arguments: 0..<3)
  func crossing(place: Int) {
    let (session, (b, c)) = (SessionIdent(1), (Self.nodes[0], Self.nodes[1]))
    let bind = ClientMessage.bind(BindMessage(session: session, path: "/x", needsFileIdent: false))
    var world = Self.ended(bind, session, at: b)
    var messages = [ClientMessage.unbind(UnbindMessage(session: session)), bind]
    let failure = SyncHub.handedOver.message(for: session, version: .newest).encoded()
    for message in messages.prefix(place) { world.receive(message) }
    #expect(world.asked.count == 1)
    world.perform(world.relay.received(failure, from: b))
    messages.removeFirst(place)
    for message in messages { world.receive(message) }
    #expect(world.asked.count == 2)
    world.perform(world.relay.placed(session, generation: 2, .node(c)))
    #expect(world.relay.sessions(at: c) == [session])
    #expect(world.refused[session] == 1)
    #expect(world.relay.keptBytes == 0)
  }

  @Test("a node's messages for sessions that it does not have do not reach the client")
  func strayMessages() {
    var world = World()
    world.receive(.bind(BindMessage(session: SessionIdent(1), path: "/x", needsFileIdent: false)))
    world.perform(world.relay.placed(SessionIdent(1), generation: 1, .node(Self.nodes[0])))
    let mark = ServerMessage.mark(MarkMessage(session: SessionIdent(1), request: RequestIdent(1))).encoded()
    #expect(world.relay.received(mark, from: Self.nodes[0]) == [.deliver(mark)])
    #expect(world.relay.received(mark, from: Self.nodes[1]).isEmpty)
    let other = ServerMessage.mark(MarkMessage(session: SessionIdent(2), request: RequestIdent(1))).encoded()
    #expect(world.relay.received(other, from: Self.nodes[0]).isEmpty)
    #expect(world.relay.received([1, 2, 3], from: Self.nodes[0]).isEmpty)
  }
}
