import Foundation
import TestKit
import Testing

@Suite("Work on a thread of its own")
struct OnOwnThreadTests {
  @Test("waiting there for another task holds up nobody")
  func waits() async throws {
    let waiters = 16
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<waiters {
        group.addTask {
          try await onOwnThread {
            let done = DispatchSemaphore(value: 0)
            Task.detached { done.signal() }
            done.wait()
            return number
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(total == waiters * (waiters - 1) / 2)
  }

  @Test("what it throws is thrown")
  func failure() async {
    struct Failure: Error {}
    await #expect(throws: Failure.self) { try await onOwnThread { throw Failure() } }
  }
}
