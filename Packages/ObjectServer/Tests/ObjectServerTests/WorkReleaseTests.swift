@testable import ObjectServer
import Synchronization
import Testing

@Suite("Workers let go of what they worked on")
struct WorkReleaseTests {
  /// Says when it goes.
  private final class Content: Sendable {
    let whenGone: @Sendable () -> Void
    init(_ whenGone: @escaping @Sendable () -> Void) { self.whenGone = whenGone }
    deinit { whenGone() }
  }

  @Test("a thread that waits for work holds nothing of the last", .timeLimit(.minutes(1)))
  func threads() async {
    let workers = ThreadWorkers(threads: 1)
    await withCheckedContinuation { continuation in
      submit(Content { continuation.resume() }, to: workers)
    }
    await withCheckedContinuation { continuation in workers.shutDown { continuation.resume() } }
  }

  private func submit(_ content: Content, to workers: ThreadWorkers) {
    workers.submit(WorkOrder(.directory)) { withExtendedLifetime(content) {} }
  }

  @Test("a lane that always has more work holds nothing of what is done")
  func lanes() {
    var scheduler = WorkScheduler<Content>(WorkScheduler<Content>.Settings(heavy: 1))
    let gone = Mutex(0)
    scheduler.submit(WorkOrder(.directory), Content {}, at: .zero)
    for count in 1...200 {
      scheduler.submit(WorkOrder(.directory), Content { gone.withLock { $0 += 1 } }, at: .zero)
      let turn = scheduler.next(at: .zero)
      if let turn { scheduler.finished(turn, cost: .zero, at: .zero) }
      #expect(gone.withLock { $0 } >= count - 2)
    }
  }
}
