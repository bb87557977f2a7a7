@testable import ObjectServer
import SyncProtocol
import TestKit

/// A client, a relay with sessions of its own server, and two nodes, with messages under way in both directions of each
/// connection. Each side follows the protocol by itself, and complains of what no peer may send.
struct RelayedWorld {
  /// A binding of a session at the client.
  enum Binding: Hashable {
    case bound
    /// The client sent UNBIND by itself and is owed the end.
    case unbinding
    /// The client was told of a failure and has to send UNBIND, which nobody answers.
    case told
  }

  /// A session at the side that answers it.
  enum Session: Hashable {
    case active
    /// The side told the client of a failure and waits for UNBIND.
    case failed
  }

  /// This server, by no name, and the nodes.
  static let sides = [nil] + ["b", "c"].map { ServerNode(name: $0, address: "http://\($0):1") }
  static let idents = (1...4).map { SessionIdent(UInt64($0)) }

  var complaint: String?
  private(set) var relay = SessionRelay(maximumSessions: 8)
  private(set) var bindings: [SessionIdent: Binding] = [:]
  /// The marks that the client asked for and that were answered, in its present binding.
  private(set) var marks: [SessionIdent: (asked: UInt64, answered: UInt64)] = [:]
  private var sessions: [ServerNode?: [SessionIdent: Session]] = [:]
  private var places: [(session: SessionIdent, generation: UInt64)] = []
  private var toRelay: [ClientMessage] = []
  private var toClient: [[UInt8]] = []
  private var toNode: [ServerNode: [[UInt8]]] = [:]
  private var fromNode: [ServerNode: [[UInt8]]] = [:]

  /// Whether nothing is under way.
  var isQuiet: Bool {
    places.isEmpty && toRelay.isEmpty && toClient.isEmpty && toNode.values.allSatisfy(\.isEmpty)
      && fromNode.values.allSatisfy(\.isEmpty)
  }

  /// One of the sides.
  static func side(_ random: inout SeededGenerator) -> ServerNode? {
    sides[Int.random(in: 0..<sides.count, using: &random)]
  }

  private mutating func complain(_ text: String) { complaint = complaint ?? text }

  // MARK: The client

  /// The client's next message of a session: BIND, MARK or UNBIND.
  mutating func write(_ session: SessionIdent, ends: Bool) {
    switch bindings[session] {
    case nil:
      bindings[session] = .bound
      toRelay.append(.bind(BindMessage(session: session, path: "/x", needsFileIdent: false)))
      // Marks of another binding have other numbers.
      let next = (marks[session]?.asked ?? 0) + 1
      marks[session] = (next, next)
    case .bound where !ends:
      let next = (marks[session]?.asked ?? 0) + 1
      marks[session]?.asked = next
      toRelay.append(.mark(MarkMessage(session: session, request: RequestIdent(next))))
    case .bound, .told:
      bindings[session] = bindings[session] == .told ? nil : .unbinding
      toRelay.append(.unbind(UnbindMessage(session: session)))
    case .unbinding: break
    }
  }

  private mutating func read(_ bytes: [UInt8]) {
    guard let message = try? MessageDecoder().serverMessage(bytes), let session = message.session else {
      return complain("bytes that are no message of a session")
    }
    switch (message, bindings[session]) {
    case (.mark(let mark), .bound), (.mark(let mark), .unbinding):
      guard let seen = marks[session], mark.request.rawValue == seen.answered + 1, seen.answered < seen.asked else {
        return complain("\(session) was answered \(mark.request) out of order")
      }
      marks[session]?.answered += 1
    case (.unbound, .unbinding), (.jsonError, .unbinding): bindings[session] = nil
    case (.jsonError, .bound): bindings[session] = .told
    default: complain("\(session) is \(bindings[session].map { "\($0)" } ?? "free") and got \(message)")
    }
  }

  // MARK: The relay

  private mutating func perform(_ actions: [SessionRelay.Action]) {
    for action in actions {
      switch action {
      case .answer(let message): answer(message.bytes, at: nil)
      case .place(let bind, let generation): places.append((bind.session, generation))
      case .pass(let bytes, let node): toNode[node, default: []].append(bytes)
      case .deliver(let bytes): toClient.append(bytes)
      case .refuse(let session, let failure): toClient.append(Self.bytes(of: failure, session))
      case .fail, .end: complain("the relay ended the connection: \(action)")
      }
    }
  }

  private static func bytes(of failure: SessionFailure, _ session: SessionIdent) -> [UInt8] {
    failure.message(for: session, version: .newest).encoded()
  }

  /// Ends a session that the relay passes on, as after a look at the directory.
  mutating func end(_ session: SessionIdent) { perform(relay.end(session, SyncHub.handedOver)) }

  // MARK: The sides that answer sessions

  private mutating func answer(_ bytes: [UInt8], at side: ServerNode?) {
    guard let message = try? MessageDecoder().clientMessage(bytes), let session = message.session else { return }
    let state = sessions[side]?[session]
    switch (message, state) {
    case (.bind, nil): sessions[side, default: [:]][session] = .active
    case (.mark(let mark), .active): reply(.mark(mark), from: side)
    case (.unbind, .active):
      sessions[side]?[session] = nil
      reply(.unbound(UnboundMessage(session: session)), from: side)
    case (.unbind, .failed): sessions[side]?[session] = nil
    case (.mark, .failed): break
    default: complain("\(side?.name ?? "this server") has \(session) \(String(describing: state)) and got \(message)")
    }
  }

  private mutating func reply(_ message: ServerMessage, from side: ServerNode?) {
    guard let side else { return toClient.append(message.encoded()) }
    fromNode[side, default: []].append(message.encoded())
  }

  /// Fails a session at the side that answers it.
  mutating func fail(_ session: SessionIdent, at side: ServerNode?) {
    guard sessions[side]?[session] == .active else { return }
    sessions[side]?[session] = .failed
    reply(SyncHub.handedOver.message(for: session, version: .newest), from: side)
  }

  /// Cuts the connection with a node.
  mutating func lose(_ node: ServerNode) {
    (sessions[node], toNode[node], fromNode[node]) = (nil, nil, nil)
    perform(relay.lost(node, SyncHub.moving))
  }

  // MARK: What is under way

  /// Moves one message, or answers one look-up of a place.
  mutating func advance(_ random: inout SeededGenerator) {
    let node = Self.side(&random)
    switch (Int.random(in: 0..<5, using: &random), node) {
    case (0, _) where !toRelay.isEmpty: relay(toRelay.removeFirst())
    case (1, _) where !toClient.isEmpty: read(toClient.removeFirst())
    case (2, let node?) where toNode[node]?.isEmpty == false:
      if let bytes = toNode[node]?.removeFirst() { answer(bytes, at: node) }
    case (3, let node?) where fromNode[node]?.isEmpty == false:
      if let bytes = fromNode[node]?.removeFirst() { perform(relay.received(bytes, from: node)) }
    case (4, _) where !places.isEmpty:
      let (session, generation) = places.remove(at: Int.random(in: 0..<places.count, using: &random))
      let place = random.oneIn(6) ? .refused(SyncHub.moving) : node.map(SessionRelay.Placed.node) ?? .here
      perform(relay.placed(session, generation: generation, place))
    default: break
    }
  }

  private mutating func relay(_ message: ClientMessage) {
    let here = sessions[nil] ?? [:]
    perform(relay.received(message) { here[$0] != nil })
  }
}

extension SessionRelay {
  /// Handles a message of the client that is not too large.
  mutating func received(_ message: ClientMessage, isInUse: (SessionIdent) -> Bool = { _ in false }) -> [Action] {
    received(
      .binary(message.encoded()), isInUse: isInUse,
      decode: { bytes in
        guard case .bind(let bind)? = try? MessageDecoder().clientMessage(bytes) else { return nil }
        return bind
      }, oversized: { _, _ in nil })
  }
}
