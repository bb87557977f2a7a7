import Telemetry
import TelemetryTestSupport
import Testing

@Suite("Clocks")
struct ClockTests {
  @Test(
    "a wall time prints as RFC 3339 in UTC",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"),
      (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (1_767_225_599_123, "2025-12-31T23:59:59.123Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func wallTimePrints(milliseconds: Int64, text: String) {
    #expect(WallTime(millisecondsSince1970: milliseconds).description == text)
  }
}
