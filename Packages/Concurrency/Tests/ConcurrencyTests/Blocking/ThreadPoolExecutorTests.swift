@testable import Concurrency
import Foundation
import Synchronization
import TestKit
import Testing

@Suite("Threads of an executor", .timeLimit(.minutes(45)))
struct ThreadPoolExecutorTests {
  /// Calls a closure when it is released.
  private final class Content: Sendable {
    let whenReleased: @Sendable () -> Void
    init(_ whenReleased: @escaping @Sendable () -> Void) { self.whenReleased = whenReleased }
    deinit { whenReleased() }
  }

  private func shutDown(_ executor: ThreadPoolExecutor) async {
    await withCheckedContinuation { continuation in executor.shutDown { continuation.resume() } }
  }

  @Test("all submitted jobs are done before the shutdown completes")
  func shutdown() async {
    let executor = ThreadPoolExecutor(threads: 2)
    let done = Mutex(0)
    for number in 0..<1_000 {
      executor.submit(JobAttributes(SerialQueue("realm", UInt64(number % 7)), payers: ["u\(number % 3)"])) {
        done.withLock { $0 += 1 }
      }
    }
    await shutDown(executor)
    #expect(done.withLock { $0 } == 1_000)
  }

  @Test("an executor without jobs shuts down at once, and again")
  func idleShutdown() {
    let executor = ThreadPoolExecutor(threads: 1)
    let count = Mutex(0)
    executor.shutDown { count.withLock { $0 += 1 } }
    executor.shutDown { count.withLock { $0 += 1 } }
    #expect(count.withLock { $0 } == 2)
  }

  @Test("jobs of one queue run one at a time and in order, also when the queue runs dry in between")
  func order() async {
    let executor = ThreadPoolExecutor(threads: 3)
    let done = Mutex<[UInt64: [Int]]>([:])
    let end = DispatchGroup()
    for number in 0..<3_000 {
      let queue = UInt64(number % 3)
      end.enter()
      executor.submit(to: SerialQueue("file", queue)) {
        done.withLock { $0[queue, default: []].append(number) }
        end.leave()
      }
      if number % 100 == 99 { end.wait() }
    }
    end.wait()
    for queue in UInt64(0)..<3 {
      #expect(done.withLock { $0[queue] } == Array(stride(from: Int(queue), to: 3_000, by: 3)))
    }
    await shutDown(executor)
  }

  @Test("queues run side by side: blocked jobs do not hold up others as long as there are threads")
  func sideBySide() async {
    let executor = ThreadPoolExecutor(threads: 8)
    let open = DispatchSemaphore(value: 0)
    for number in UInt64(0)..<7 { executor.submit(to: SerialQueue("file", number)) { open.wait() } }
    executor.submit(to: SerialQueue("file", 7)) { for _ in 0..<7 { open.signal() } }
    await shutDown(executor)
  }

  @Test("a thread that waits for jobs holds nothing of the last")
  func release() async {
    let executor = ThreadPoolExecutor(threads: 1)
    func submit(_ content: Content) { executor.submit(to: SerialQueue("a")) { withExtendedLifetime(content) {} } }
    await withCheckedContinuation { continuation in submit(Content { continuation.resume() }) }
    await shutDown(executor)
  }

  @Test("idle threads end, and the executor goes with the last of them")
  func idleThreads() async {
    let released = DispatchSemaphore(value: 0)
    func use() {
      let executor = ThreadPoolExecutor(threads: 2, idleTime: 0.02)
      let content = Content { released.signal() }
      for number in UInt64(0)..<4 { executor.submit(to: SerialQueue("a", number)) { withExtendedLifetime(content) {} } }
    }
    for _ in 0..<20 { use() }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        for _ in 0..<20 { released.wait() }
        continuation.resume()
      }
    }
  }

  @Test("jobs that come while threads end are all done")
  func endingThreads() async {
    for seed in Seeds.some(3) {
      var random = SeededGenerator(seed: seed)
      let executor = ThreadPoolExecutor(threads: 3, idleTime: 0.001)
      let done = Mutex(0)
      for number in 0..<300 {
        executor.submit(to: SerialQueue("a", UInt64(number % 5))) { done.withLock { $0 += 1 } }
        if random.oneIn(3) { usleep(UInt32.random(in: 500...1_500, using: &random)) }
      }
      await shutDown(executor)
      #expect(done.withLock { $0 } == 300, "SEED=\(seed)")
    }
  }

  @Test("threads start when jobs are ready and end when they are idle")
  func threadCount() {
    let executor = ThreadPoolExecutor(threads: 2, idleTime: 0.02)
    #expect(executor.threadCount == 0)
    let (begun, open) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for number in UInt64(0)..<2 {
      executor.submit(to: SerialQueue("a", number)) {
        begun.signal()
        open.wait()
      }
    }
    for _ in 0..<2 { begun.wait() }
    #expect(executor.threadCount == 2)
    for _ in 0..<2 { open.signal() }
    while executor.threadCount > 0 { usleep(1_000) }
  }
}
