import Foundation
import Synchronization
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("gates")
struct GatesTests {
  @Test("one thread at a time is inside, others of other keys go by, and nothing is left of those who went")
  func passing() {
    let gates = Gates<Int>()
    let inside = Mutex([0, 0])
    let total = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 400) { number in
      let key = number % 2
      gates.pass(key) {
        inside.withLock { $0[key] += 1 }
        gates.pass(key) { #expect(inside.withLock { $0[key] } == 1) }
        inside.withLock { $0[key] -= 1 }
      }
      total.withLock { $0 += 1 }
    }
    #expect(total.withLock { $0 } == 400)
    #expect(gates.count == 0)
  }

  @Test("a gate is open again after an error")
  func errors() {
    struct Broken: Error {}
    let gates = Gates<String>()
    #expect(throws: Broken.self) { try gates.pass("a") { throw Broken() } }
    #expect(gates.pass("a") { gates.count } == 1)
    #expect(gates.count == 0)
  }
}
