import Foundation
import Synchronization
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("KeyedLock")
struct KeyedLockTests {
  @Test("a key has one holder at a time, other keys are independent, and no entry outlives its holders")
  func exclusion() {
    let lock = KeyedLock<Int>()
    let inside = Mutex([0, 0])
    let total = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 400) { number in
      let key = number % 2
      lock.withLock(key) {
        inside.withLock { $0[key] += 1 }
        lock.withLock(key) { #expect(inside.withLock { $0[key] } == 1) }
        inside.withLock { $0[key] -= 1 }
      }
      total.withLock { $0 += 1 }
    }
    #expect(total.withLock { $0 } == 400)
    #expect(lock.count == 0)
  }

  @Test("an error releases the lock")
  func errors() {
    struct Broken: Error {}
    let lock = KeyedLock<String>()
    #expect(throws: Broken.self) { try lock.withLock("a") { throw Broken() } }
    #expect(lock.withLock("a") { lock.count } == 1)
    #expect(lock.count == 0)
  }
}
