import TestKit
import Transport
import TransportSimulated

/// Draws the steps of a run and performs them.
enum StepRunner {
  /// One step: a kind by its weight, on a random device.
  static func run(_ world: World, _ outcome: inout Simulation.Outcome, using random: inout SeededGenerator) throws {
    try world.restartDeadProcesses()
    let device = world.devices[Int.random(in: 0..<world.devices.count, using: &random)]
    let kind = random.pick(
      StepKind.allCases.map { kind in
        (kind == .join && world.devices.count >= 8 ? 0 : world.scenario.weight(kind), kind)
      })
    outcome.steps[kind, default: 0] += 1
    world.tell?("\(world.network.loop.now): \(kind) (\(device.name))")
    switch kind {
    case .commit: try commit(device, &outcome, using: &random)
    case .wait: world.run(.milliseconds(Int64.random(in: 1..<800, using: &random)))
    case .suspend: device.sessions.forEach { $0.suspend() }
    case .resume: device.sessions.forEach { $0.resume() }
    case .spell: try commitOffline(device, in: world, &outcome, using: &random)
    case .join: try join(world, &outcome, using: &random)
    case .subscribe: try device.subscribe(using: &random)

    case .breakConnections: world.network.breakConnections(between: device.name, and: "server")
    case .partition: world.network.partition([device.name], from: ["server"])
    case .halfOpen: partitionOneWay(device, in: world, using: &random)
    case .heal: world.network.heal()
    case .slowDown: world.slowDown(device, using: &random)
    case .speedUp: world.speedUp()

    case .clockJump: world.jumpClocks(device, using: &random)
    case .fillDeviceDisk: device.hardware.isDiskFull = true
    case .fillServerDisk: world.serverHardware.isDiskFull = true
    case .makeRoom: world.makeRoom()

    case .restartDevice: try device.restart()
    case .deviceLosesPower: try device.restart(losingPower: true)
    case .killDeviceAtWork:
      device.killAtJob(after: Int.random(in: 0..<6, using: &random), completes: random.oneIn(2))

    case .crashServer: try world.crashServer()
    case .serverLosesPower: try world.crashServer(losingPower: true)
    case .killServerAtWork: world.killServerAtWork(using: &random)
    case .backUp: try world.backUp()
    case .restore: try world.restore()
    case .restoreOlder:
      if !world.backups.isEmpty { try world.restore(Int.random(in: 0..<world.backups.count, using: &random)) }
    case .restoreAndKillResets: try world.restoreAndKillResets(using: &random)
    case .wipe: try world.wipe()
    }
  }

  /// A device makes transactions before its first connection; a later step lets it connect.
  static func beginOffline(
    _ device: Device, _ outcome: inout Simulation.Outcome, using random: inout SeededGenerator
  ) throws {
    device.sessions.forEach { $0.suspend() }
    for _ in 0..<Int.random(in: 1...5, using: &random) { try commit(device, &outcome, using: &random) }
  }

  private static func commit(
    _ device: Device, _ outcome: inout Simulation.Outcome, using random: inout SeededGenerator
  ) throws {
    if try device.edit(using: &random) { outcome.commits += 1 }
  }

  private static func commitOffline(
    _ device: Device, in world: World, _ outcome: inout Simulation.Outcome, using random: inout SeededGenerator
  ) throws {
    device.sessions.forEach { $0.suspend() }
    for _ in 0..<Int.random(in: 2...6, using: &random) {
      try commit(device, &outcome, using: &random)
      world.run(.milliseconds(Int64.random(in: 0..<100, using: &random)))
    }
    device.sessions.forEach { $0.resume() }
  }

  private static func join(
    _ world: World, _ outcome: inout Simulation.Outcome, using random: inout SeededGenerator
  ) throws {
    let device = try world.addDevice("device-\(world.devices.count)", clockError: .zero)
    try device.subscribe(using: &random)
    for _ in 0..<Int.random(in: 0...3, using: &random) { try commit(device, &outcome, using: &random) }
  }

  private static func partitionOneWay(_ device: Device, in world: World, using random: inout SeededGenerator) {
    if random.oneIn(2) {
      world.network.partition([device.name], from: ["server"], bothDirections: false)
    } else {
      world.network.partition(["server"], from: [device.name], bothDirections: false)
    }
  }
}
