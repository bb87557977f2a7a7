import PostgresClient
import Testing

@testable import PostgresConnector

@Suite("progress of the slot")
struct SlotProgressTests {
  @Test("a later transaction does not count as dealt with while an earlier one is not done")
  func nested() {
    var slot = SlotProgress(LogPosition(10))
    slot.begin()
    slot.begin()
    slot.reach(LogPosition(30))
    slot.finish()
    #expect(slot.done == LogPosition(10))
    slot.reach(LogPosition(20))
    slot.finish()
    #expect(slot.done == LogPosition(30))
  }

  @Test("it never goes back")
  func order() {
    var slot = SlotProgress(LogPosition(10))
    slot.reach(LogPosition(5))
    #expect(slot.done == LogPosition(10))
  }
}
