import Foundation
import Testing

@testable import ServerCluster

@Suite("the word to stop a thread")
struct StopSignalTests {
  @Test("it is not given when the time has passed, and stays given when it was")
  func given() {
    let signal = StopSignal()
    #expect(!signal.isGiven(within: .zero))
    #expect(!signal.isGiven(within: .milliseconds(1_001)))
    signal.give()
    #expect(signal.isGiven(within: .zero))
    #expect(signal.isGiven(within: .seconds(3_600)))
  }

  @Test("a thread that waits for an hour is woken", .timeLimit(.minutes(1)))
  func woken() async {
    let signal = StopSignal()
    let isGiven = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: signal.isGiven(within: .seconds(3_600))) }
      signal.give()
    }
    #expect(isGiven)
  }
}
