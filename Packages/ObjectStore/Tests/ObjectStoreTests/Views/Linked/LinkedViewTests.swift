import TestKit
import Testing

@Suite("views over links against a full evaluation")
struct LinkedViewTests {
  @Test("every file ends with what its queries and links reach in the server's state, whatever the order of things")
  func worlds() throws {
    for seed in Seeds.some(15) {
      var world = try LinkedViewWorld(seed: seed)
      do { try world.run(steps: 60) } catch { world.fail(error) }
      if let complaint = world.complaint {
        Issue.record("SEED=\(seed): \(complaint)\n--- after\n\(world.log.suffix(400).joined(separator: "\n"))")
        return
      }
    }
  }
}
