import Foundation
import Synchronization
import TestKit
import Testing

@testable import StorageEngine

@Suite struct WriterTurnTests {
  private let long = DispatchTimeInterval.seconds(60)

  /// Runs `body` on a thread of its own once that stands in line.
  private func enter(_ turn: WriterTurn, _ ended: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    let before = turn.waiting
    ended.enter()
    Thread.detachNewThread {
      body()
      ended.leave()
    }
    while turn.waiting == before { usleep(100) }
  }

  @Test("threads get the turn in the order in which they came, and nobody in between")
  func order() {
    let turn = WriterTurn()
    let ended = DispatchGroup()
    let served = Mutex<[Int]>([])
    #expect(turn.take(within: long) && turn.isTaken)
    for number in 0..<6 {
      enter(turn, ended) {
        guard turn.take(within: .seconds(60)) else { return }
        served.withLock { $0.append(number) }
        turn.give()
      }
    }
    turn.give()
    // Who comes now comes last.
    #expect(turn.take(within: long))
    #expect(served.withLock { $0 } == [0, 1, 2, 3, 4, 5])
    turn.give()
    ended.wait()
    #expect(!turn.isTaken)
  }

  @Test("who waited long enough leaves the line, and the others keep their places")
  func timeout() {
    let turn = WriterTurn()
    let ended = DispatchGroup()
    let served = Mutex<[Int]>([])
    #expect(turn.take(within: long))
    #expect(!turn.take(within: .milliseconds(1)) && turn.waiting == 0)
    enter(turn, ended) {
      guard turn.take(within: .seconds(60)) else { return }
      served.withLock { $0.append(1) }
      turn.give()
    }
    #expect(!turn.take(within: .milliseconds(1)) && turn.waiting == 1)
    turn.give()
    ended.wait()
    #expect(served.withLock { $0 } == [1] && !turn.isTaken)
  }

  @Test("who wants to hear that the turn is free hears it once, after the threads in line")
  func listening() {
    let turn = WriterTurn()
    let ended = DispatchGroup()
    let heard = Mutex<[String]>([])
    turn.tellWhenFree { heard.withLock { $0.append("at once") } }
    #expect(heard.withLock { $0 } == ["at once"])
    #expect(turn.take(within: long))
    turn.tellWhenFree { heard.withLock { $0.append("free") } }
    enter(turn, ended) {
      guard turn.take(within: .seconds(60)) else { return }
      heard.withLock { $0.append("thread") }
      turn.give()
    }
    #expect(heard.withLock { $0 } == ["at once"])
    turn.give()
    ended.wait()
    #expect(heard.withLock { $0 } == ["at once", "thread", "free"])
    #expect(turn.take(within: long))
    turn.give()
    #expect(heard.withLock(\.count) == 3)
  }

  // @unchecked: changed by who has the turn.
  private final class Guarded: @unchecked Sendable { var count = 0 }

  @Test("nobody is alone with what the turn guards but who has it, whatever others give up or listen meanwhile")
  func exclusion() {
    let turn = WriterTurn()
    let guarded = Guarded()
    let (taken, told, asked) = (Shared(0), Shared(0), Shared(0))
    let rounds = (Seeds.runs ?? 1) * 3_000
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      for round in 0..<rounds {
        if number == 3, round % 3 == 0 {
          asked.add(1)
          turn.tellWhenFree { told.add(1) }
        }
        guard turn.take(within: number == 2 ? .microseconds(20) : .seconds(60)) else { continue }
        guarded.count += 1
        taken.add(1)
        turn.give()
      }
    }
    #expect(guarded.count == taken.value && taken.value >= 3 * rounds)
    #expect(told.value == asked.value)
    #expect(!turn.isTaken && turn.waiting == 0)
  }

  private final class Shared: Sendable {
    private let count: Atomic<Int>
    init(_ value: Int) { count = Atomic(value) }
    var value: Int { count.load(ordering: .relaxed) }
    func add(_ number: Int) { count.add(number, ordering: .relaxed) }
  }
}
