import DataModel
import RecordStore

/// The conditions that hold after a run.
enum Check {
  static func run(_ world: World, _ outcome: inout Simulation.Outcome) throws {
    for (number, path) in world.paths.enumerated() {
      let expected = try world.serverDump(path)
      for device in world.devices { try check(device, device.replicas[number], expected, world) }
      try checkReceipts(world, number, expected)
      if world.scenario.usesEveryType { try checkSlips(world, number, expected) }
      outcome.objects += expected.objects.values.reduce(0) { $0 + $1.count }
    }
    outcome.resets = world.devices.flatMap(\.replicas).reduce(0) { $0 + $1.resets }
    outcome.digest = world.network.traceDigest
  }

  private static func failure(_ world: World, _ reason: String) -> Simulation.Failure {
    Simulation.Failure(seed: world.seed, scenario: world.scenario, reason: reason)
  }

  private static func check(
    _ device: Device, _ replica: Replica, _ expected: StateDump, _ world: World
  ) throws {
    let who = world.paths.count > 1 ? "\(device.name) \(replica.path)" : device.name
    guard let status = replica.session?.status else { throw failure(world, "\(who) has no session") }
    // A divergence is mended by a reset, and is a failure all the same.
    guard replica.divergences == 0 else {
      throw failure(world, "\(who) had parted from the server \(replica.divergences) times")
    }
    guard replica.resets == 0 || world.scenario.mayNeedResets else {
      throw failure(world, "\(who) was reset \(replica.resets) times without a reason")
    }
    guard status.connection == .connected else {
      let error = status.lastError.map { "\($0)" } ?? "none"
      throw failure(world, "\(who) is \(status.summary); last error: \(error)")
    }
    guard status.pendingUploads == 0 else {
      throw failure(world, "\(who) still has \(status.pendingUploads) changesets to send")
    }
    if let trouble = try replica.view?.trouble() { throw failure(world, "\(who): \(trouble)") }
    let own = try replica.file.dump()
    let selected = try replica.view?.selected(of: expected) ?? expected
    guard own == selected else {
      throw failure(world, "\(who) differs from the server:\n\(own)\nserver:\n\(selected)")
    }
  }

  /// Every transaction of every device is on the server, once, unless its device was told that it is refused; of those of a
  /// reader none is.
  private static func checkReceipts(_ world: World, _ number: Int, _ server: StateDump) throws {
    let receipts = server.objects["Receipt"] ?? [:]
    for device in world.devices {
      for name in device.replicas[number].receipts {
        guard let receipt = receipts[.string(name)] else {
          if device.isReader || device.replicas[number].refusals.contains(name) { continue }
          throw failure(world, "the transaction '\(name)' is lost")
        }
        if device.isReader { throw failure(world, "the transaction '\(name)' of a reader reached the server") }
        guard case .list(let marks)? = receipt["marks"], marks.count == 1 else {
          throw failure(world, "the transaction '\(name)' was not applied once: \(receipt)")
        }
      }
    }
  }

  /// Every transaction's slip is on the server, once, and leads to the one before.
  private static func checkSlips(_ world: World, _ number: Int, _ server: StateDump) throws {
    let slips = server.objects["Slip"] ?? [:]
    let named = Dictionary(grouping: slips.keys) { key in slips[key]?["name"] ?? .value(.null) }
    // Slips of a device with queries are refused with its receipts, and erased where its queries leave them out.
    for device in world.devices where !device.isReader && device.replicas[number].view == nil {
      var before: ObjectKey?
      for name in device.replicas[number].receipts {
        let found = named[.value(.string(name))] ?? []
        guard found.count == 1, let key = found.first, let slip = slips[key] else {
          throw failure(world, "the slip '\(name)' is there \(found.count) times")
        }
        if let before {
          let link = StateDump.Item.value(.link(ObjectReference(className: "Slip", key: before)))
          guard slip["before"] == link, slip["anything"] == link, slip["list"] == .list([link]) else {
            throw failure(world, "the slip '\(name)' does not lead to the one before: \(slip)")
          }
        }
        before = key
      }
    }
  }
}
