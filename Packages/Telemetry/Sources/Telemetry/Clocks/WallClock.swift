import Glibc

/// A calendar time, in milliseconds since 1970-01-01T00:00:00Z.
///
/// Calendar time jumps when the machine's clock is set; measure durations with ``MonotonicClock``.
///
///     WallTime(millisecondsSince1970: 0).description  // "1970-01-01T00:00:00.000Z"
public struct WallTime: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
  public var millisecondsSince1970: Int64

  /// The time `millisecondsSince1970` after the epoch.
  public init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

  /// The time `secondsSince1970` after the epoch, limited to what milliseconds can hold.
  public init(secondsSince1970: Int64) {
    let (product, overflow) = secondsSince1970.multipliedReportingOverflow(by: 1_000)
    millisecondsSince1970 = overflow ? (secondsSince1970 < 0 ? .min : .max) : product
  }

  /// Whole seconds since the epoch, rounded towards the past: the unit of the claims of a token.
  public var secondsSince1970: Int64 {
    let (quotient, remainder) = millisecondsSince1970.quotientAndRemainder(dividingBy: 1_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Whether the left time is earlier.
  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }

  /// The time `duration` later (milliseconds; the rest is dropped). Saturates instead of wrapping.
  public static func + (time: WallTime, duration: Duration) -> WallTime {
    let amount = duration.clampedNanoseconds / 1_000_000
    let (sum, overflow) = time.millisecondsSince1970.addingReportingOverflow(amount)
    return WallTime(millisecondsSince1970: overflow ? (amount < 0 ? .min : .max) : sum)
  }

  /// The form of RFC 3339 in UTC, with milliseconds.
  public var description: String {
    let days = secondsSince1970.flooredDivision(by: 86_400)
    let second = secondsSince1970 - days * 86_400
    // By remainders: the product of quotient and divisor may not fit at the far end.
    let millisecond = (millisecondsSince1970 % 1_000 + 1_000) % 1_000
    let (year, month, day) = Self.civil(fromDays: days)
    return "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))T"
      + "\((second / 3_600).padded(to: 2)):\((second / 60 % 60).padded(to: 2)):\((second % 60).padded(to: 2))"
      + ".\(millisecond.padded(to: 3))Z"
  }

  /// Days since 1970-01-01 to a date of the Gregorian calendar, counting from 1 March so that leap days come last.
  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  fileprivate func padded(to width: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}

/// A source of calendar time, given as a parameter so that tests can own it.
public protocol WallClock: Sendable {
  /// The current calendar time. May jump in both directions.
  var wallTime: WallTime { get }
}

/// The machine's calendar clock.
public struct SystemWallClock: WallClock {
  /// A clock; all values read the same time.
  public init() {}

  /// The time as the machine is set.
  public var wallTime: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(millisecondsSince1970: Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000)
  }
}
