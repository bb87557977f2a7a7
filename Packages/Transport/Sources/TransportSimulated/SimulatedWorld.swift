import Telemetry
import TestKit
import Transport

// @unchecked Sendable: touched on the simulated loop only, which runs one piece of work at a time.
/// The state of a simulated network.
final class SimulatedWorld: @unchecked Sendable {
  struct Host {
    var isUp = true
    var refuses = false
    var listeners: [Int: SimulatedListener] = [:]
    var nextFreePort = 49_152
  }

  var hosts: [String: Host] = [:]
  var rules: [(source: String?, target: String?, conditions: LinkConditions)] = []
  var partitions: [(source: Set<String>, target: Set<String>)] = []
  var streams: [UInt64: SimulatedStream] = [:]
  /// Releases the handlers of processes that died: the memory of a real process would go with it.
  var abandoned: [@Sendable () -> Void] = []
  private var nextIdent: UInt64 = 1
  private var random: SeededGenerator
  private let conditions: LinkConditions

  init(seed: UInt64, conditions: LinkConditions) {
    random = SeededGenerator(seed: seed)
    self.conditions = conditions
  }

  func makeIdent() -> ConnectionIdent {
    defer { nextIdent += 1 }
    return ConnectionIdent(rawValue: nextIdent)
  }

  /// Drops the listeners of a host whose process died.
  func abandonListeners(of host: String) {
    for listener in hosts[host]?.listeners.values ?? [:].values { listener.abandon() }
    hosts[host]?.listeners.removeAll()
  }

  /// The streams in the order in which they were made: a dictionary's order is not repeatable.
  func orderedStreams() -> [SimulatedStream] {
    streams.sorted { $0.key < $1.key }.map(\.value)
  }

  func conditions(from source: String, to target: String) -> LinkConditions {
    let rule = rules.last { ($0.source == nil || $0.source == source) && ($0.target == nil || $0.target == target) }
    return rule?.conditions ?? conditions
  }

  func isBlocked(from source: String, to target: String) -> Bool {
    guard hosts[target]?.isUp == true else { return true }
    return partitions.contains { $0.source.contains(source) && $0.target.contains(target) }
  }

  /// A duration drawn evenly from `range`.
  func draw(_ range: ClosedRange<Duration>) -> Duration {
    let (low, high) = (range.lowerBound.clampedNanoseconds, range.upperBound.clampedNanoseconds)
    return .nanoseconds(Int64.random(in: low...max(low, high), using: &random))
  }

  func chance(_ probability: Double) -> Bool {
    probability > 0 && Double.random(in: 0..<1, using: &random) < probability
  }

  func makeKey() -> String { WebSocketHandshake.makeKey(using: &random) }
}
