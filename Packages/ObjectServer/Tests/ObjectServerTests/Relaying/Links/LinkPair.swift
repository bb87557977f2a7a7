@testable import ObjectServer
import Telemetry
import TestKit
import Transport

/// Both ends of a link, with the frames that are under way between them.
struct LinkPair {
  enum Side: Int, CaseIterable {
    case opener = 0, acceptor = 1
    var other: Side { self == .opener ? .acceptor : .opener }
  }

  /// The history of one stream at one end.
  struct Heard {
    var messages: [WebSocketMessage] = []
    var closure: WebSocketClosure?
    var isOpen = false
    var drains = 0
  }

  private(set) var ends: [PeerLink]
  private(set) var underWay: [[[UInt8]]] = [[], []]
  private(set) var heard: [[UInt64: Heard]] = [[:], [:]]
  /// The streams that wait for the decision of the accepting node.
  var offered: [UInt64: StreamOpening] = [:]
  private(set) var violation: String?
  /// The code with which each end closed the link.
  private(set) var endCodes: [WebSocketCloseCode?] = [nil, nil]
  var now = MonotonicInstant.zero

  init(_ limits: PeerLink.Limits = PeerLink.Limits()) {
    ends = [PeerLink(.opener, limits: limits, at: .zero), PeerLink(.acceptor, limits: limits, at: .zero)]
  }

  static var small: PeerLink.Limits {
    var limits = PeerLink.Limits()
    (limits.window, limits.partBytes, limits.batchBytes) = (2_048, 256, 700)
    return limits
  }

  static let opening = StreamOpening(
    target: "/realm-sync", protocolTokens: ["a", "b"], headers: ["Authorization": "Bearer t", "Via": "1.1 openrealm"],
    address: "10.0.0.1:5000", isSecure: true, hops: 1)

  subscript(side: Side) -> PeerLink {
    get { ends[side.rawValue] }
    _modify { yield &ends[side.rawValue] }
  }

  func heard(_ number: UInt64, at side: Side) -> Heard { heard[side.rawValue][number] ?? Heard() }

  mutating func open(_ options: WebSocketOptions = WebSocketOptions()) -> UInt64 {
    ends[0].open(Self.opening, options, at: now) ?? 0
  }

  /// Opens a stream that is accepted at once.
  mutating func openAccepted(_ options: WebSocketOptions = WebSocketOptions()) -> UInt64 {
    let number = open(options)
    settle()
    accept(number, options)
    settle()
    return number
  }

  mutating func accept(_ number: UInt64, _ options: WebSocketOptions = WebSocketOptions()) {
    offered[number] = nil
    _ = ends[1].accept(number, protocolToken: "a", options)
  }

  mutating func send(_ number: UInt64, _ bytes: [UInt8], from side: Side) {
    ends[side.rawValue].send(number, isText: false, bytes)
  }

  /// Performs the effects of one end, while it may write some bytes.
  mutating func perform(_ side: Side, room: Int = .max) {
    var room = room
    while let effect = ends[side.rawValue].next(room: room) {
      switch effect {
      case .write(let bytes):
        underWay[side.rawValue].append(bytes)
        room -= bytes.count
      case .offered(let number, let opening): offered[number] = opening
      case .opened(let number, _): heard[side.rawValue][number, default: Heard()].isOpen = true
      case .received(let number, let message):
        heard[side.rawValue][number, default: Heard()].messages.append(message)
      case .drained(let number): heard[side.rawValue][number, default: Heard()].drains += 1
      case .arriving: break
      case .closed(let number, let closure): heard[side.rawValue][number, default: Heard()].closure = closure
      case .end(let code, let reason):
        violation = reason
        endCodes[side.rawValue] = code
      }
    }
  }

  /// Brings the oldest message of one end to the other.
  mutating func deliver(from side: Side) {
    guard !underWay[side.rawValue].isEmpty else { return }
    ends[side.other.rawValue].received(underWay[side.rawValue].removeFirst(), at: now)
  }

  /// Brings bytes to one end that the other did not send.
  mutating func forge(_ bytes: [UInt8], to side: Side) {
    ends[side.rawValue].received(bytes, at: now)
    perform(side)
  }

  /// Has one end look at the clock.
  mutating func tick(_ side: Side) -> Bool { ends[side.rawValue].tick(at: now) }

  /// Lets everything happen that is under way.
  mutating func settle() {
    for _ in 0..<1_000_000 {
      for side in Side.allCases { perform(side) }
      guard !(underWay[0].isEmpty && underWay[1].isEmpty) else { return }
      for side in Side.allCases { deliver(from: side) }
    }
  }
}
