import Simulation
import TestKit
import Testing

@Suite(.serialized) struct SimulationTests {
  @Test("devices that edit through every fault end equal to the server, with nothing left to send")
  func converge() throws {
    for seed in Seeds.some(40) {
      #expect(throws: Never.self) { _ = try Simulation.run(seed: seed) }
    }
  }

  @Test("one seed gives one run, message by message")
  func repeatable() throws {
    let first = try Simulation.run(seed: 5)
    let second = try Simulation.run(seed: 5)
    #expect(first.digest == second.digest && first.commits == second.commits)
  }

  @Test("the canary: a device changed behind the back of sync is noticed")
  func canary() {
    #expect(throws: Simulation.Failure.self) { _ = try Simulation.run(seed: 1, isSabotaged: true) }
  }
}
