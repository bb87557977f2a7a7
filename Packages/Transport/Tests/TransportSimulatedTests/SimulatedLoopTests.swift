import Testing
import TransportSimulated

@Suite("Simulated loop")
struct SimulatedLoopTests {
  @Test("time moves to the end of a run")
  func time() {
    let loop = SimulatedLoop()
    loop.run(for: .seconds(3))
    #expect(loop.now.nanoseconds == 3_000_000_000)
  }
}
