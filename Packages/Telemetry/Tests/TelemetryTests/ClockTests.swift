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

@Suite("Instants")
struct InstantTests {
  @Test("arithmetic saturates instead of wrapping")
  func saturation() {
    #expect(MonotonicInstant.zero + .seconds(-1) == .zero)
    #expect(MonotonicInstant(nanoseconds: .max) + .seconds(1) == MonotonicInstant(nanoseconds: .max))
    #expect(MonotonicInstant(nanoseconds: 5) - MonotonicInstant(nanoseconds: 8) == .nanoseconds(-3))
    #expect(Duration.seconds(Int64.max).clampedNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).clampedNanoseconds == .min)
    #expect(WallTime(secondsSince1970: .max) + .seconds(1) == WallTime(millisecondsSince1970: .max))
    #expect(WallTime(millisecondsSince1970: -1).secondsSince1970 == -1)
    #expect(!WallTime(millisecondsSince1970: .max).description.isEmpty)
    #expect(!WallTime(millisecondsSince1970: .min).description.isEmpty)
  }

  @Test("the system's clock does not go backwards")
  func system() {
    let clock = SystemMonotonicClock()
    let first = clock.now
    #expect(clock.now >= first)
    #expect(SystemWallClock().wallTime.millisecondsSince1970 > 1_700_000_000_000)
  }

  @Test("a manual clock moves when told to")
  func manual() {
    let clock = ManualClock()
    let wall = clock.wallTime
    clock.advance(by: .milliseconds(1_500))
    #expect(clock.now - .zero == .milliseconds(1_500))
    #expect(clock.wallTime.millisecondsSince1970 - wall.millisecondsSince1970 == 1_500)
  }
}
