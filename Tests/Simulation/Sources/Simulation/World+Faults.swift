import Foundation
import RecordStore
import TestKit
import Transport
import TransportSimulated

/// What befalls the server and the devices.
extension World {
  /// Copies the server's files while it runs.
  func backUp() throws {
    guard let folder else { return }
    let target = try newFolder()
    for file in try Self.files(in: folder) {
      let place = try Self.place(file, in: target)
      try RealmFile.open(.file(path: folder.appendingPathComponent(file).path)).writeBackup(toPath: place.path)
    }
    backups.append(target)
  }

  /// The server dies, and another one starts over the files of a backup, the last one unless told otherwise.
  func restore(_ number: Int? = nil) throws {
    guard let backup = number.map({ backups[$0] }) ?? backups.last else { return }
    let target = try newFolder()
    for file in try Self.files(in: backup) {
      try FileManager.default.copyItem(
        at: backup.appendingPathComponent(file), to: Self.place(file, in: target))
    }
    folder = target
    try crashServer()
  }

  /// The server dies, and another one starts over nothing.
  func wipe() throws {
    folder = try newFolder()
    backups = []
    try crashServer()
  }

  private static func place(_ file: String, in folder: URL) throws -> URL {
    let place = folder.appendingPathComponent(file)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    return place
  }

  private static func files(in folder: URL) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return names.filter { $0.hasSuffix(".realm") }.sorted()
  }

  /// The server process dies in the middle of everything, and a new one starts over the same files.
  func crashServer(losingPower: Bool = false) throws {
    life.kill()
    if losingPower { network.vanish("server") } else { network.crash("server") }
    run(.milliseconds(1))
    if losingPower {
      run(.milliseconds(300))
      network.restart("server")
    }
    try startServer()
  }

  /// The server dies at one of its next pieces of work; a new one starts later.
  func killServerAtWork(using random: inout SeededGenerator) {
    life.die(afterWork: Int.random(in: 0..<4, using: &random), isDone: random.oneIn(2))
  }

  /// What died of itself starts again.
  func startWhatDied() throws {
    if !life.isAlive { try crashServer() }
    for device in devices where device.isDead { try device.restart() }
  }

  /// The server is restored; each device may die at one of the pieces of work that follow, which are those of the reset.
  func restoreAndKillResets(using random: inout SeededGenerator) throws {
    guard !backups.isEmpty else { return }
    try restore()
    for device in devices where !device.isDead {
      device.die(afterWork: Int.random(in: 0..<14, using: &random), isDone: random.oneIn(2))
    }
    for _ in 0..<8 {
      run(.milliseconds(400))
      try startWhatDied()
    }
  }

  func makeRoom() {
    serverMachine.isFull = false
    for device in devices { device.machine.isFull = false }
  }

  /// Somebody sets the clocks of the server and of a device.
  func jumpClocks(_ device: Device, using random: inout SeededGenerator) {
    network.loop.jumpWallTime(by: .seconds(Int64.random(in: -86_400...86_400, using: &random)))
    device.machine.clockError = .seconds(Int64.random(in: -86_400...86_400, using: &random))
  }

  func slowDown(_ device: Device, using random: inout SeededGenerator) {
    let slow = LinkConditions(
      latency: .milliseconds(50) ... .milliseconds(900), bytesPerSecond: Int.random(in: 200...4_000, using: &random),
      breakProbability: scenario.breakProbability)
    if random.oneIn(2) { network.setConditions(slow, from: device.name) }
    network.setConditions(slow, to: device.name)
  }

  func speedUp() {
    network.setConditions(
      LinkConditions(latency: .milliseconds(1) ... .milliseconds(60), breakProbability: scenario.breakProbability))
  }
}
