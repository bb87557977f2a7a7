import TestKit

/// A fault of a cluster that lasts for a while, and how it ends.
enum ClusterFault {
  case killed(String)
  case paused(String)
  case cutOff(String)
  case cutOffFrom(String, String)
  case failover
  case failoverOfCutOff
  /// A node's wall clock jumps, and is off by these milliseconds from then on.
  case clockSet(String, Int)

  /// The names of the nodes.
  static let nodes = ["a", "b", "c"]

  /// A fault; the seed chooses.
  ///
  /// - Parameters:
  ///   - hasNetworks: whether parts can be cut off.
  ///   - random: the source of the choice.
  static func random(hasNetworks: Bool, using random: inout SeededGenerator) -> Self {
    let (first, second) = (Int.random(in: 0..<3, using: &random), Int.random(in: 1..<3, using: &random))
    let (node, other) = (nodes[first], nodes[(first + second) % 3])
    let database = random.oneIn(2) ? "pg1" : "pg2"
    let networks = hasNetworks ? 1 : 0
    return random.pick([
      (6, .killed(node)), (8, .paused(node)), (4 * networks, .cutOff(node)),
      (4 * networks, .cutOffFrom(node, database)),
      (2 * networks, .cutOffFrom(node, other)), (2, .failover), (networks, .failoverOfCutOff),
      (4, .clockSet(of: node, using: &random)),
    ])
  }

  /// A clock that is up to ten minutes off, so that no two differ by more than twenty: the access token that one node signs, for thirty
  /// minutes, is good at all others for a while.
  static func clockSet(of node: String, using random: inout SeededGenerator) -> Self {
    .clockSet(node, Int.random(in: -600_000...600_000, using: &random))
  }

  /// The name that the outcome prints.
  var name: String {
    switch self {
    case .killed: "node killed"
    case .paused: "node stopped"
    case .cutOff: "node cut off"
    case .cutOffFrom(_, let other):
      other.hasPrefix("pg") ? "node cut off from a database" : "nodes cut off from each other"
    case .failover: "primary killed"
    case .failoverOfCutOff: "primary cut off and replaced"
    case .clockSet: "node's clock set apart"
    }
  }

  /// The words of the script that bring it about.
  var beginning: [String] {
    switch self {
    case .killed(let node): ["kill", node]
    case .paused(let node): ["pause", node]
    case .cutOff(let node): ["part", node]
    case .cutOffFrom(let node, let other): ["part", node, other]
    case .failover: ["failover"]
    case .failoverOfCutOff: ["failover", "cut"]
    case .clockSet(let node, let offset): ["clock", node, "\(offset)"]
    }
  }

  /// The words of the script that end it; none when it ends by itself.
  var end: [String] {
    switch self {
    case .killed(let node): ["run", node]
    case .paused(let node): ["resume", node]
    case .cutOff(let node), .cutOffFrom(let node, _): ["join", node]
    case .failover, .failoverOfCutOff, .clockSet: []
    }
  }

  /// Whether it is over when the script returns.
  var endsItself: Bool { end.isEmpty }

  /// Whether others are ended before it.
  var isAlone: Bool {
    switch self {
    case .failover, .failoverOfCutOff: true
    case .killed, .paused, .cutOff, .cutOffFrom, .clockSet: false
    }
  }

  /// The order in which several faults are ended.
  var rank: Int {
    switch self {
    case .cutOff, .cutOffFrom: 0
    case .paused: 1
    case .killed, .failover, .failoverOfCutOff, .clockSet: 2
    }
  }

  /// Whether both happen to one node.
  func meets(_ other: Self) -> Bool { end.last == other.end.last }
}
