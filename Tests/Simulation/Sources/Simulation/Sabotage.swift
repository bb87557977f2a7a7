import TestKit

extension Simulation {
  /// Damage done at the end of a run that must fail then: proof that failures are found.
  public enum Sabotage: String, CaseIterable, Sendable {
    /// One device's file is edited when it no longer syncs.
    case divergence
    /// A device claims a transaction that nobody made.
    case loss
    /// A receipt has two marks, everywhere.
    case repetition
    /// One device's file is edited as if the edit came from the server. The next change reveals it, and a reset mends
    /// it.
    case parting
  }

  static func commit(_ sabotage: Sabotage, in world: World, using random: inout SeededGenerator) throws {
    guard let device = world.devices.first, let other = world.devices.last else { return }
    switch sabotage {
    case .divergence:
      device.shutDown()
      _ = try device.edit(using: &random)
      _ = try device.edit(using: &random)
    case .loss: device.replicas.first?.claimTransaction()
    case .repetition:
      _ = try device.edit(using: &random)
      try device.replicas.forEach { try $0.markTwice() }
      try settle(world)
    case .parting:
      guard let name = try device.replicas.first?.forgeMark() else { return }
      try other.replicas.first?.markForAMoment(name)
      try settle(world)
    }
  }
}
