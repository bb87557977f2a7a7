import SyncProtocol
import Testing

/// The runner, with a machine that says everything twice.
struct MachineRunnerTests {
  /// Answers each number with two actions.
  private struct Echo {
    var heard: [Int] = []

    mutating func handle(_ event: Int) -> [String] {
      heard.append(event)
      return ["\(event)a", "\(event)b"]
    }
  }

  private let runner = MachineRunner<Echo, Int, String>(Echo()) { echo, event in echo.handle(event) }

  @Test("actions are performed in the order of the machine")
  func order() {
    var performed: [String] = []
    runner.handle(1) { performed.append($0) }
    runner.handle(2) { performed.append($0) }
    #expect(performed == ["1a", "1b", "2a", "2b"])
    #expect(runner.machine.heard == [1, 2])
  }

  @Test("an event that arises is handled after all actions of the event before it")
  func reentrancy() {
    var performed: [String] = []
    func perform(_ action: String) {
      performed.append(action)
      if action == "1a" {
        #expect(!runner.handle(2, perform: { _ in Issue.record("a nested call performs nothing") }))
        #expect(runner.machine.heard == [1])
      }
    }
    #expect(runner.handle(1, perform: perform))
    #expect(performed == ["1a", "1b", "2a", "2b"])
  }

  @Test("queued events are handled first in, first out, over several generations")
  func fifo() {
    var performed: [String] = []
    func perform(_ action: String) {
      performed.append(action)
      switch action {
      case "1a":
        runner.enqueue(2)
        runner.enqueue(3)
      case "1b": runner.enqueue(4)
      case "2a": runner.enqueue(5)
      default: break
      }
    }
    runner.handle(1, perform: perform)
    #expect(runner.machine.heard == [1, 2, 3, 4, 5])
    #expect(performed == ["1a", "1b", "2a", "2b", "3a", "3b", "4a", "4b", "5a", "5b"])
  }

  @Test("an input that is no event is followed by the events that arise from it")
  func input() {
    var performed: [String] = []
    runner.run { echo in
      echo.heard.append(0)
      return ["start", "go on"]
    } perform: { action in
      performed.append(action)
      if action == "start" { runner.handle(7) { _ in } }
    }
    #expect(performed == ["start", "go on", "7a", "7b"])
    #expect(runner.machine.heard == [0, 7])
  }

  @Test("the runner runs while actions are performed, and rests between calls")
  func running() {
    #expect(!runner.isRunning)
    runner.handle(1) { _ in #expect(runner.isRunning) }
    #expect(!runner.isRunning)
  }
}
