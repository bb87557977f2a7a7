import Transport
import TransportSimulated

/// What happens in a run: how many people, how bad the network, how often which fault.
public struct Scenario: Sendable {
  public var name: String
  public var devices = 3
  public var steps = 80
  /// Weights of what a step does.
  public var commit = 12
  public var wait = 4
  public var breakConnections = 2
  public var suspend = 1
  public var resume = 2
  /// A spell without a connection in which several transactions are made, and then all sent at once.
  public var spell = 1
  public var partition = 0
  public var heal = 0
  public var crashServer = 0
  /// Chance that any message breaks its connection.
  public var breakProbability = 0.0
  /// Whether device clocks are wrong, by up to years.
  public var clocksAreWrong = false

  public init(_ name: String, _ configure: (inout Scenario) -> Void = { _ in }) {
    self.name = name
    configure(&self)
  }

  /// Every scenario that a run may have.
  public static let all: [Scenario] = [
    Scenario("calm") { $0.breakConnections = 0 },
    Scenario("lost connections") { $0.breakProbability = 0.01 },
    Scenario("offline for long") {
      $0.suspend = 3
      $0.resume = 1
    },
    Scenario("partitions") {
      $0.partition = 1
      $0.heal = 2
    },
    Scenario("server killed") {
      $0.crashServer = 1
      $0.breakProbability = 0.005
    },
    Scenario("wrong clocks") {
      $0.clocksAreWrong = true
      $0.suspend = 2
    },
    Scenario("everything") {
      $0.devices = 4
      $0.breakProbability = 0.01
      $0.partition = 1
      $0.heal = 2
      $0.crashServer = 1
      $0.clocksAreWrong = true
    },
    Scenario("a crowd") { $0.devices = 6 },
  ]

  /// The scenario that a seed runs.
  public static func of(seed: UInt64) -> Scenario { all[Int(seed % UInt64(all.count))] }
}
