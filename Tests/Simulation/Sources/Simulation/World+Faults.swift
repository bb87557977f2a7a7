import Foundation
import RecordStore
import TestKit
import Transport
import TransportSimulated

/// The faults of servers, devices and networks.
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

  /// Kills the server and starts another one over the files of a backup: the given one, or the last.
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

  /// Kills the server and starts another one without files.
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

  /// Kills the server and starts another one over the same files.
  func crashServer(losingPower: Bool = false) throws {
    lifetime.kill()
    if losingPower { network.vanish("server") } else { network.crash("server") }
    run(.milliseconds(1))
    if losingPower {
      run(.milliseconds(300))
      network.restart("server")
    }
    try startServer()
  }

  /// Kills the server at one of its next jobs; another one starts with the next step.
  func killServerAtWork(using random: inout SeededGenerator) {
    lifetime.killAtJob(after: Int.random(in: 0..<4, using: &random), completes: random.oneIn(2))
  }

  /// Starts the processes again that died at a job.
  func restartDeadProcesses() throws {
    if !lifetime.isAlive { try crashServer() }
    for device in devices where device.isDead { try device.restart() }
  }

  /// Restores the server, and kills each device at one of the jobs that follow, which are those of the reset.
  func restoreAndKillResets(using random: inout SeededGenerator) throws {
    guard !backups.isEmpty else { return }
    try restore()
    for device in devices where !device.isDead {
      device.killAtJob(after: Int.random(in: 0..<14, using: &random), completes: random.oneIn(2))
    }
    for _ in 0..<8 {
      run(.milliseconds(400))
      try restartDeadProcesses()
    }
  }

  func makeRoom() {
    serverHardware.isDiskFull = false
    for device in devices { device.hardware.isDiskFull = false }
  }

  /// Sets the clocks of the server and of a device, by up to a day.
  func jumpClocks(_ device: Device, using random: inout SeededGenerator) {
    network.loop.jumpWallTime(by: .seconds(Int64.random(in: -86_400...86_400, using: &random)))
    device.hardware.clockError = .seconds(Int64.random(in: -86_400...86_400, using: &random))
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
