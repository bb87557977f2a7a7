import TestKit
import Transport
import TransportSimulated

/// What the steps of a run do.
enum Steps {
  static func step(_ world: World, _ outcome: inout Simulation.Outcome, using random: inout SeededGenerator) throws {
    let scenario = world.scenario
    try world.startWhatDied()
    let device = world.devices[Int.random(in: 0..<world.devices.count, using: &random)]
    let deed = random.pick(
      Deed.allCases.map { deed in
        (deed == .join && world.devices.count >= 8 ? 0 : scenario.weight(deed), deed)
      })
    outcome.deeds[deed, default: 0] += 1
    world.tell?("\(world.network.loop.now): \(deed) (\(device.name))")
    switch deed {
    case .commit: try commit(device, &outcome, using: &random)
    case .wait: world.run(.milliseconds(Int64.random(in: 1..<800, using: &random)))
    case .breakConnections: world.network.breakConnections(between: device.name, and: "server")
    case .suspend: device.sessions.forEach { $0.suspend() }
    case .resume: device.sessions.forEach { $0.resume() }
    case .partition: world.network.partition([device.name], from: ["server"])
    case .heal: world.network.heal()
    case .spell:
      device.sessions.forEach { $0.suspend() }
      for _ in 0..<Int.random(in: 2...6, using: &random) {
        try commit(device, &outcome, using: &random)
        world.run(.milliseconds(Int64.random(in: 0..<100, using: &random)))
      }
      device.sessions.forEach { $0.resume() }
    case .join:
      let device = try world.addDevice("device-\(world.devices.count)", clockError: .zero)
      for _ in 0..<Int.random(in: 0...3, using: &random) { try commit(device, &outcome, using: &random) }
    case .halfOpen:
      if random.oneIn(2) {
        world.network.partition([device.name], from: ["server"], bothDirections: false)
      } else {
        world.network.partition(["server"], from: [device.name], bothDirections: false)
      }
    case .slowDown: world.slowDown(device, using: &random)
    case .speedUp: world.speedUp()
    case .clockJump: world.jumpClocks(device, using: &random)
    case .fillDeviceDisk: device.machine.isFull = true
    case .fillServerDisk: world.serverMachine.isFull = true
    case .makeRoom: world.makeRoom()
    case .restartDevice, .killDeviceAtWork, .deviceLosesPower: try kill(device, deed, using: &random)
    case .crashServer, .killServerAtWork, .serverLosesPower, .backUp, .restore, .restoreOlder, .wipe,
      .restoreAndKillResets:
      try befall(world, deed, using: &random)
    }
  }

  /// A device makes transactions before it was ever connected; a later step lets it connect.
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

  private static func kill(_ device: Device, _ deed: Deed, using random: inout SeededGenerator) throws {
    switch deed {
    case .restartDevice: try device.restart()
    case .deviceLosesPower: try device.restart(losingPower: true)
    default: device.die(afterWork: Int.random(in: 0..<6, using: &random), isDone: random.oneIn(2))
    }
  }

  private static func befall(_ world: World, _ deed: Deed, using random: inout SeededGenerator) throws {
    switch deed {
    case .backUp: try world.backUp()
    case .restore: try world.restore()
    case .restoreOlder where !world.backups.isEmpty:
      try world.restore(Int.random(in: 0..<world.backups.count, using: &random))
    case .restoreOlder: break
    case .wipe: try world.wipe()
    case .restoreAndKillResets: try world.restoreAndKillResets(using: &random)
    case .killServerAtWork: world.killServerAtWork(using: &random)
    case .serverLosesPower: try world.crashServer(losingPower: true)
    default: try world.crashServer()
    }
  }
}
