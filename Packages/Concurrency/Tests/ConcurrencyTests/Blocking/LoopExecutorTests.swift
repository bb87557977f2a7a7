import Concurrency
import Synchronization
import Telemetry
import Testing

struct LoopExecutorTests {
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func append(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private let loop = ManualLoop()
  private let log = Log()

  @Test("a job never runs within its submission, and starts after the delay")
  func delay() {
    let executor = LoopExecutor(loop: loop, delay: .milliseconds(3))
    executor.submit(to: SerialQueue("a")) { [loop, log] in log.append("ran at \(loop.now)") }
    #expect(log.all == [])
    loop.run()
    #expect(log.all == ["ran at 0.003000s"])
  }

  @Test("jobs of one queue run in the order of submission; the payer who consumed less comes first")
  func order() {
    let executor = LoopExecutor(loop: loop)
    for number in 1...2 {
      executor.submit(JobAttributes(SerialQueue("a"), payers: ["ann"], bytes: 1_000)) { [log] in
        log.append("ann \(number)")
      }
    }
    executor.submit(JobAttributes(SerialQueue("b"), payers: ["bob"])) { [log] in log.append("bob") }
    loop.run()
    #expect(log.all == ["ann 1", "bob", "ann 2"])
  }

  @Test("shutting down completes after the jobs that were submitted before")
  func shutDown() {
    let executor = LoopExecutor(loop: loop, delay: .milliseconds(1))
    executor.submit(to: SerialQueue("a")) { [log] in log.append("job") }
    executor.shutDown { [log] in log.append("down") }
    loop.run()
    #expect(log.all == ["job", "down"])
  }

  @Test("perform hands the result or the error of the work to the completion")
  func perform() {
    struct Refused: Error, Equatable {}
    let context = LoopContext(scheduler: loop, executor: LoopExecutor(loop: loop))
    let results = Mutex<[Result<Int, Refused>]>([])
    context.perform(SerialQueue("a")) { () throws(Refused) in
      7
    } then: { result in
      results.withLock { $0.append(result) }
    }
    context.perform(SerialQueue("a")) { () throws(Refused) -> Int in
      throw Refused()
    } then: { result in
      results.withLock { $0.append(result) }
    }
    loop.run()
    #expect(results.withLock { $0 } == [.success(7), .failure(Refused())])
  }
}
