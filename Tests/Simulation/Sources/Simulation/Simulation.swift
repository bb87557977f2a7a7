import ObjectStore
import TestKit
import Transport
import TransportSimulated

/// Runs whole systems, each under one seed.
///
///     try Simulation.run(seed: 17, scenario: scenario)        // "server killed": 80 steps, 12 objects, all equal
///
/// Several devices edit realms through live objects while the network, the server, the disks and the clocks fail. When
/// the faults end, every device must hold the objects of the server, or those that its queries select, every transaction must be there once, and no
/// device may have anything left to send.
public enum Simulation {
  /// The outcome of a run that passed.
  public struct Outcome: Sendable, CustomStringConvertible {
    /// The name of the scenario.
    public var scenario: String
    /// Transactions of all devices.
    public var commits = 0
    /// Objects on the server at the end.
    public var objects = 0
    /// Client resets of all devices.
    public var resets = 0
    /// The number of steps of each kind.
    public var steps: [StepKind: Int] = [:]
    /// A digest of all messages; equal for equal seeds.
    public var digest: UInt64 = 0

    /// One line for people.
    public var description: String {
      "\(scenario): \(commits) commits, \(objects) objects, \(resets) resets, all equal, trace \(String(digest, radix: 16))"
    }
  }

  /// The failure of a run.
  public struct Failure: Error, CustomStringConvertible {
    /// The seed that replays the run.
    public var seed: UInt64
    /// The scenario that replays the run.
    public var scenario: Scenario
    /// The violated condition.
    public var reason: String
    /// One line for people, with the seed.
    public var description: String { "SEED=\(seed) (\(scenario.name)): \(reason)" }
  }

  /// Runs one seed on the calling thread.
  ///
  /// - Parameters:
  ///   - seed: decides everything random in the run.
  ///   - scenario: the devices, the steps and the weights of faults.
  ///   - sabotage: damage that must make the run fail.
  ///   - tell: called with each step and each error.
  /// - Throws: ``Failure`` when the sides differ or diverged on the way, a transaction is missing or there twice, or a
  ///   device is stuck or was reset without need.
  public static func run(
    seed: UInt64, scenario: Scenario, sabotage: Sabotage? = nil, tell: (@Sendable (String) -> Void)? = nil
  ) throws -> Outcome {
    let world = try World(seed: seed, scenario: scenario)
    world.tell = tell
    defer { world.tearDown() }
    var random = SeededGenerator(seed: seed &* 31 &+ 7)
    world.speedUp()
    for number in 0..<scenario.devices {
      let years = scenario.clocksAreWrong ? Int64.random(in: -3...3, using: &random) : 0
      let device = try world.addDevice(
        "device-\(number)", clockError: .seconds(years * 31_557_600),
        isReader: number > 0 && number >= scenario.devices - scenario.readers)
      try device.subscribe(using: &random)
    }
    var outcome = Outcome(scenario: scenario.name)
    if scenario.startsOffline {
      for device in world.devices { try StepRunner.beginOffline(device, &outcome, using: &random) }
    }
    for _ in 0..<scenario.steps { try StepRunner.run(world, &outcome, using: &random) }
    try settle(world)
    if let sabotage { try commit(sabotage, in: world, using: &random) }
    try Check.run(world, &outcome)
    return outcome
  }

  /// Ends the faults and runs until all devices are in step with the server, or for a minute.
  static func settle(_ world: World) throws {
    world.network.setConditions(LinkConditions(latency: .milliseconds(1) ... .milliseconds(5)))
    world.network.heal()
    world.makeRoom()
    try world.restartDeadProcesses()
    for device in world.devices { device.sessions.forEach { $0.resume() } }
    for round in 0..<30 {
      for device in world.devices { device.sessions.forEach { $0.reconnect() } }
      world.run(.seconds(2))
      if round < 10 { try world.restartDeadProcesses() }
      guard try isAtRest(world) else { continue }
      world.run(.seconds(2))
      if try isAtRest(world) { return }
    }
  }

  /// Whether every device is in step with the server. The status alone does not say so: over a slow connection a device
  /// hears late of its end.
  private static func isAtRest(_ world: World) throws -> Bool {
    guard
      world.devices.allSatisfy({ device in
        device.sessions.allSatisfy { $0.status.pendingUploads == 0 && $0.status.connection == .connected }
      })
    else { return false }
    for (number, path) in world.paths.enumerated() {
      let expected = try world.serverDump(path)
      for device in world.devices {
        guard try device.replicas[number].isInStep(with: expected) else { return false }
      }
    }
    return true
  }
}
