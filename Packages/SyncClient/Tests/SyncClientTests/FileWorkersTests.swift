import Foundation
@testable import SyncClient
import Synchronization
import Testing

@Suite("workers on threads")
struct FileWorkersTests {
  @Test("the work of a lane is done one piece at a time and in order, and no lane is left")
  func order() {
    let workers = ThreadFileWorkers()
    let done = Mutex<[UInt64: [Int]]>([:])
    let end = DispatchGroup()
    for number in 0..<3_000 {
      let lane = UInt64(number % 3)
      end.enter()
      workers.submit(lane: lane) {
        done.withLock { $0[lane, default: []].append(number) }
        end.leave()
      }
      // Lanes run dry in between.
      if number % 100 == 99 { end.wait() }
    }
    end.wait()
    for lane in UInt64(0)..<3 {
      #expect(done.withLock { $0[lane] } == Array(stride(from: Int(lane), to: 3_000, by: 3)))
    }
    // A lane goes a moment after its last piece of work.
    while workers.busyLanes > 0 { usleep(100) }
  }
}
