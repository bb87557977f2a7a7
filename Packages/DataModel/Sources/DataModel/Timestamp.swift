/// A point in time: whole seconds since 1970-01-01T00:00:00Z and nanoseconds of the same sign.
///
/// The two halves never disagree in sign and `abs(nanoseconds)` is below 1,000,000,000, so equal points
/// are equal values. Half a second before the epoch is `Timestamp(seconds: 0, nanoseconds: -500_000_000)`.
public struct Timestamp: Hashable, Sendable, Comparable {
  /// Whole seconds since the Unix epoch.
  public let seconds: Int64
  /// Nanoseconds on top, of the same sign as ``seconds`` or of either sign when that is 0.
  public let nanoseconds: Int32

  /// A point in time.
  ///
  /// - Precondition: `abs(nanoseconds) < 1_000_000_000` and the signs do not disagree. Input from outside goes
  ///   through ``init(validating:nanoseconds:)``.
  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    precondition(
      Self.isValid(seconds: seconds, nanoseconds: nanoseconds),
      "the halves of a timestamp have equal signs and nanoseconds stay below one second")
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// A timestamp, or nil when the halves do not form one.
  public init?(validating seconds: Int64, nanoseconds: Int32) {
    guard Self.isValid(seconds: seconds, nanoseconds: nanoseconds) else { return nil }
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  private static func isValid(seconds: Int64, nanoseconds: Int32) -> Bool {
    let inRange = nanoseconds > -1_000_000_000 && nanoseconds < 1_000_000_000
    return inRange && !(seconds > 0 && nanoseconds < 0) && !(seconds < 0 && nanoseconds > 0)
  }

  /// Whether the left point is earlier.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.seconds != right.seconds ? left.seconds < right.seconds : left.nanoseconds < right.nanoseconds
  }
}
