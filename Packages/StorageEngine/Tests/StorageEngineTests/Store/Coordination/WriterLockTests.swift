import Foundation
import Synchronization
import TestKit
import Testing

@testable import StorageEngine

@Suite struct WriterLockTests {
  private let long = DispatchTimeInterval.seconds(60)

  /// Runs `body` on a thread of its own; returns once that thread waits for the lock.
  private func enter(_ lock: WriterLock, _ ended: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    let before = lock.waiterCount
    ended.enter()
    Thread.detachNewThread {
      body()
      ended.leave()
    }
    while lock.waiterCount == before { usleep(100) }
  }

  @Test("ownership passes in the order of waiting, and no thread overtakes")
  func order() {
    let lock = WriterLock()
    let ended = DispatchGroup()
    let served = Mutex<[Int]>([])
    #expect(lock.lock(within: long))
    #expect(lock.isLocked)
    for number in 0..<6 {
      enter(lock, ended) {
        guard lock.lock(within: .seconds(60)) else { return }
        served.withLock { $0.append(number) }
        lock.unlock()
      }
    }
    lock.unlock()
    // A late thread comes last.
    #expect(lock.lock(within: long))
    #expect(served.withLock { $0 } == [0, 1, 2, 3, 4, 5])
    lock.unlock()
    ended.wait()
    #expect(!lock.isLocked)
  }

  @Test("a waiter that times out leaves the queue, and the others keep their order")
  func timeout() {
    let lock = WriterLock()
    let ended = DispatchGroup()
    let served = Mutex<[Int]>([])
    #expect(lock.lock(within: long))
    #expect(!lock.lock(within: .milliseconds(1)))
    #expect(lock.waiterCount == 0)
    enter(lock, ended) {
      guard lock.lock(within: .seconds(60)) else { return }
      served.withLock { $0.append(1) }
      lock.unlock()
    }
    #expect(!lock.lock(within: .milliseconds(1)))
    #expect(lock.waiterCount == 1)
    lock.unlock()
    ended.wait()
    #expect(served.withLock { $0 } == [1])
    #expect(!lock.isLocked)
  }

  @Test("a listener is called once, after the waiting threads")
  func listening() {
    let lock = WriterLock()
    let ended = DispatchGroup()
    let heard = Mutex<[String]>([])
    lock.whenFree { heard.withLock { $0.append("at once") } }
    #expect(heard.withLock { $0 } == ["at once"])
    #expect(lock.lock(within: long))
    lock.whenFree { heard.withLock { $0.append("free") } }
    enter(lock, ended) {
      guard lock.lock(within: .seconds(60)) else { return }
      heard.withLock { $0.append("thread") }
      lock.unlock()
    }
    #expect(heard.withLock { $0 } == ["at once"])
    lock.unlock()
    ended.wait()
    #expect(heard.withLock { $0 } == ["at once", "thread", "free"])
    #expect(lock.lock(within: long))
    lock.unlock()
    #expect(heard.withLock(\.count) == 3)
  }

  // @unchecked: changed by the owner of the lock.
  private final class Guarded: @unchecked Sendable { var count = 0 }

  @Test("mutual exclusion holds under timeouts and listeners")
  func exclusion() {
    let lock = WriterLock()
    let guarded = Guarded()
    let (taken, told, asked) = (Shared(0), Shared(0), Shared(0))
    let rounds = (Seeds.runs ?? 1) * 3_000
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      for round in 0..<rounds {
        if number == 3, round % 3 == 0 {
          asked.add(1)
          lock.whenFree { told.add(1) }
        }
        guard lock.lock(within: number == 2 ? .microseconds(20) : .seconds(60)) else { continue }
        guarded.count += 1
        taken.add(1)
        lock.unlock()
      }
    }
    #expect(guarded.count == taken.value)
    #expect(taken.value >= 3 * rounds)
    #expect(told.value == asked.value)
    #expect(!lock.isLocked)
    #expect(lock.waiterCount == 0)
  }

  private final class Shared: Sendable {
    private let count: Atomic<Int>
    init(_ value: Int) { count = Atomic(value) }
    var value: Int { count.load(ordering: .relaxed) }
    func add(_ number: Int) { count.add(number, ordering: .relaxed) }
  }
}
