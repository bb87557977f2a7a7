import TestKit
import Testing

@Suite("roles inside a realm against the reference monitor")
struct RoleWorldTests {
  /// With a seed and a number of runs: that many worlds from the seed on.
  private static var seeds: [UInt64] {
    guard let first = Seeds.seed, let runs = Seeds.runs else { return Seeds.some(8) }
    return (0..<UInt64(runs)).map { first &+ $0 }
  }

  @Test("every file, every write and every message is what the monitor says, whatever the order of things")
  func worlds() throws {
    for seed in Self.seeds {
      var world = try RoleWorld(seed: seed)
      do { try world.run(steps: seed % 4 == 0 ? 45 : 15) } catch { world.fail(error) }
      if let complaint = world.complaint {
        Issue.record("SEED=\(seed): \(complaint)\n--- after\n\(world.log.suffix(400).joined(separator: "\n"))")
        return
      }
    }
  }
}
