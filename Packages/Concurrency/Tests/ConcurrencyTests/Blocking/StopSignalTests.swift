import Concurrency
import Foundation
import Testing

@Suite("the word to stop")
struct StopSignalTests {
  @Test("it is not set when the time has passed, and stays set when it was")
  func set() {
    let signal = StopSignal()
    #expect(!signal.isSet)
    #expect(!signal.isSet(within: .zero))
    #expect(!signal.isSet(within: .milliseconds(1_001)))
    signal.set()
    #expect(signal.isSet)
    #expect(signal.isSet(within: .zero))
    #expect(signal.isSet(within: .seconds(3_600)))
  }

  @Test("a thread that waits for an hour is woken", .timeLimit(.minutes(45)))
  func woken() async {
    let signal = StopSignal()
    let isSet = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: signal.isSet(within: .seconds(3_600))) }
      signal.set()
    }
    #expect(isSet)
  }
}
