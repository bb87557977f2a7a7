import Concurrency
import Synchronization
import TestKit
import Testing
import Transport
import TransportSimulated

/// Collects values from callbacks.
final class Log<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])
  func add(_ value: Value) { state.withLock { $0.append(value) } }
  var values: [Value] { state.withLock { $0 } }
}

@Suite("Simulated loop")
struct SimulatedLoopTests {
  @Test("time moves to the end of a run, and the calendar with it")
  func time() {
    let loop = SimulatedLoop()
    let wall = loop.wallTime
    loop.run(for: .seconds(3))
    #expect(loop.now.nanoseconds == 3_000_000_000)
    #expect(loop.wallTime.millisecondsSince1970 - wall.millisecondsSince1970 == 3_000)
  }

  @Test("work runs by time, then by the order of handing over", arguments: Seeds.some(50))
  func order(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let loop = SimulatedLoop()
    let log = Log<[Int]>()
    var expected: [[Int]] = []
    for number in 0..<200 {
      let delay = Int.random(in: 0...20, using: &random)
      loop.schedule(after: .milliseconds(delay)) { log.add([delay, number]) }
      expected.append([delay, number])
    }
    loop.run(for: .seconds(1))
    #expect(log.values == expected.sorted { $0.lexicographicallyPrecedes($1) }, "SEED=\(seed)")
  }

  @Test("a cancelled piece of work does not run, even at the same instant")
  func cancel() {
    let loop = SimulatedLoop()
    let log = Log<String>()
    let second = Mutex<(any Cancellable)?>(nil)
    loop.schedule(after: .seconds(1)) { second.withLock { $0?.cancel() } }
    second.withLock { $0 = loop.schedule(after: .seconds(1)) { log.add("never") } }
    loop.run(for: .seconds(2))
    #expect(log.values.isEmpty)
  }

  @Test("an actor on the loop runs when the loop does")
  func actors() {
    actor Counter {
      nonisolated let loop: SimulatedLoop
      var count = 0
      init(loop: SimulatedLoop) { self.loop = loop }
      nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
      func add() { count += 1 }
    }
    let loop = SimulatedLoop()
    let counter = Counter(loop: loop)
    let log = Log<Int>()
    for _ in 0..<5 { loop.execute { counter.assumeIsolated { $0.add() } } }
    loop.execute { log.add(counter.assumeIsolated { $0.count }) }
    loop.run(for: .zero)
    #expect(log.values == [5])
  }

  @Test("running until idle stops when the condition holds")
  func condition() {
    let loop = SimulatedLoop()
    let log = Log<Int>()
    for number in 1...10 { loop.schedule(after: .seconds(number)) { log.add(number) } }
    #expect(loop.runUntilIdle { log.values.count == 4 })
    #expect(log.values == [1, 2, 3, 4])
    #expect(loop.runUntilIdle())
    #expect(log.values.count == 10)
  }
}
