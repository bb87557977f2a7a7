import ObjectStore
import TestKit
import Transport
import TransportSimulated

/// Whole systems under one seed each.
///
///     try Simulation.run(seed: 17)        // "server killed": 80 steps, 12 objects, all equal
///
/// Several devices edit one realm through live objects while the network, the server and their clocks fail. When the
/// faults end, every device and the server must hold the same objects, and no device may have anything left to send.
public enum Simulation {
  /// What a run came to.
  public struct Outcome: Sendable, CustomStringConvertible {
    public var scenario: String
    public var commits = 0
    public var objects = 0
    /// Identifies everything that crossed the network; equal for equal seeds.
    public var digest: UInt64 = 0

    public var description: String {
      "\(scenario): \(commits) commits, \(objects) objects, all equal, trace \(String(digest, radix: 16))"
    }
  }

  /// How a run failed.
  public struct Failure: Error, CustomStringConvertible {
    public var seed: UInt64
    public var scenario: String
    public var reason: String
    public var description: String { "SEED=\(seed) (\(scenario)): \(reason)" }
  }

  /// Runs one seed.
  ///
  /// - Parameters:
  ///   - seed: decides everything random in the run.
  ///   - scenario: which faults happen; nil for the one that the seed chooses.
  ///   - isSabotaged: edits one device's file behind the back of sync at the end: a run that must fail, to prove that
  ///     failures are seen.
  /// - Throws: ``Failure`` when the sides differ or a device is stuck.
  public static func run(seed: UInt64, scenario: Scenario? = nil, isSabotaged: Bool = false) throws -> Outcome {
    let scenario = scenario ?? Scenario.of(seed: seed)
    let world = try World(seed: seed, scenario: scenario)
    defer { world.tearDown() }
    var random = SeededGenerator(seed: seed &* 31 &+ 7)
    world.network.setConditions(
      LinkConditions(latency: .milliseconds(1) ... .milliseconds(60), breakProbability: scenario.breakProbability))
    for number in 0..<scenario.devices {
      let years = scenario.clocksAreWrong ? Int64.random(in: -3...3, using: &random) : 0
      _ = try world.addDevice("device-\(number)", clockError: .seconds(years * 31_557_600))
    }
    var outcome = Outcome(scenario: scenario.name)
    for _ in 0..<scenario.steps { try step(world, &outcome, using: &random) }
    settle(world)
    if isSabotaged, let device = world.devices.first {
      device.client.shutDown()
      var once = random
      try device.edit(using: &once)
      try device.edit(using: &once)
    }
    try check(world, seed: seed, &outcome)
    return outcome
  }

  private static func step(_ world: World, _ outcome: inout Outcome, using random: inout SeededGenerator) throws {
    let scenario = world.scenario
    let device = world.devices[Int.random(in: 0..<world.devices.count, using: &random)]
    let deed = random.pick([
      (scenario.commit, 0), (scenario.wait, 1), (scenario.breakConnections, 2), (scenario.suspend, 3),
      (scenario.resume, 4), (scenario.partition, 5), (scenario.heal, 6), (scenario.crashServer, 7),
      (scenario.spell, 8),
    ])
    switch deed {
    case 0:
      try device.edit(using: &random)
      outcome.commits += 1
    case 1: world.run(.milliseconds(Int64.random(in: 1..<800, using: &random)))
    case 2: world.network.breakConnections(between: device.name, and: "server")
    case 3: device.session.suspend()
    case 4: device.session.resume()
    case 5: world.network.partition([device.name], from: ["server"])
    case 6: world.network.heal()
    case 7: try world.crashServer()
    default:
      device.session.suspend()
      for _ in 0..<Int.random(in: 2...6, using: &random) {
        try device.edit(using: &random)
        outcome.commits += 1
        world.run(.milliseconds(Int64.random(in: 0..<100, using: &random)))
      }
      device.session.resume()
    }
  }

  /// The faults end, and everybody gets all the time they need.
  private static func settle(_ world: World) {
    world.network.setConditions(LinkConditions(latency: .milliseconds(1) ... .milliseconds(5)))
    world.network.heal()
    for device in world.devices { device.session.resume() }
    for _ in 0..<30 {
      for device in world.devices { device.session.reconnect() }
      world.run(.seconds(2))
      if world.devices.allSatisfy({
        $0.session.status.pendingUploads == 0 && $0.session.status.connection == .connected
      }) {
        world.run(.seconds(2))
        return
      }
    }
  }

  private static func check(_ world: World, seed: UInt64, _ outcome: inout Outcome) throws {
    func fail(_ reason: String) -> Failure { Failure(seed: seed, scenario: world.scenario.name, reason: reason) }
    let expected = try world.serverDump()
    for device in world.devices {
      let status = device.session.status
      guard status.connection == .connected else {
        throw fail("\(device.name) is \(status.summary); last error: \(status.lastError.map { "\($0)" } ?? "none")")
      }
      guard status.pendingUploads == 0 else {
        throw fail("\(device.name) still has \(status.pendingUploads) changesets to send")
      }
      let own = try device.file.dump()
      guard own == expected else { throw fail("\(device.name) differs from the server:\n\(own)\nserver:\n\(expected)") }
    }
    outcome.objects = expected.objects.values.reduce(0) { $0 + $1.count }
    outcome.digest = world.network.traceDigest
  }
}
