import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("views against a full evaluation")
struct ViewOracleTests {
  @Test("every file ends with what its queries select of the server's state, whatever the order of things")
  func worlds() throws {
    for seed in Seeds.some(200) {
      var world = try ViewWorld(seed: seed)
      do { try world.run(steps: 50) } catch { world.complaint = "\(error)" }
      if let complaint = world.complaint {
        Issue.record("SEED=\(seed): \(complaint)\n--- after\n\(world.log.suffix(400).joined(separator: "\n"))")
        return
      }
    }
  }
}
